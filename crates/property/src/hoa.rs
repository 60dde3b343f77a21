//! Automata in the Hanoi Omega-Automata format (HOA v1; Babiak et al. 2015) as claims.
//!
//! Of the format, Büchi acceptance in any generality is read (`Inf(0) & Inf(1) ...`, `t`), with labels on states or edges or
//! none, acceptance on states or edges, and aliases. A header `claim: never` or `claim: possible` says what the automaton is
//! there for; without it every run has to be accepted.

use motet_source::{FileId, Problem, Problems, Span, Spanned};

use crate::omega::{Edge, Guard, Sense};

/// An automaton of a file, with its propositions as text.
#[derive(Clone, Debug)]
pub struct HoaAutomaton {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// What it is there for.
    pub sense: Sense,
    /// Formulas about states.
    pub propositions: Vec<Spanned<String>>,
    /// Where ways start.
    pub starts: Vec<u32>,
    /// Per state: the edges that leave it.
    pub edges: Vec<Vec<Edge>>,
    /// How many acceptance sets there are.
    pub n_sets: u32,
    /// The whole of it.
    pub span: Span,
}

/// More states or propositions than this are no claim.
const MOST: u32 = 10_000;
/// Propositions: labels are bit sets, and labels that are left out stand for all of their combinations.
const MOST_PROPOSITIONS: u32 = 16;
/// How deep guards may be nested.
const DEPTH: u32 = 200;

/// All automata of a file. Those with problems are left out.
#[must_use]
pub fn parse_hoa(file: FileId, text: &str) -> (Vec<HoaAutomaton>, Problems) {
    let mut reader = Reader { file, text, at: 0, problems: Problems::new() };
    let mut automata = Vec::new();
    while reader.peek() != Token::End {
        let start = reader.at;
        match reader.automaton() {
            Ok(automaton) => automata.push(automaton),
            Err(Refused) => reader.skip_broken(start),
        }
        if reader.problems.len() > 20 {
            break;
        }
    }
    (automata, reader.problems)
}

/// A problem was noted.
struct Refused;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'t> {
    /// `States:`, with its colon; at the head of a line of the header.
    Header(&'t str),
    Word(&'t str),
    Alias(&'t str),
    Number(u32),
    Text(&'t str),
    Sign(char),
    /// `--BODY--`
    Mark(&'t str),
    End,
}

struct Reader<'t> {
    file: FileId,
    text: &'t str,
    at: usize,
    problems: Problems,
}

#[derive(Default)]
struct Head<'t> {
    name: Option<String>,
    sense: Option<Sense>,
    n_states: Option<u32>,
    starts: Vec<u32>,
    propositions: Vec<Spanned<String>>,
    aliases: Vec<(&'t str, Guard)>,
    n_sets: u32,
}

impl<'t> Reader<'t> {
    fn blanks(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !trimmed.starts_with("/*") {
                return;
            }
            self.at += trimmed.find("*/").map_or(trimmed.len(), |end| end + 2);
        }
    }

    fn peek(&mut self) -> Token<'t> {
        let before = self.at;
        self.blanks();
        let start = self.at;
        let token = self.next();
        self.at = if token == Token::End { before } else { start };
        token
    }

    fn next(&mut self) -> Token<'t> {
        self.blanks();
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else { return Token::End };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '.';
        let length =
            |from: usize| rest[from..].find(|c: char| !is_name(c)).map_or(rest.len(), |end| from + end);
        let (token, taken) = match first {
            '"' => {
                let end = quoted_end(rest);
                (Token::Text(&rest[1..end.max(1)]), (end + 1).min(rest.len()))
            }
            '-' if rest.starts_with("--") => {
                let end = length(0);
                (Token::Mark(&rest[..end]), end)
            }
            '@' => (Token::Alias(&rest[1..length(1)]), length(1)),
            c if c.is_ascii_digit() => {
                let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
                (Token::Number(rest[..end].parse().unwrap_or(u32::MAX)), end)
            }
            c if c.is_ascii_alphabetic() || c == '_' => {
                let end = length(0);
                let header = rest[end..].starts_with(':');
                let token = if header { Token::Header(&rest[..end]) } else { Token::Word(&rest[..end]) };
                (token, end + usize::from(header))
            }
            c => (Token::Sign(c), c.len_utf8()),
        };
        self.at += taken;
        token
    }

    fn refuse<T>(
        &mut self,
        code: &'static str,
        start: usize,
        message: &str,
        help: &str,
    ) -> Result<T, Refused> {
        let end = self.at.max(start + 1).min(self.text.len());
        let span = Span::new(self.file, start.min(end), end);
        self.problems.push(Problem::error(code, span, message.to_owned(), help));
        Err(Refused)
    }

    fn expected<T>(&mut self, start: usize, what: &str) -> Result<T, Refused> {
        let help = "the format is described at its own page, HOA v1; `motet export --to hoa` writes examples";
        self.refuse("M0270", start, &format!("expected {what}"), help)
    }

    /// Past the end of an automaton that cannot be read.
    fn skip_broken(&mut self, start: usize) {
        let rest = &self.text[self.at.max(start)..];
        self.at = match rest.find("--END--") {
            Some(end) => self.at.max(start) + end + "--END--".len(),
            None => self.text.len(),
        };
    }

    fn number(&mut self, what: &str) -> Result<u32, Refused> {
        self.blanks();
        let start = self.at;
        match self.next() {
            Token::Number(number) => Ok(number),
            _ => self.expected(start, what),
        }
    }

    fn automaton(&mut self) -> Result<HoaAutomaton, Refused> {
        self.blanks();
        let start = self.at;
        if (self.next(), self.next()) != (Token::Header("HOA"), Token::Word("v1")) {
            return self.expected(start, "`HOA: v1`");
        }
        let head = self.head()?;
        let edges = self.body(&head)?;
        let span = Span::new(self.file, start, self.at);
        let Head { name, sense, propositions, n_sets, mut starts, .. } = head;
        starts.sort_unstable();
        starts.dedup();
        let sense = sense.unwrap_or(Sense::All);
        Ok(HoaAutomaton { name, sense, propositions, starts, edges, n_sets, span })
    }

    fn head(&mut self) -> Result<Head<'t>, Refused> {
        let mut head = Head::default();
        loop {
            self.blanks();
            let start = self.at;
            match self.next() {
                Token::Mark("--BODY--") => return Ok(head),
                Token::Header("States") => head.n_states = Some(self.number("how many states there are")?),
                Token::Header("Start") => self.start(&mut head)?,
                Token::Header("AP") => self.propositions(&mut head)?,
                Token::Header("Acceptance") => self.acceptance(&mut head)?,
                Token::Header("Alias") => {
                    let Token::Alias(name) = self.next() else {
                        return self.expected(start, "`Alias: @name`");
                    };
                    let guard = self.guard(&head, 0)?;
                    head.aliases.push((name, guard));
                }
                Token::Header("name") => match self.next() {
                    Token::Text(name) => head.name = Some(unescaped(name)),
                    _ => return self.expected(start, "a name in quotes"),
                },
                Token::Header("claim") => {
                    head.sense = Some(match self.next() {
                        Token::Word("never") => Sense::Never,
                        Token::Word("possible") => Sense::Some,
                        Token::Word("property") => Sense::All,
                        _ => {
                            return self
                                .expected(start, "`claim: property`, `claim: never` or `claim: possible`");
                        }
                    });
                }
                // Other headers in small letters may be passed over, says the format; the known ones in capitals too.
                Token::Header(_) => self.skip_header(),
                _ => return self.expected(start, "a header, or `--BODY--`"),
            }
        }
    }

    fn skip_header(&mut self) {
        while !matches!(self.peek(), Token::Header(_) | Token::Mark(_) | Token::End) {
            self.next();
        }
    }

    fn start(&mut self, head: &mut Head<'t>) -> Result<(), Refused> {
        let start = self.at;
        let state = self.number("the number of a state")?;
        head.starts.push(state);
        if self.peek() == Token::Sign('&') {
            return self.alternation(start);
        }
        Ok(())
    }

    fn alternation<T>(&mut self, start: usize) -> Result<T, Refused> {
        let help = "remove universal branching first, for example with `autfilt --remove-alternation`";
        self.refuse("M0272", start, "an automaton that goes several ways at once is not read", help)
    }

    fn propositions(&mut self, head: &mut Head<'t>) -> Result<(), Refused> {
        let start = self.at;
        let count = self.number("how many propositions there are")?;
        if count > MOST_PROPOSITIONS {
            let message = format!("more than {MOST_PROPOSITIONS} propositions");
            return self.refuse(
                "M0273",
                start,
                &message,
                "combine some of them into one formula about states",
            );
        }
        for _ in 0..count {
            self.blanks();
            let start = self.at;
            let Token::Text(text) = self.next() else {
                return self.expected(start, "a proposition in quotes");
            };
            let span = Span::new(self.file, start + 1, start + 1 + text.len());
            head.propositions.push(Spanned { node: unescaped(text), span });
        }
        Ok(())
    }

    /// `2 Inf(0)&Inf(1)`, `0 t`.
    fn acceptance(&mut self, head: &mut Head<'t>) -> Result<(), Refused> {
        self.blanks();
        let start = self.at;
        let count = self.number("how many acceptance sets there are")?;
        let line = self.text[self.at..].lines().next().unwrap_or_default();
        self.at += line.len();
        let condition: String = line.split_whitespace().collect();
        let is_buchi = match count {
            0 => condition == "t",
            count => infinitely_often(&condition) == Some((0..count.min(33)).collect()) && count <= 32,
        };
        if !is_buchi {
            let help = "convert it to (generalised) Büchi acceptance, for example with `autfilt --gba`";
            return self.refuse("M0271", start, "this acceptance condition is not a Büchi condition", help);
        }
        head.n_sets = count;
        Ok(())
    }

    fn body(&mut self, head: &Head<'t>) -> Result<Vec<Vec<Edge>>, Refused> {
        let mut edges: Vec<Vec<Edge>> = vec![Vec::new(); head.n_states.unwrap_or(0).min(MOST) as usize];
        loop {
            self.blanks();
            let start = self.at;
            match self.next() {
                Token::Mark("--END--") => break,
                Token::Header("State") => self.state(head, &mut edges)?,
                _ => return self.expected(start, "`State:` or `--END--`"),
            }
        }
        let n_states = edges.len();
        let targets = edges.iter().flatten().map(|edge| edge.target).chain(head.starts.iter().copied());
        if targets.into_iter().any(|target| target as usize >= n_states) {
            let at = self.at;
            let help = "states are numbered from 0, and `States:` says how many there are";
            return self.refuse("M0273", at, "a state is named that does not exist", help);
        }
        Ok(edges)
    }

    fn state(&mut self, head: &Head<'t>, edges: &mut Vec<Vec<Edge>>) -> Result<(), Refused> {
        let label = self.label(head)?;
        let start = self.at;
        let state = self.number("the number of a state")?;
        if state >= MOST {
            return self.refuse("M0273", start, "too many states", "use an automaton with fewer states");
        }
        if edges.len() <= state as usize {
            edges.resize(state as usize + 1, Vec::new());
        }
        if let Token::Text(_) = self.peek() {
            self.next();
        }
        let sets = self.sets(head)?;
        let mut implicit = 0;
        loop {
            match self.peek() {
                Token::Sign('[') | Token::Number(_) => {}
                _ => return Ok(()),
            }
            let own = self.label(head)?;
            let start = self.at;
            let target = self.number("the number of a state")?;
            if self.peek() == Token::Sign('&') {
                return self.alternation(start);
            }
            let sets = sets | self.sets(head)?;
            let guard = match (own, &label) {
                (Some(own), None) => own,
                (None, Some(label)) => label.clone(),
                (Some(own), Some(label)) => Guard::And(Box::new(own), Box::new(label.clone())),
                (None, None) => {
                    implicit += 1;
                    letter(implicit - 1, head.propositions.len())
                }
            };
            edges[state as usize].push(Edge { guard, sets, target });
        }
    }

    fn label(&mut self, head: &Head<'t>) -> Result<Option<Guard>, Refused> {
        if self.peek() != Token::Sign('[') {
            return Ok(None);
        }
        self.next();
        let guard = self.guard(head, 0)?;
        let start = self.at;
        match self.next() {
            Token::Sign(']') => Ok(Some(guard)),
            _ => self.expected(start, "`]`"),
        }
    }

    fn sets(&mut self, head: &Head<'t>) -> Result<u32, Refused> {
        if self.peek() != Token::Sign('{') {
            return Ok(0);
        }
        self.next();
        let mut sets = 0;
        loop {
            let start = self.at;
            match self.next() {
                Token::Number(set) if set < head.n_sets => sets |= 1 << set,
                Token::Number(_) => {
                    let help = "`Acceptance:` says how many sets there are; they are numbered from 0";
                    return self.refuse(
                        "M0273",
                        start,
                        "an acceptance set is named that does not exist",
                        help,
                    );
                }
                Token::Sign('}') => return Ok(sets),
                _ => return self.expected(start, "`}`"),
            }
        }
    }

    /// `|` binds weaker than `&`, and `!` strongest.
    fn guard(&mut self, head: &Head<'t>, depth: u32) -> Result<Guard, Refused> {
        let mut left = self.conjunction(head, depth)?;
        while self.peek() == Token::Sign('|') {
            self.next();
            left = Guard::Or(Box::new(left), Box::new(self.conjunction(head, depth)?));
        }
        Ok(left)
    }

    fn conjunction(&mut self, head: &Head<'t>, depth: u32) -> Result<Guard, Refused> {
        let mut left = self.literal(head, depth)?;
        while self.peek() == Token::Sign('&') {
            self.next();
            left = Guard::And(Box::new(left), Box::new(self.literal(head, depth)?));
        }
        Ok(left)
    }

    fn literal(&mut self, head: &Head<'t>, depth: u32) -> Result<Guard, Refused> {
        self.blanks();
        let start = self.at;
        if depth > DEPTH {
            return self.refuse("M0270", start, "this label is nested too deeply", "write it flatter");
        }
        match self.next() {
            Token::Word("t") => Ok(Guard::True),
            Token::Word("f") => Ok(Guard::False),
            Token::Number(number) if (number as usize) < head.propositions.len() => {
                Ok(Guard::Proposition(number))
            }
            Token::Number(_) => {
                let help = "`AP:` says how many propositions there are; they are numbered from 0";
                self.refuse("M0273", start, "a proposition is named that does not exist", help)
            }
            Token::Alias(name) => match head.aliases.iter().find(|(known, _)| *known == name) {
                Some((_, guard)) => Ok(guard.clone()),
                None => self.refuse(
                    "M0273",
                    start,
                    "an alias is named that does not exist",
                    "declare it with `Alias:`",
                ),
            },
            Token::Sign('!') => Ok(Guard::Not(Box::new(self.literal(head, depth + 1)?))),
            Token::Sign('(') => {
                let guard = self.guard(head, depth + 1)?;
                let end = self.at;
                match self.next() {
                    Token::Sign(')') => Ok(guard),
                    _ => self.expected(end, "`)`"),
                }
            }
            _ => self.expected(start, "a label: `t`, `f`, a number, `!`, `(` or an alias"),
        }
    }
}

/// The sets of `Inf(1)&Inf(0)`, ascending.
fn infinitely_often(condition: &str) -> Option<Vec<u32>> {
    let sets = condition.split('&').map(|part| part.strip_prefix("Inf(")?.strip_suffix(')')?.parse().ok());
    let mut sets = sets.collect::<Option<Vec<u32>>>()?;
    sets.sort_unstable();
    Some(sets)
}

/// What a text in quotes says: a backslash stands before each quote and each backslash of it.
fn unescaped(text: &str) -> String {
    let mut said = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        said.push(if letter == '\\' { letters.next().unwrap_or(letter) } else { letter });
    }
    said
}

/// Where the text in quotes that starts here ends; a quote after a backslash is part of it.
fn quoted_end(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    rest.len()
}

/// The edge with this number where labels are left out: bit `i` of it says whether proposition `i` holds.
fn letter(number: u32, n_propositions: usize) -> Guard {
    let literals = (0..n_propositions).zip(0..).map(|(_, at)| match number >> at & 1 {
        1 => Guard::Proposition(at),
        _ => Guard::Not(Box::new(Guard::Proposition(at))),
    });
    literals.reduce(|left, right| Guard::And(Box::new(left), Box::new(right))).unwrap_or(Guard::True)
}

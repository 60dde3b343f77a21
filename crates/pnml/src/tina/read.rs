//! Lines to a net.

use std::collections::BTreeMap;

use motet_nets::plain::{Arc, PlainNet, PlainPlace, PlainTransition, merged};
use motet_source::{FileId, Problem, Problems, Span};

use crate::imported::Imported;
use crate::tina::lexer::{Token, Word, words};

/// More problems than this are not told one by one.
const LIMIT_PROBLEMS: usize = 100;

/// Reads a net; `None` when the problems say why.
#[must_use]
pub fn read(file: FileId, text: &str, problems: &mut Problems) -> Option<Imported> {
    let mut reader = Reader { file, problems: Vec::new(), ..Reader::default() };
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let words = words(line, offset);
        offset += line.len();
        if !words.is_empty() {
            reader.line(&words);
        }
    }
    let imported = reader.finish();
    let failed = !reader.problems.is_empty();
    reader.problems.into_iter().take(LIMIT_PROBLEMS).for_each(|problem| problems.push(problem));
    (!failed).then_some(imported)
}

struct Reader {
    file: FileId,
    net: PlainNet,
    span: Span,
    places: BTreeMap<String, usize>,
    transitions: BTreeMap<String, usize>,
    /// Per transition: what it takes, tests, is stopped by and gives, as written.
    arcs: Vec<[Vec<Arc>; 4]>,
    origins: Vec<Span>,
    problems: Vec<Problem>,
}

impl Default for Reader {
    fn default() -> Self {
        Self {
            file: FileId(0),
            net: PlainNet::new("net"),
            span: Span::new(FileId(0), 0, 0),
            places: BTreeMap::new(),
            transitions: BTreeMap::new(),
            arcs: Vec::new(),
            origins: Vec::new(),
            problems: Vec::new(),
        }
    }
}

const TAKE: usize = 0;
const TEST: usize = 1;
const INHIBIT: usize = 2;
const GIVE: usize = 3;

/// A place in the words of a line.
struct Line<'w> {
    words: &'w [Word],
    at: usize,
}

impl<'w> Line<'w> {
    fn peek(&self) -> Option<&'w Token> {
        self.words.get(self.at).map(|word| &word.token)
    }

    fn next(&mut self) -> Option<&'w Word> {
        self.at += 1;
        self.words.get(self.at - 1)
    }

    fn takes(&mut self, token: &Token) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    /// The next word, or the last one if the line ends here.
    fn here(&self) -> Option<&'w Word> {
        self.words.get(self.at).or_else(|| self.words.last())
    }
}

impl Reader {
    fn span_of(&self, word: &Word) -> Span {
        Span::new(self.file, word.start, word.end)
    }

    fn error(&mut self, word: Option<&Word>, message: impl Into<String>, help: &str) {
        let span = word.map_or(Span::new(self.file, 0, 0), |word| self.span_of(word));
        self.problems.push(Problem::error("M1095", span, message, help));
    }

    fn line(&mut self, words: &[Word]) {
        let mut line = Line { words, at: 1 };
        let Token::Name(kind) = &words[0].token else {
            return self.error(
                words.first(),
                "a line starts with `net`, `pl` or `tr`",
                "write `tr t p -> q`",
            );
        };
        match kind.as_str() {
            "net" => {
                self.span = Span::new(self.file, words[0].start, words[0].end);
                if let Some(name) = self.name(&mut line, "a net") {
                    self.net.name = name;
                }
            }
            "tr" => self.transition(&mut line),
            "pl" => self.place(&mut line),
            // Labels and notes say nothing about firing.
            "lb" | "nt" | "an" => {}
            "pr" => {
                let message = "priorities change what can fire, and they are not read here";
                self.error(words.first(), message, "express them with inhibitor arcs");
            }
            other => {
                let message = format!("a line cannot start with `{other}`");
                self.error(words.first(), message, "lines start with `net`, `pl`, `tr`, `lb` or `nt`");
            }
        }
    }

    fn name(&mut self, line: &mut Line<'_>, what: &str) -> Option<String> {
        match line.peek() {
            Some(Token::Name(name)) => {
                line.at += 1;
                Some(name.clone())
            }
            _ => {
                let help = "names are letters, digits, `_` and `'`; others stand in braces: `{fork 1}`";
                self.error(line.here(), format!("the name of {what} is missing here"), help);
                None
            }
        }
    }

    /// A number, with `K` for thousand and `M` for million.
    fn number(&mut self, line: &mut Line<'_>) -> Option<u32> {
        let word = line.next();
        let number = match word.map(|word| &word.token) {
            Some(Token::Name(text)) => {
                let (digits, unit) = match text.strip_suffix(['K', 'M']) {
                    Some(digits) if text.ends_with('K') => (digits, 1_000),
                    Some(digits) => (digits, 1_000_000),
                    None => (text.as_str(), 1),
                };
                digits.parse::<u32>().ok().and_then(|number| number.checked_mul(unit))
            }
            _ => None,
        };
        if number.is_none() {
            let help = "write a whole number that fits 32 bits, such as 3 or 2K";
            self.error(word.or_else(|| line.words.last()), "a number of tokens is needed here", help);
        }
        number
    }

    fn place_number(&mut self, name: &str) -> usize {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        let place = self.net.places.len();
        self.net.places.push(PlainPlace { name: name.to_owned(), ..PlainPlace::default() });
        self.places.insert(name.to_owned(), place);
        place
    }

    fn transition_number(&mut self, name: &str, word: Option<&Word>) -> usize {
        if let Some(&transition) = self.transitions.get(name) {
            return transition;
        }
        let transition = self.net.transitions.len();
        self.net.transitions.push(PlainTransition { name: name.to_owned(), ..PlainTransition::default() });
        self.arcs.push(Default::default());
        self.origins.push(word.map_or(self.span, |word| self.span_of(word)));
        self.transitions.insert(name.to_owned(), transition);
        transition
    }

    /// `: label`
    fn label(&mut self, line: &mut Line<'_>) {
        if line.takes(&Token::Colon) {
            self.name(line, "a label");
        }
    }

    fn transition(&mut self, line: &mut Line<'_>) {
        let word = line.words.get(line.at);
        let Some(name) = self.name(line, "a transition") else { return };
        let transition = self.transition_number(&name, word);
        self.label(line);
        if let Some(Token::Interval(interval)) = line.peek() {
            let plain: String = interval.chars().filter(|letter| !letter.is_whitespace()).collect();
            if plain != "[0,w[" {
                let help = "nets are read without time; only `[0,w[` says nothing about it";
                self.error(line.here(), format!("the interval `{interval}` restricts when this fires"), help);
            }
            line.at += 1;
        }
        while line.peek().is_some() && line.peek() != Some(&Token::Arrow) {
            let Some((place, list, weight)) = self.arc(line, TAKE) else { return };
            let place = self.place_number(&place);
            self.arcs[transition][list].push(Arc { place, weight });
        }
        if !line.takes(&Token::Arrow) {
            return self.error(line.here(), "`->` is missing", "write what is taken, `->`, what is given");
        }
        while line.peek().is_some() {
            let Some((place, list, weight)) = self.arc(line, GIVE) else { return };
            let place = self.place_number(&place);
            self.arcs[transition][list].push(Arc { place, weight });
        }
    }

    /// `name`, `name*2`, before the arrow also `name?1` and `name?-1`.
    fn arc(&mut self, line: &mut Line<'_>, usual: usize) -> Option<(String, usize, u32)> {
        let name = self.name(line, "a place or transition")?;
        let list = match line.peek() {
            Some(Token::Times) => usual,
            Some(Token::Test) if usual == TAKE => TEST,
            Some(Token::Inhibit) if usual == TAKE => INHIBIT,
            _ => return Some((name, usual, 1)),
        };
        line.at += 1;
        Some((name, list, self.number(line)?))
    }

    /// `pl p (3)`, also with the transitions around it: `pl p (3) t -> u*2`.
    fn place(&mut self, line: &mut Line<'_>) {
        let Some(name) = self.name(line, "a place") else { return };
        let place = self.place_number(&name);
        self.label(line);
        if line.takes(&Token::Open) {
            let Some(tokens) = self.number(line) else { return };
            self.net.places[place].initial = tokens;
            if !line.takes(&Token::Close) {
                return self.error(line.here(), "`)` is missing", "a marking stands in parentheses: `(3)`");
            }
        }
        let mut list = GIVE;
        while let Some(word) = line.words.get(line.at) {
            if line.takes(&Token::Arrow) && list == GIVE {
                list = TAKE;
                continue;
            }
            let Some((name, list, weight)) = self.arc(line, list) else { return };
            let transition = self.transition_number(&name, Some(word));
            self.arcs[transition][list].push(Arc { place, weight });
        }
    }

    /// TINA tests the marking as it is, so a test that asks no more than what is taken anyway asks nothing.
    fn finish(&mut self) -> Imported {
        let mut net = std::mem::take(&mut self.net);
        let lists = std::mem::take(&mut self.arcs);
        for (number, [inputs, tests, inhibitors, outputs]) in lists.into_iter().enumerate() {
            let (inputs, outputs) = match (merged(inputs), merged(outputs)) {
                (Some(inputs), Some(outputs)) => (inputs, outputs),
                _ => {
                    let message = "the arcs of this transition together move more tokens than can be counted";
                    let span = self.origins[number];
                    self.problems.push(Problem::error("M1095", span, message, "use smaller weights"));
                    continue;
                }
            };
            let mut asked: BTreeMap<usize, u32> = BTreeMap::new();
            for test in tests {
                let most = asked.entry(test.place).or_default();
                *most = (*most).max(test.weight);
            }
            let taken = |place| inputs.iter().find(|arc| arc.place == place).map_or(0, |arc| arc.weight);
            let reads = asked
                .into_iter()
                .map(|(place, tokens)| Arc { place, weight: tokens.saturating_sub(taken(place)) });
            let mut below: BTreeMap<usize, u32> = BTreeMap::new();
            for arc in inhibitors {
                let least = below.entry(arc.place).or_insert(arc.weight);
                *least = (*least).min(arc.weight);
            }
            let transition = &mut net.transitions[number];
            transition.reads = reads.filter(|arc| arc.weight > 0).collect();
            transition.inhibitors = below.into_iter().map(|(place, weight)| Arc { place, weight }).collect();
            (transition.inputs, transition.outputs) = (inputs, outputs);
        }
        let ids = |names: &BTreeMap<String, usize>| -> BTreeMap<String, Vec<usize>> {
            names.iter().map(|(name, number)| (name.clone(), vec![*number])).collect()
        };
        Imported {
            net,
            places: ids(&self.places),
            transitions: ids(&self.transitions),
            origins: std::mem::take(&mut self.origins),
            span: Span { file: self.file, ..self.span },
            symmetric: None,
            nupn: None,
        }
    }
}

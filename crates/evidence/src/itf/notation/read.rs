//! The way back from text to formula. Any text is read or refused.

use motet_model::AtomId;
use motet_property::{
    Bound, Extremum, Filter, Formula, Interval, Knowledge, Past, Path, Quantifier, Query, Relation,
    RewardGoal, Timer, Unit, Until,
};

use super::letter;

/// Formulas nested deeper are not read, so that recursion over them is safe. Claims are a few hundred levels deep at most.
const DEPTH: usize = 600;

/// The formula of a text; `None` if it is none, or names an atom that there is not.
pub(in crate::itf) fn read(text: &str, atoms: &[String]) -> Option<Formula<AtomId>> {
    let tokens = tokens(text)?;
    let mut reader = Reader { atoms, tokens: &tokens, depth: 0 };
    let formula = reader.formula()?;
    reader.tokens.is_empty().then_some(formula)
}

#[derive(Debug, PartialEq, Eq)]
enum Token {
    Open,
    Close,
    OpenGroup,
    CloseGroup,
    Word(String),
    Quoted(String),
}

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' => {}
            '(' => tokens.push(Token::Open),
            ')' => tokens.push(Token::Close),
            '[' => tokens.push(Token::OpenGroup),
            ']' => tokens.push(Token::CloseGroup),
            '\'' => {
                let mut name = String::new();
                loop {
                    match letters.next()? {
                        '\'' => break,
                        '\\' => name.push(letters.next()?),
                        letter => name.push(letter),
                    }
                }
                tokens.push(Token::Quoted(name));
            }
            letter => {
                let mut word = String::from(letter);
                while let Some(letter) = letters.next_if(|letter| !" ()[]'".contains(*letter)) {
                    word.push(letter);
                }
                tokens.push(Token::Word(word));
            }
        }
    }
    Some(tokens)
}

struct Reader<'a> {
    atoms: &'a [String],
    tokens: &'a [Token],
    depth: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<&'a Token> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(first)
    }

    fn take(&mut self, token: &Token) -> Option<()> {
        (self.next()? == token).then_some(())
    }

    fn word(&mut self) -> Option<&'a str> {
        match self.next()? {
            Token::Word(word) => Some(word),
            _ => None,
        }
    }

    fn quoted(&mut self) -> Option<&'a str> {
        match self.next()? {
            Token::Quoted(name) => Some(name),
            _ => None,
        }
    }

    fn group(&mut self) -> Option<Vec<String>> {
        self.take(&Token::OpenGroup)?;
        let mut names = Vec::new();
        while self.tokens.first() != Some(&Token::CloseGroup) {
            names.push(self.quoted()?.to_owned());
        }
        self.take(&Token::CloseGroup)?;
        Some(names)
    }

    /// What stands between parentheses, one level deeper.
    fn list<T>(&mut self, read: impl FnOnce(&mut Self, &'a str) -> Option<T>) -> Option<T> {
        self.take(&Token::Open)?;
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let operator = self.word()?;
        let found = read(self, operator)?;
        self.take(&Token::Close)?;
        self.depth -= 1;
        Some(found)
    }

    fn formula(&mut self) -> Option<Formula<AtomId>> {
        match self.tokens.first()? {
            Token::Open => self.list(Self::compound),
            Token::Quoted(_) => {
                let text = self.quoted()?;
                let number = self.atoms.iter().position(|atom| atom == text)?;
                Some(Formula::Atom(AtomId(u32::try_from(number).ok()?)))
            }
            _ => match self.word()? {
                "true" => Some(Formula::True),
                "false" => Some(Formula::False),
                "deadlock" => Some(Formula::Deadlock),
                _ => None,
            },
        }
    }

    fn boxed(&mut self) -> Option<Box<Formula<AtomId>>> {
        self.formula().map(Box::new)
    }

    fn compound(&mut self, operator: &'a str) -> Option<Formula<AtomId>> {
        Some(match operator {
            "not" => Formula::Not(self.boxed()?),
            "and" => Formula::And(self.boxed()?, self.boxed()?),
            "or" => Formula::Or(self.boxed()?, self.boxed()?),
            "implies" => Formula::Implies(self.boxed()?, self.boxed()?),
            "iff" => Formula::Iff(self.boxed()?, self.boxed()?),
            "A" => Formula::Runs(Quantifier::All, self.route()?),
            "E" => Formula::Runs(Quantifier::Some, self.route()?),
            "K" => Formula::Knows(Knowledge::One, self.group()?, self.boxed()?),
            "EK" => Formula::Knows(Knowledge::Everyone, self.group()?, self.boxed()?),
            "CK" => Formula::Knows(Knowledge::Common, self.group()?, self.boxed()?),
            "DK" => Formula::Knows(Knowledge::Distributed, self.group()?, self.boxed()?),
            "filter" => Formula::Filter(self.filter()?, self.boxed()?, self.boxed()?),
            "once" => Formula::Past(Box::new(Past::Once(self.formula()?))),
            "historically" => Formula::Past(Box::new(Past::Historically(self.formula()?))),
            "previously" => Formula::Past(Box::new(Past::Previously(self.formula()?))),
            "since" => Formula::Past(Box::new(Past::Since(self.formula()?, self.formula()?))),
            "clock" => Formula::Timer(Timer::Now, self.relation()?, self.bound()??),
            "last" | "held" => {
                let (relation, bound) = (self.relation()?, self.bound()??);
                let inner = self.boxed()?;
                let timer = if operator == "last" { Timer::Since(inner) } else { Timer::Held(inner) };
                Formula::Timer(timer, relation, bound)
            }
            "wait" => Formula::Wait(self.extremum()??, None, self.boxed()?),
            "wait-from" => Formula::Wait(self.extremum()??, Some(self.boxed()?), self.boxed()?),
            "P" => Formula::Chance(self.extremum()?, self.query()?, self.route()?),
            "S" => Formula::Steady(self.extremum()?, self.query()?, self.boxed()?),
            "R" => {
                let name = self.group()?.pop();
                Formula::Reward(name, self.extremum()?, self.query()?, Box::new(self.goal()?))
            }
            _ => return None,
        })
    }

    fn route(&mut self) -> Option<Box<Path<AtomId>>> {
        self.list(Self::path).map(Box::new)
    }

    fn path(&mut self, operator: &'a str) -> Option<Path<AtomId>> {
        Some(match operator {
            "now" => Path::Now(self.formula()?),
            "not" => Path::Not(self.route()?),
            "and" => Path::And(self.route()?, self.route()?),
            "or" => Path::Or(self.route()?, self.route()?),
            "implies" => Path::Implies(self.route()?, self.route()?),
            "iff" => Path::Iff(self.route()?, self.route()?),
            "X" => Path::Next(self.route()?),
            "F" => Path::Eventually(self.interval()?, self.route()?),
            "G" => Path::Always(self.interval()?, self.route()?),
            _ => {
                let until = Until::ALL.into_iter().find(|&until| letter(until) == operator)?;
                Path::Until(until, self.interval()?, self.route()?, self.route()?)
            }
        })
    }

    fn interval(&mut self) -> Option<Interval> {
        match self.tokens.first()? {
            Token::Word(_) => Some(Interval { low: self.bound()?, high: self.bound()? }),
            _ => Some(Interval::default()),
        }
    }

    fn bound(&mut self) -> Option<Option<Bound>> {
        let word = self.word()?;
        if word == "-" {
            return Some(None);
        }
        let (amount, rest) = word.split_once(':')?;
        let (unit, strict) = match rest.split_once(':') {
            Some((unit, "strict")) => (unit, true),
            Some(_) => return None,
            None => (rest, false),
        };
        let unit = match unit {
            "" => None,
            "clock" => Some(Unit::Clock),
            "steps" => Some(Unit::Steps),
            "cycles" => Some(Unit::Cycles),
            "firings" => Some(Unit::Firings),
            _ => return None,
        };
        Some(Some(Bound { amount: amount.parse().ok()?, unit, strict }))
    }

    fn relation(&mut self) -> Option<Relation> {
        relation(self.word()?)
    }

    fn query(&mut self) -> Option<Query> {
        match self.word()? {
            "?" => Some(Query::Value),
            word => Some(Query::Compare(relation(word)?, self.quoted()?.to_owned())),
        }
    }

    fn extremum(&mut self) -> Option<Option<Extremum>> {
        match self.word()? {
            "-" => Some(None),
            "min" => Some(Some(Extremum::Min)),
            "max" => Some(Some(Extremum::Max)),
            _ => None,
        }
    }

    fn filter(&mut self) -> Option<Filter> {
        let word = self.word()?;
        let all = [
            Filter::Min,
            Filter::Max,
            Filter::Average,
            Filter::Sum,
            Filter::Count,
            Filter::State,
            Filter::First,
            Filter::ForAll,
            Filter::Exists,
            Filter::Print,
        ];
        all.into_iter().find(|filter| filter.word() == word)
    }

    fn goal(&mut self) -> Option<RewardGoal<AtomId>> {
        Some(match self.word()? {
            "until" => RewardGoal::Until(*self.route()?),
            "total" => RewardGoal::Cumulative(self.bound()?),
            "instant" => RewardGoal::Instant(self.bound()??),
            "average" => RewardGoal::Average,
            _ => return None,
        })
    }
}

fn relation(word: &str) -> Option<Relation> {
    Some(match word {
        "=" => Relation::Eq,
        "!=" => Relation::Ne,
        "<" => Relation::Lt,
        "<=" => Relation::Le,
        ">" => Relation::Gt,
        ">=" => Relation::Ge,
        _ => return None,
    })
}

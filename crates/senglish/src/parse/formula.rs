//! Conditions: beliefs joined by `~`, `not`, `and`, `or` and parentheses.

use motet_source::{Problem, Problems, Span};

use super::tokens::Token;
use crate::syntax::Condition;

/// Parentheses and negations nest at most this deep, so that no text can exhaust the stack.
const DEEPEST: usize = 100;

/// Tokens that are read from left to right.
pub(crate) struct Line<'a> {
    tokens: &'a [(Token, Span)],
    at: usize,
    /// What was wrong.
    pub(crate) problems: &'a mut Problems,
}

impl<'a> Line<'a> {
    /// At the first token. The last one is [`Token::End`].
    pub(crate) fn new(tokens: &'a [(Token, Span)], problems: &'a mut Problems) -> Self {
        Self { tokens, at: 0, problems }
    }

    /// The next token.
    pub(crate) fn peek(&self) -> &'a Token {
        &self.tokens[self.at].0
    }

    /// Where the next token stands.
    pub(crate) fn span(&self) -> Span {
        self.tokens[self.at].1
    }

    /// Where the last token that was taken stands.
    pub(crate) fn behind(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].1
    }

    /// Takes the next token; the end stays.
    pub(crate) fn take(&mut self) -> &'a (Token, Span) {
        let token = &self.tokens[self.at];
        if !matches!(token.0, Token::End) {
            self.at += 1;
        }
        token
    }

    /// Whether the next token is this word.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(found) if found == word)
    }

    /// Takes this word if it is next.
    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.take();
        }
        found
    }

    /// Takes this sign if it is next.
    pub(crate) fn eat_sign(&mut self, sign: char) -> bool {
        let found = matches!(self.peek(), Token::Sign(next) if *next == sign);
        if found {
            self.take();
        }
        found
    }

    /// Notes that something else was expected.
    pub(crate) fn expected(&mut self, what: &str, help: &str) {
        let message = format!("{what} is expected here, not {}", self.peek().named());
        self.problems.push(Problem::error("M0860", self.span(), message, help));
    }

    /// Goes to the next `If`, or to the end.
    pub(crate) fn recover(&mut self) {
        while !self.is_word("if") && !matches!(self.peek(), Token::End) {
            self.take();
        }
    }

    /// A condition. `None` means that a problem was noted.
    pub(crate) fn condition(&mut self) -> Option<Condition> {
        self.disjunction(0)
    }

    fn disjunction(&mut self, depth: usize) -> Option<Condition> {
        let mut parts = vec![self.conjunction(depth)?];
        while self.eat_word("or") {
            parts.push(self.conjunction(depth)?);
        }
        Some(if parts.len() == 1 { parts.swap_remove(0) } else { Condition::Or(parts) })
    }

    fn conjunction(&mut self, depth: usize) -> Option<Condition> {
        let mut parts = vec![self.unary(depth)?];
        while self.eat_word("and") {
            parts.push(self.unary(depth)?);
        }
        Some(if parts.len() == 1 { parts.swap_remove(0) } else { Condition::And(parts) })
    }

    fn unary(&mut self, depth: usize) -> Option<Condition> {
        if depth > DEEPEST {
            let message = format!("the condition nests more than {DEEPEST} levels deep");
            let help = "name a part of it with a mental note: a rule can keep the note up to date";
            self.problems.push(Problem::error("M0865", self.span(), message, help));
            return None;
        }
        if self.eat_sign('~') || self.eat_word("not") {
            return Some(Condition::Not(Box::new(self.unary(depth + 1)?)));
        }
        if self.eat_sign('(') {
            let open = self.behind();
            let inner = self.disjunction(depth + 1)?;
            if !self.eat_sign(')') {
                let help = "write `)` behind the condition";
                self.problems.push(Problem::error("M0862", open, "`(` is never closed", help));
                return None;
            }
            return Some(inner);
        }
        if self.eat_word("true") {
            return Some(Condition::True);
        }
        if self.eat_word("false") {
            return Some(Condition::False);
        }
        if let Token::Belief(sentence) = self.peek() {
            self.take();
            return Some(Condition::Belief(sentence.clone()));
        }
        self.expected("a belief", "write ^[sentence], ~^[sentence], true, or a condition in parentheses");
        None
    }
}

//! The parser's place in the tokens, and how it gets back on its feet.

use motet_source::{FileId, Parse, Problem, Problems, Refused, Rules, Span, Spanned, holds_cursor};

use crate::lexer::{TokenKind, scan};
use crate::nearest::nearest;

/// How deep parentheses may nest.
pub(crate) const LIMIT_DEPTH: usize = 150;
/// How many operators other than `&` and `|` one expression may chain.
const LIMIT_CHAIN: usize = 400;

const RULES: Rules = Rules {
    unexpected: "M0801",
    depth: LIMIT_DEPTH,
    too_deep: |span| {
        let help = format!("at most {LIMIT_DEPTH} levels; give parts of it names with `formula`");
        Problem::error("M0803", span, "this is nested too deeply", help)
    },
    chain: LIMIT_CHAIN,
    too_long: |operator| {
        let help = format!("at most {LIMIT_CHAIN} operators; give parts of it names with `formula`");
        Problem::error("M0803", operator, "this expression is too long", help)
    },
    meant: |word| {
        let near = nearest(word, RESERVED.iter().copied().filter(|reserved| reserved.len() > 3))?;
        (near != word).then(|| format!("did you mean `{near}`"))
    },
};

/// Words that PRISM reserves (manual, "Modules and variables").
const RESERVED: &[&str] = &[
    "A",
    "bool",
    "clock",
    "const",
    "ctmc",
    "C",
    "double",
    "dtmc",
    "E",
    "endinit",
    "endinvariant",
    "endmodule",
    "endobservables",
    "endrewards",
    "endsystem",
    "false",
    "formula",
    "filter",
    "func",
    "F",
    "global",
    "G",
    "init",
    "invariant",
    "I",
    "int",
    "label",
    "max",
    "mdp",
    "min",
    "module",
    "X",
    "nondeterministic",
    "observable",
    "observables",
    "of",
    "Pmax",
    "Pmin",
    "P",
    "pomdp",
    "popta",
    "probabilistic",
    "prob",
    "pta",
    "rate",
    "rewards",
    "Rmax",
    "Rmin",
    "R",
    "S",
    "stochastic",
    "system",
    "true",
    "U",
    "W",
];

/// Those of them that only properties use.
const OF_PROPERTIES: &[&str] = &[
    "A", "C", "E", "F", "filter", "G", "I", "of", "P", "Pmax", "Pmin", "R", "Rmax", "Rmin", "S", "U", "W",
    "X",
];

/// Words that start a part of a file.
const OPENERS: &[&str] = &["const", "formula", "label", "global", "module", "rewards", "init", "system"];

/// A place in the tokens of one text.
pub(crate) struct Cursor<'a>(motet_source::Cursor<'a, TokenKind>);

holds_cursor!(Cursor.0: TokenKind);

impl<'a> Cursor<'a> {
    pub(crate) fn new(file: FileId, text: &'a str) -> Self {
        Self(motet_source::Cursor::new(scan(file, text), RULES))
    }

    /// What is wrong with the text.
    pub(crate) fn into_problems(self) -> Problems {
        self.0.problems
    }

    /// A name that is declared or used.
    pub(crate) fn name(&mut self, what: &str) -> Parse<Spanned<String>> {
        match self.peek() {
            TokenKind::Word => {
                let word = self.bump();
                if RESERVED.contains(&word.node) {
                    self.reserved(word.node, word.span, what)?;
                }
                Ok(Spanned::new(word.node.to_owned(), word.span))
            }
            TokenKind::DigitWord => {
                let word = self.bump();
                let message = format!("`{}` is neither a name nor a number", word.node);
                self.report(Problem::error("M0804", word.span, message, "names start with a letter"));
                Ok(Spanned::new(word.node.to_owned(), word.span))
            }
            _ => Err(self.unexpected(what, "names are written with letters, digits and `_`")),
        }
    }

    /// A reserved word where a name is expected. Operators of properties do no harm inside a model.
    fn reserved(&mut self, word: &str, span: Span, what: &str) -> Parse<()> {
        let help = format!("choose another name, such as `{}_`", word.to_lowercase());
        if OF_PROPERTIES.contains(&word) {
            let message =
                format!("`{word}` is a word of PRISM's properties; PRISM does not take it as {what}");
            self.report(Problem::warning("M0805", span, message, help));
            return Ok(());
        }
        let message = format!("`{word}` is a word of PRISM and cannot be {what}");
        self.report(Problem::error("M0805", span, message, help));
        if OPENERS.contains(&word) || word.starts_with("end") { Err(Refused) } else { Ok(()) }
    }

    /// The text between quotes.
    pub(crate) fn quoted(&mut self, what: &str) -> Parse<Spanned<String>> {
        match self.peek() {
            TokenKind::Text | TokenKind::OpenText => {
                let text = self.bump();
                Ok(Spanned::new(text.node.trim_matches('"').to_owned(), text.span))
            }
            _ => Err(self.unexpected(what, "write it in double quotes: `\"done\"`")),
        }
    }

    /// The semicolon after `what`. Where it is plainly forgotten, at the end of a line or of a block, reading goes on.
    pub(crate) fn semicolon(&mut self, what: &str) -> Parse<()> {
        if self.eat(TokenKind::Semicolon) {
            return Ok(());
        }
        if self.at_end() || self.opens_line() {
            self.forgotten(";", what);
            return Ok(());
        }
        Err(self.unexpected(&format!("`;` after {what}"), "write the `;`"))
    }

    /// Whether a part of the file starts here.
    pub(crate) fn at_opener(&self) -> bool {
        self.peek() == TokenKind::Word
            && OPENERS.contains(&self.token_text())
            && (self.opens_line() || !self.is_word("init"))
    }

    /// Goes on behind the part that was refused: after its `;`, or where something else plainly starts.
    pub(crate) fn skip_statement(&mut self, before: usize) {
        if self.position() == before {
            self.bump();
        }
        while !self.at_end() && !self.at_opener() {
            let word = self.peek() == TokenKind::Word && self.token_text().starts_with("end");
            if word {
                return;
            }
            if self.bump().node == ";" {
                return;
            }
        }
    }

    /// The word that closes a block.
    pub(crate) fn close(&mut self, word: &str, open: Span, what: &str) {
        if self.eat_word(word) {
            return;
        }
        let help = format!("write `{word}` where it ends");
        let mut problem = Problem::error("M0809", open, format!("{what} is not closed"), help);
        if !self.at_end() {
            problem = problem.also(self.span(), "this cannot be part of it");
        }
        self.refuse(problem);
    }
}

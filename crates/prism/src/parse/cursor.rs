//! The parser's place in the tokens, and how it gets back on its feet.

use motet_source::{FileId, Problem, Problems, Span, Spanned};

use crate::lexer::{Token, TokenKind, tokens};
use crate::nearest::nearest;

/// How deep parentheses may nest. Trees are walked recursively, so depth is stack.
pub(crate) const LIMIT_DEPTH: usize = 150;
/// How many operators other than `&` and `|` one expression may chain. Such a chain becomes a deep tree too.
pub(crate) const LIMIT_CHAIN: usize = 400;
/// How many problems of one text are reported.
pub(crate) const LIMIT_PROBLEMS: usize = 200;

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

/// The problem has been reported; the caller recovers or passes this on.
#[derive(Debug)]
pub(crate) struct Refused;

/// What parsing a part returns.
pub(crate) type Parse<T> = Result<T, Refused>;

/// A place in the tokens of one text.
pub(crate) struct Cursor<'a> {
    pub(crate) file: FileId,
    text: &'a str,
    tokens: Vec<Token>,
    at: usize,
    pub(crate) problems: Problems,
    /// Where the last "expected" was reported: a second one at the same token is a consequence of the first.
    refused_at: Option<usize>,
    depth: usize,
    pub(crate) chain: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(file: FileId, text: &'a str) -> Self {
        let mut problems = Problems::new();
        let tokens = tokens(file, text, &mut problems);
        Self { file, text, tokens, at: 0, problems, refused_at: None, depth: 0, chain: 0 }
    }

    pub(crate) fn peek(&self) -> TokenKind {
        self.tokens[self.at].kind
    }

    /// The token `n` places ahead.
    pub(crate) fn ahead(&self, n: usize) -> TokenKind {
        self.tokens.get(self.at + n).map_or(TokenKind::End, |token| token.kind)
    }

    pub(crate) fn token_text(&self) -> &'a str {
        let token = self.tokens[self.at];
        &self.text[token.start..token.end]
    }

    pub(crate) fn span(&self) -> Span {
        let token = self.tokens[self.at];
        Span::new(self.file, token.start, token.end)
    }

    /// The span of the token before this one, or of nothing at the start.
    pub(crate) fn last_span(&self) -> Span {
        self.at.checked_sub(1).map_or(Span::new(self.file, 0, 0), |last| {
            let token = self.tokens[last];
            Span::new(self.file, token.start, token.end)
        })
    }

    /// Where the cursor stands, to see whether it has moved.
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Takes the token. The end is never passed.
    pub(crate) fn bump(&mut self) -> Spanned<&'a str> {
        let taken = Spanned::new(self.token_text(), self.span());
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        taken
    }

    /// Reads the present token as another one.
    pub(crate) fn replace(&mut self, kind: TokenKind) {
        self.tokens[self.at].kind = kind;
    }

    /// Reads the present token as `kind` without its first letter.
    pub(crate) fn behead(&mut self, kind: TokenKind) {
        self.tokens[self.at].kind = kind;
        self.tokens[self.at].start += 1;
    }

    pub(crate) fn at_end(&self) -> bool {
        self.peek() == TokenKind::End
    }

    /// Takes the token if it is of this kind.
    pub(crate) fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.peek() == kind;
        if found {
            self.bump();
        }
        found
    }

    /// Whether this is the given word.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.peek() == TokenKind::Word && self.token_text() == word
    }

    /// Takes the word if it is the given one.
    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }

    pub(crate) fn expect(&mut self, kind: TokenKind, wanted: &str, help: &str) -> Parse<Span> {
        if self.peek() == kind { Ok(self.bump().span) } else { Err(self.unexpected(wanted, help)) }
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
        let last = self.last_span();
        if self.at_end() || self.tokens[self.at].opens_line {
            let end = Span { start: last.end, ..last };
            let problem = Problem::error("M0801", end, format!("expected `;` after {what}"), "write the `;`")
                .fix(end, ";");
            self.refuse(problem);
            return Ok(());
        }
        Err(self.unexpected(&format!("`;` after {what}"), "write the `;`"))
    }

    /// Whether a part of the file starts here.
    pub(crate) fn at_opener(&self) -> bool {
        self.peek() == TokenKind::Word
            && OPENERS.contains(&self.token_text())
            && (self.tokens[self.at].opens_line || !self.is_word("init"))
    }

    /// Goes on behind the part that was refused: after its `;`, or where something else plainly starts.
    pub(crate) fn skip_statement(&mut self, before: usize) {
        if self.at == before {
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

    /// Calls `read` one level deeper.
    pub(crate) fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= LIMIT_DEPTH {
            let help = format!("at most {LIMIT_DEPTH} levels; give parts of it names with `formula`");
            let problem = Problem::error("M0803", self.span(), "this is nested too deeply", help);
            return Err(self.refuse(problem));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Whether the outermost expression is being read.
    pub(crate) fn is_outermost(&self) -> bool {
        self.depth == 0
    }

    pub(crate) fn report(&mut self, problem: Problem) {
        if self.problems.len() < LIMIT_PROBLEMS {
            self.problems.push(problem);
        }
        if self.problems.len() >= LIMIT_PROBLEMS {
            // A text with this many problems is of another language; nobody reads the rest.
            self.at = self.tokens.len() - 1;
        }
    }

    /// Reports what stands at the present token, unless something was said about this token already.
    pub(crate) fn refuse(&mut self, problem: Problem) -> Refused {
        if self.refused_at.replace(self.at) != Some(self.at) {
            self.report(problem);
        }
        Refused
    }

    /// Something else stands here than what was wanted.
    pub(crate) fn unexpected(&mut self, wanted: &str, help: &str) -> Refused {
        let found = match self.peek() {
            TokenKind::End => "the end of the file".to_owned(),
            _ => format!("`{}`", shortened(self.token_text())),
        };
        let near = match self.peek() {
            TokenKind::Word => {
                nearest(self.token_text(), RESERVED.iter().copied().filter(|word| word.len() > 3))
            }
            _ => None,
        };
        let help = match near {
            Some(near) if near != self.token_text() => format!("did you mean `{near}`"),
            _ => help.to_owned(),
        };
        let problem = Problem::error("M0801", self.span(), format!("expected {wanted}, found {found}"), help);
        self.refuse(problem)
    }
}

/// The start of a long token.
fn shortened(text: &str) -> String {
    if text.chars().count() <= 40 {
        return text.to_owned();
    }
    text.chars().take(40).chain(std::iter::once('…')).collect()
}

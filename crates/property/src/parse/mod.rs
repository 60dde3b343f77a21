//! Text to tree, by recursive descent with at most a few tokens of look-ahead. Reading never fails: what cannot be read
//! becomes [`Tree::Error`] with a problem, and reading goes on at the next item.

mod ambiguity;
mod doubtful;
mod formula;
mod happening;
mod item;
mod keyword;
mod mind;
mod operand;
mod prism;
mod psl;
mod query;
mod requirement;
mod results;
mod sentence;
mod spin;

use std::collections::BTreeSet;

use motet_source::work;
use motet_source::{FileId, Problem, Problems, Span, shortened};

use crate::syntax::{ClaimsFile, Comment, Dialect, Item, ItemNode, Node, Tree};
use crate::token::{Kind, Token, tokens};

/// How deep a formula may be nested. Everything that walks a tree recursively relies on it.
pub(crate) const DEPTH: u32 = 200;

/// After so many problems in one file the rest is not told.
const PROBLEMS: usize = 200;

/// Reads a claims file. Without a dialect the file's own `dialect` line decides, and Motet's is the default.
#[must_use]
pub fn parse(file: FileId, text: &str, dialect: Option<Dialect>) -> (ClaimsFile, Problems) {
    if dialect == Some(Dialect::Psl) {
        return parse_psl(file, text);
    }
    let (tokens, comments) = tokens(text);
    let mut parser = Parser::new(file, text, &tokens, Dialect::Motet);
    parser.bad_tokens(&comments);
    let mut items = Vec::new();
    let first = parser.dialect_line();
    let found = first.as_ref().and_then(|item| match item.node {
        ItemNode::Dialect(dialect) => Some(dialect),
        _ => None,
    });
    items.extend(first);
    let dialect = dialect.or(found).unwrap_or_default();
    parser.dialect = dialect;
    parser.precedence = dialect;
    match dialect {
        Dialect::Prism => parser.prism_items(&mut items),
        Dialect::Spin => parser.spin_items(&mut items),
        Dialect::Motet | Dialect::Psl => parser.items(&mut items),
    }
    let problems = parser.problems;
    mark_blank_lines(text, &mut items);
    let comments: Vec<Comment> = comments.iter().map(|token| comment(file, text, *token)).collect();
    if dialect == Dialect::Prism {
        results::attach(&comments, &mut items);
    }
    (ClaimsFile { file, dialect, items, comments }, problems)
}

/// Whether a file without a `dialect` line, beside a model of the PRISM language, is a PRISM property file: it is unless
/// one of its items starts with a word that only Motet's dialect knows (`property`, `possible`, `query`, `assume`,
/// `define`, `model`).
#[must_use]
pub fn looks_like_prism(text: &str) -> bool {
    let (tokens, _) = tokens(text);
    let mut parser = Parser::new(FileId(0), text, &tokens, Dialect::Motet);
    if parser.word() == "dialect" && parser.ahead(1) == Kind::Word {
        return parser.word_ahead(1) == "prism";
    }
    while parser.kind() != Kind::End {
        if parser.word() != "const" && parser.at_item() {
            return false;
        }
        parser.advance();
    }
    true
}

/// Reads one formula, as given after `-e`. The claim is called `formula`; one that asks for a number is a query.
#[must_use]
pub fn parse_formula(file: FileId, text: &str, dialect: Option<Dialect>) -> (ClaimsFile, Problems) {
    let dialect = dialect.unwrap_or_default();
    let (tokens, comments) = tokens(text);
    let mut parser = Parser::new(file, text, &tokens, dialect);
    parser.bad_tokens(&comments);
    let item = match dialect {
        Dialect::Psl => parser.psl_formula_item(),
        _ => parser.formula_item(),
    };
    (ClaimsFile { file, dialect, items: vec![item], comments: Vec::new() }, parser.problems)
}

/// Reads an AJPF property file as it is.
#[must_use]
pub fn parse_psl(file: FileId, text: &str) -> (ClaimsFile, Problems) {
    // Lines that start with `#` are comments there; blanks of the same length keep every position.
    let mut blanked = String::with_capacity(text.len());
    let mut hashes = Vec::new();
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with('#') {
            let start = blanked.len() + (line.len() - line.trim_start().len());
            hashes.push((start, blanked.len() + line.trim_end().len()));
            blanked
                .extend(line.chars().map(|c| if c == '\n' { "\n".into() } else { " ".repeat(c.len_utf8()) }));
        } else {
            blanked.push_str(line);
        }
    }
    let (tokens, comments) = tokens(&blanked);
    let mut parser = Parser::new(file, &blanked, &tokens, Dialect::Psl);
    parser.bad_tokens(&comments);
    let mut items = Vec::new();
    parser.psl_items(&mut items);
    let problems = parser.problems;
    mark_blank_lines(text, &mut items);
    let mut comments: Vec<Comment> = comments.iter().map(|token| comment(file, &blanked, *token)).collect();
    comments.extend(hashes.into_iter().map(|(start, end)| Comment {
        text: format!("//{}", text[start..end].trim_start_matches('#')),
        span: Span::new(file, start, end),
        after_blank: blank_before(text, start),
        own_line: true,
    }));
    comments.sort_by_key(|comment| comment.span);
    (ClaimsFile { file, dialect: Dialect::Psl, items, comments }, problems)
}

fn comment(file: FileId, text: &str, token: Token) -> Comment {
    let start = token.start as usize;
    Comment {
        text: token.text(text).trim_end().to_owned(),
        span: token.span(file),
        after_blank: blank_before(text, start),
        own_line: starts_line(text, start),
    }
}

fn mark_blank_lines(text: &str, items: &mut [Item]) {
    for item in items {
        item.after_blank = blank_before(text, item.span.start as usize);
    }
}

/// Whether nothing but blanks stands before this place on its line.
fn starts_line(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or("").trim_end_matches([' ', '\t', '\r']);
    before.is_empty() || before.ends_with('\n')
}

/// Whether an empty line stands directly before this place.
fn blank_before(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or("");
    let blanks = &before[before.trim_end().len()..];
    blanks.matches('\n').count() >= 2
}

/// The state of reading one file.
pub(crate) struct Parser<'t> {
    file: FileId,
    text: &'t str,
    tokens: &'t [Token],
    at: usize,
    depth: u32,
    /// Which words and items are known.
    dialect: Dialect,
    /// Whose precedence binds; differs from `dialect` only while a second reading is made for a message.
    precedence: Dialect,
    problems: Problems,
    /// Set from the first syntax error of an item to its end: what follows is mostly an echo.
    silent: bool,
    /// Spans of values that do not come from the file, such as `-D`, point at this place instead.
    fixed: Option<Span>,
    /// PRISM's labels and named properties in this file: `"goal"` stands for the definition `goal`.
    labels: BTreeSet<String>,
    /// The first binary operator of the present bracket that follows a bare prefix operator: M0210.
    ambiguity: Option<ambiguity::Ambiguity>,
    /// Whether `x [` may start an index; not in `P>=x [ F goal ]`.
    index: bool,
    /// Whether `+-` may stand in a sum; not in `expect = x +- y`.
    plus_minus: bool,
    /// Whether a prefix operator takes all that follows, even `U`: the other reading of `F a U b`.
    greedy: bool,
}

impl<'t> Parser<'t> {
    pub(crate) fn new(file: FileId, text: &'t str, tokens: &'t [Token], dialect: Dialect) -> Self {
        Self {
            file,
            text,
            tokens,
            at: 0,
            depth: 0,
            dialect,
            precedence: dialect,
            problems: Problems::new(),
            silent: false,
            fixed: None,
            labels: BTreeSet::new(),
            ambiguity: None,
            index: true,
            plus_minus: true,
            greedy: false,
        }
    }

    fn token(&self) -> Token {
        work::step();
        self.tokens[self.at]
    }

    fn kind(&self) -> Kind {
        self.token().kind
    }

    /// The kind of the token `ahead` places on.
    fn ahead(&self, ahead: usize) -> Kind {
        work::step();
        self.tokens.get(self.at + ahead).map_or(Kind::End, |token| token.kind)
    }

    fn text_of(&self, token: Token) -> &'t str {
        token.text(self.text)
    }

    /// The present word, or nothing when the present token is no word.
    fn word(&self) -> &'t str {
        self.word_ahead(0)
    }

    fn word_ahead(&self, ahead: usize) -> &'t str {
        work::step();
        match self.tokens.get(self.at + ahead) {
            Some(token) if token.kind == Kind::Word => self.text_of(*token),
            _ => "",
        }
    }

    fn span(&self) -> Span {
        self.fixed.unwrap_or_else(|| self.token().span(self.file))
    }

    /// The span of the token before the present one.
    fn last_span(&self) -> Span {
        let last = self.tokens[self.at.saturating_sub(1)];
        self.fixed.unwrap_or_else(|| last.span(self.file))
    }

    /// From the start of `from` to the last token read.
    fn since(&self, from: Span) -> Span {
        let last = self.last_span();
        if last.start < from.start { from } else { from.to(last) }
    }

    fn advance(&mut self) -> Token {
        let token = self.token();
        if token.kind != Kind::End {
            self.at += 1;
        }
        token
    }

    /// Reads a token and gives its text.
    fn take(&mut self) -> &'t str {
        let token = self.advance();
        self.text_of(token)
    }

    fn eat(&mut self, kind: Kind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.advance();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.word() == word;
        if found {
            self.advance();
        }
        found
    }

    /// Reads a token of this kind or says that it is missing.
    fn require(&mut self, kind: Kind, what: &str) -> bool {
        let found = self.eat(kind);
        if !found {
            self.unexpected(what);
        }
        found
    }

    /// Says that something else was expected here.
    fn unexpected(&mut self, what: &str) {
        let token = self.token();
        if token.kind == Kind::Unknown {
            // Reported as M0201 already.
            self.silent = true;
            return;
        }
        if !self.silent && self.suggest_keyword(what) {
            return;
        }
        let ends = token.kind == Kind::End || (self.dialect == Dialect::Motet && self.at_item());
        if ends && self.at > 0 {
            let last = shortened(self.text_of(self.tokens[self.at - 1]));
            let message = format!("expected {what} after `{last}`, and nothing follows");
            let help = "write the missing operand or closing bracket";
            self.syntax_error(Problem::error("M0202", self.last_span(), message, help));
            return;
        }
        let found = match token.kind {
            Kind::End => "the end of the text".to_owned(),
            _ => format!("`{}`", shortened(self.text_of(token))),
        };
        let help = match token.kind {
            Kind::Close | Kind::CloseSquare | Kind::CloseCurly => {
                "look for a bracket that is closed too early or too often"
            }
            _ => match self.at.checked_sub(1).map(|before| self.text_of(self.tokens[before])) {
                // `knows p` was read as something called `knows`.
                Some("knows") => "say who knows it, as in `Bob knows (p)`",
                Some("believes") => "say who believes it, as in `Bob believes p`",
                _ => "write the missing part, or take this out",
            },
        };
        self.syntax_error(Problem::error(
            "M0202",
            self.span(),
            format!("expected {what}, found {found}"),
            help,
        ));
    }

    /// Reports a syntax error unless the item has one already.
    fn syntax_error(&mut self, problem: Problem) {
        if !self.silent {
            self.report(problem);
        }
        self.silent = true;
    }

    /// Reports a problem that does not disturb reading.
    fn report(&mut self, problem: Problem) {
        if self.problems.len() < PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// A node with its depth; one that is too deep is replaced, so that trees stay safe to walk.
    fn node(&mut self, tree: Tree, span: Span) -> Node {
        let mut node = Node { tree, span, depth: 0 };
        let mut deepest = 0;
        node.each_child(&mut |child| deepest = deepest.max(child.depth));
        node.depth = deepest + 1;
        if node.depth > DEPTH {
            self.too_deep(span);
            return Node { tree: Tree::Error, span, depth: 1 };
        }
        node
    }

    fn error_node(&self) -> Node {
        Node { tree: Tree::Error, span: self.span(), depth: 1 }
    }

    fn too_deep(&mut self, span: Span) {
        let message = format!("the formula is nested deeper than {DEPTH} levels");
        self.syntax_error(Problem::error("M0205", span, message, "name parts of it with `define`"));
    }

    /// Runs `read` one level deeper, or gives up on the item when that is too deep.
    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Node) -> Node {
        if self.depth >= DEPTH {
            self.too_deep(self.span());
            self.skip_item();
            return self.error_node();
        }
        self.depth += 1;
        let node = read(self);
        self.depth -= 1;
        node
    }

    /// Says which characters, strings and comments are broken.
    fn bad_tokens(&mut self, comments: &[Token]) {
        for token in comments {
            let text = self.text_of(*token);
            if token.kind == Kind::BlockComment && (text.len() < 4 || !text.ends_with("*/")) {
                let span = token.span(self.file);
                self.report(Problem::error("M0201", span, "this comment has no end", "close it with `*/`"));
            }
        }
        for token in self.tokens {
            let (text, span) = (self.text_of(*token), token.span(self.file));
            match token.kind {
                Kind::Unknown => {
                    let message = format!("`{}` means nothing in a claim", shortened(text));
                    let help = "take it out, or put a name that contains it in back-ticks";
                    self.report(Problem::error("M0201", span, message, help));
                }
                Kind::Text if text.len() < 2 || !text.ends_with('"') => {
                    let help = "close it with `\"` on the same line";
                    self.report(Problem::error("M0201", span, "this text has no end", help));
                }
                Kind::Quoted if text.len() < 3 || !text.ends_with('`') => {
                    let help = "close it with a back-tick on the same line; it must not be empty";
                    self.report(Problem::error("M0201", span, "this name has no end", help));
                }
                _ => {}
            }
        }
    }
}

/// The inside of a string token.
pub(crate) fn unquoted(text: &str) -> String {
    let inner = text.strip_prefix('"').unwrap_or(text);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match (c, chars.clone().next()) {
            ('\\', Some(next @ ('"' | '\\'))) => {
                out.push(next);
                chars.next();
            }
            _ => out.push(c),
        }
    }
    out
}

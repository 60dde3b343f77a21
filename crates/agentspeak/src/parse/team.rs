//! Team files: members, mode, bounds, trust, stubs and the environment.

use motet_source::{FileId, Parse, Parser as _, Problems, Span, Spanned, suggest, unquoted};

use crate::lexer::TokenKind;
use crate::syntax::{Direction, MemberTree, StubAnswer, StubTree, TeamTree, TrustTree, TrustedTree};

use super::cursor::Cursor;

pub(crate) const TEAM_ITEMS: [&str; 7] = ["team", "mode", "agent", "bound", "trust", "stub", "env"];

/// Reads a team file.
#[must_use]
pub fn parse_team(file: FileId, text: &str) -> (TeamTree, Problems) {
    let mut cursor = Cursor::new(file, text, "M0512");
    let mut tree = TeamTree::default();
    while !cursor.at_end() {
        if cursor.team_item(&mut tree).is_err() {
            cursor.skip_until(|cursor| cursor.at_margin() && cursor.peek() == TokenKind::Name);
        }
        cursor.eat(TokenKind::Semicolon);
    }
    (tree, cursor.into_problems())
}

impl Cursor<'_> {
    fn team_item(&mut self, tree: &mut TeamTree) -> Parse<()> {
        let start = self.span();
        let word = self.token_text();
        if self.peek() != TokenKind::Name || !TEAM_ITEMS.contains(&word) {
            let help = match suggest(word, TEAM_ITEMS) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("a team file consists of {}", TEAM_ITEMS.join(", ")),
            };
            let refused = self.unexpected("an item of the team", &help);
            self.bump();
            return Err(refused);
        }
        self.bump();
        match word {
            "team" => {
                let name = self.name("the team's name", "write `team NAME`")?;
                self.once(tree.name.as_ref().map(|name| name.span), name.span, "team");
                tree.name.get_or_insert(name);
            }
            "mode" => {
                let mode = self.name("`strict` or `jason`", "write `mode strict` or `mode jason`")?;
                self.once(tree.mode.as_ref().map(|mode| mode.span), mode.span, "mode");
                tree.mode.get_or_insert(mode);
            }
            "agent" => {
                let member = self.member_line()?;
                tree.agents.push(member);
            }
            "bound" => {
                let name = self.name("what is bounded", "write `bound events = 8`")?;
                self.expect(TokenKind::Equal, "`=`", "write `bound events = 8`")?;
                if self.peek() != TokenKind::Int {
                    return Err(self.unexpected("a number", "write `bound events = 8`"));
                }
                tree.bounds.push((name, self.integer()?));
            }
            "trust" => {
                let trust = self.trust(start)?;
                tree.trust.push(trust);
            }
            "stub" => {
                let stub = self.stub(start)?;
                tree.stubs.push(stub);
            }
            _ => {
                let environment = self.environment(start)?;
                let before = tree.environment.as_ref().map(|before| before.name.span);
                self.once(before, environment.name.span, "env");
                tree.environment.get_or_insert(environment);
            }
        }
        Ok(())
    }

    /// Some items may stand once only; the first one counts.
    fn once(&mut self, before: Option<Span>, now: Span, word: &str) {
        let Some(before) = before else { return };
        let problem = motet_source::Problem::error(
            "M0513",
            now,
            format!("a second `{word}` in one team file"),
            "keep one of them",
        );
        self.report(problem.also(before, "the first one"));
    }

    /// `agent worker: worker.asl * 3`
    fn member_line(&mut self) -> Parse<MemberTree> {
        let help = "write `agent ag1`, `agent bob: worker.asl` or `agent worker: worker.asl * 3`";
        let name = self.name("the agent's name", help)?;
        let file = if self.eat(TokenKind::Colon) { Some(self.path(help)?) } else { None };
        let mut count = None;
        if self.eat(TokenKind::Star) {
            if self.peek() != TokenKind::Int {
                return Err(self.unexpected("how many", help));
            }
            count = Some(self.integer()?);
        }
        Ok(MemberTree { name, file, count, extra: None })
    }

    /// A path, bare or in quotes. Bare paths end at the first blank.
    pub(crate) fn path(&mut self, help: &str) -> Parse<Spanned<String>> {
        if self.peek() == TokenKind::Text {
            let text = self.bump();
            return Ok(Spanned::new(unquoted(text.node), text.span));
        }
        let is_part = |kind: TokenKind| {
            matches!(
                kind,
                TokenKind::Name
                    | TokenKind::Variable
                    | TokenKind::Dotted
                    | TokenKind::Internal
                    | TokenKind::Int
                    | TokenKind::Real
                    | TokenKind::Slash
                    | TokenKind::Minus
                    | TokenKind::Dot
                    | TokenKind::DotDot
                    | TokenKind::Anonymous
            )
        };
        if !is_part(self.peek()) {
            return Err(self.unexpected("a file", help));
        }
        let first = self.bump();
        let mut path = Spanned::new(first.node.to_owned(), first.span);
        while is_part(self.peek()) && self.is_adjacent() {
            let part = self.bump();
            path = Spanned::new(path.node + part.node, path.span.to(part.span));
        }
        Ok(path)
    }

    /// `trust achieve * -> ag3: only bid_normally(_)`
    fn trust(&mut self, start: Span) -> Parse<TrustTree> {
        let help =
            "write `trust tell: all`, `trust tell ag1 -> ag2: none` or `trust achieve * -> ag3: only p(_)`";
        let force = self.name("`tell` or `achieve`", help)?;
        let (mut sender, mut receiver) = (None, None);
        if self.peek() != TokenKind::Colon {
            sender = self.party(help)?;
            self.expect(TokenKind::Implies, "`->`", help)?;
            receiver = self.party(help)?;
        }
        self.expect(TokenKind::Colon, "`:`", help)?;
        let what = match self.token_text() {
            "all" => TrustedTree::All,
            "none" => TrustedTree::None,
            "only" => {
                self.bump();
                let mut patterns = vec![self.literal()?];
                while self.eat(TokenKind::Comma) {
                    patterns.push(self.literal()?);
                    self.check_items(patterns.len())?;
                }
                let what = TrustedTree::Only(patterns);
                return Ok(TrustTree { force, sender, receiver, what, span: start.to(self.last_span()) });
            }
            _ => return Err(self.unexpected("`all`, `none` or `only`", help)),
        };
        self.bump();
        Ok(TrustTree { force, sender, receiver, what, span: start.to(self.last_span()) })
    }

    /// An agent, or `*` for any.
    fn party(&mut self, help: &str) -> Parse<Option<Spanned<String>>> {
        if self.eat(TokenKind::Star) { Ok(None) } else { self.name("an agent or `*`", help).map(Some) }
    }

    /// `stub jia.dist(+X, +Y, -D) in 0..20`
    fn stub(&mut self, start: Span) -> Parse<StubTree> {
        let help =
            "write `stub jia.dist(+X, +Y, -D) in 0..20`, `.. = abs(X - Y)`, `.. in {a, b}` or `.. either`";
        if !matches!(self.peek(), TokenKind::Dotted | TokenKind::Internal) {
            return Err(self.unexpected("an internal action", help));
        }
        let name = self.bump();
        let name = Spanned::new(name.node.to_owned(), name.span);
        let mut params = Vec::new();
        if self.eat(TokenKind::Open) && !self.eat(TokenKind::Close) {
            loop {
                params.push(self.stub_parameter(help)?);
                self.check_items(params.len())?;
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::Close, "`,` or `)`", help)?;
        }
        let answer = if self.eat_word("either") {
            StubAnswer::Either
        } else if self.eat(TokenKind::Equal) {
            StubAnswer::Value(self.world_expression()?)
        } else if self.eat_word("in") {
            self.answers(help)?
        } else {
            StubAnswer::Succeeds
        };
        Ok(StubTree { name, params, answer, span: start.to(self.last_span()) })
    }

    fn answers(&mut self, help: &str) -> Parse<StubAnswer> {
        if !self.eat(TokenKind::OpenBrace) {
            let low = self.world_bound()?;
            self.expect(TokenKind::DotDot, "`..`", help)?;
            return Ok(StubAnswer::Range(low, self.world_bound()?));
        }
        let mut values = Vec::new();
        loop {
            self.new_chain();
            values.push(self.term()?);
            self.check_items(values.len())?;
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::CloseBrace, "`,` or `}`", help)?;
        Ok(StubAnswer::OneOf(values))
    }

    fn stub_parameter(&mut self, help: &str) -> Parse<(Direction, Option<Spanned<String>>)> {
        let direction = match self.peek() {
            TokenKind::Plus => Direction::In,
            TokenKind::Minus => Direction::Out,
            _ => return Err(self.unexpected("`+` or `-`", help)),
        };
        self.bump();
        let named = matches!(self.peek(), TokenKind::Name | TokenKind::Variable);
        let name = if named { Some(self.name("a name", help)?) } else { None };
        Ok((direction, name))
    }
}

//! Terms, literals and conditions. In AgentSpeak `(p(X))` is a term or a condition depending on what follows, so both
//! are read by one grammar and told apart by the operators around them; no text is ever read twice.

use motet_source::{Parse, Parser as _, Span, Spanned, unquoted};

use crate::lexer::TokenKind;
use crate::syntax::{
    ArithmeticOperator, ConditionTree, InternalArgument, InternalTree, Literal, RelationOperator, TermKind,
    TermTree,
};

use super::cursor::Cursor;

/// A term or a condition.
pub(crate) enum Mixed {
    Term(TermTree),
    Condition(ConditionTree, Span),
}

impl Mixed {
    fn span(&self) -> Span {
        match self {
            Mixed::Term(term) => term.span,
            Mixed::Condition(_, span) => *span,
        }
    }
}

const WHAT_IS_A_TERM: &str =
    "a term is a constant, a number, a text, a variable, a list or a structure `p(x)`";

const WHAT_IS_A_CONDITION: &str =
    "a condition is a belief `p(X)`, a relation `X > 3`, an internal action or a combination of these";

impl Cursor<'_> {
    /// A condition: a plan's context, a rule's body, a test.
    pub(crate) fn condition(&mut self) -> Parse<ConditionTree> {
        self.new_chain();
        if matches!(
            self.peek(),
            TokenKind::Arrow | TokenKind::Dot | TokenKind::Close | TokenKind::CloseBrace | TokenKind::End
        ) {
            return Err(self.unexpected("a condition", WHAT_IS_A_CONDITION));
        }
        let mixed = self.disjunction()?;
        self.as_condition(mixed)
    }

    /// A term.
    pub(crate) fn term(&mut self) -> Parse<TermTree> {
        let mixed = self.nested(Self::disjunction)?;
        self.as_term(mixed)
    }

    fn disjunction(&mut self) -> Parse<Mixed> {
        let mut left = self.conjunction()?;
        while matches!(self.peek(), TokenKind::Or | TokenKind::OrOr) {
            let operator = self.bump().span;
            self.link(operator)?;
            let right = self.conjunction()?;
            let span = left.span().to(right.span());
            let (a, b) = (self.as_condition(left)?, self.as_condition(right)?);
            left = Mixed::Condition(ConditionTree::Or(Box::new(a), Box::new(b)), span);
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Parse<Mixed> {
        let mut left = self.negation()?;
        while matches!(self.peek(), TokenKind::And | TokenKind::AndAnd) {
            let operator = self.bump().span;
            self.link(operator)?;
            let right = self.negation()?;
            let span = left.span().to(right.span());
            let (a, b) = (self.as_condition(left)?, self.as_condition(right)?);
            left = Mixed::Condition(ConditionTree::And(Box::new(a), Box::new(b)), span);
        }
        Ok(left)
    }

    fn negation(&mut self) -> Parse<Mixed> {
        if !self.is_word("not") {
            return self.relation();
        }
        let start = self.bump().span;
        let mixed = self.nested(Self::negation)?;
        let span = start.to(mixed.span());
        let condition = self.as_condition(mixed)?;
        Ok(Mixed::Condition(ConditionTree::Not(Box::new(condition), span), span))
    }

    /// A relation, or what stands for itself.
    pub(crate) fn relation(&mut self) -> Parse<Mixed> {
        let left = self.sum()?;
        let operator = match self.peek() {
            TokenKind::Equal => RelationOperator::Unify,
            TokenKind::EqualEqual => RelationOperator::Equal,
            TokenKind::Different => RelationOperator::Different,
            TokenKind::Less => RelationOperator::Less,
            TokenKind::LessEqual => RelationOperator::LessEqual,
            TokenKind::Greater => RelationOperator::Greater,
            TokenKind::GreaterEqual => RelationOperator::GreaterEqual,
            TokenKind::Decompose => RelationOperator::Decompose,
            TokenKind::NotEqual => {
                return Err(self.unexpected("a relation", "\"different from\" is written `\\==`"));
            }
            _ => return Ok(left),
        };
        self.bump();
        let right = self.sum()?;
        let span = left.span().to(right.span());
        let (a, b) = (self.as_term(left)?, self.as_term(right)?);
        Ok(Mixed::Condition(ConditionTree::Relation(operator, a, b), span))
    }

    fn sum(&mut self) -> Parse<Mixed> {
        let mut left = self.product()?;
        loop {
            let operator = match self.peek() {
                // A sign at the margin opens the next plan after a forgotten full stop.
                TokenKind::Plus | TokenKind::Minus if self.at_margin() => return Ok(left),
                TokenKind::Plus => ArithmeticOperator::Add,
                TokenKind::Minus => ArithmeticOperator::Subtract,
                _ => return Ok(left),
            };
            left = self.binary(operator, left, Self::product)?;
        }
    }

    fn product(&mut self) -> Parse<Mixed> {
        let mut left = self.power()?;
        loop {
            let operator = match self.peek() {
                TokenKind::Star => ArithmeticOperator::Multiply,
                TokenKind::Slash => ArithmeticOperator::Divide,
                TokenKind::Name if self.token_text() == "div" => ArithmeticOperator::IntegerDivide,
                TokenKind::Name if self.token_text() == "mod" => ArithmeticOperator::Modulo,
                _ => return Ok(left),
            };
            left = self.binary(operator, left, Self::power)?;
        }
    }

    fn power(&mut self) -> Parse<Mixed> {
        let base = self.signed()?;
        if self.peek() != TokenKind::StarStar {
            return Ok(base);
        }
        // Right associative: `2 ** 3 ** 2` is `2 ** 9`.
        self.binary(ArithmeticOperator::Power, base, |cursor| cursor.nested(Self::power))
    }

    fn binary(
        &mut self,
        operator: ArithmeticOperator,
        left: Mixed,
        operand: impl FnOnce(&mut Self) -> Parse<Mixed>,
    ) -> Parse<Mixed> {
        let sign = self.bump().span;
        self.link(sign)?;
        let right = operand(self)?;
        let span = left.span().to(right.span());
        let (a, b) = (self.as_term(left)?, self.as_term(right)?);
        Ok(Mixed::Term(TermTree { kind: TermKind::Binary(operator, Box::new(a), Box::new(b)), span }))
    }

    fn signed(&mut self) -> Parse<Mixed> {
        if self.peek() != TokenKind::Minus {
            return self.primary();
        }
        let sign = self.bump().span;
        let mixed = self.nested(Self::signed)?;
        let operand = self.as_term(mixed)?;
        let span = sign.to(operand.span);
        let kind = match operand.kind {
            TermKind::Int(value) => TermKind::Int(-value),
            _ => TermKind::Negative(Box::new(operand)),
        };
        Ok(Mixed::Term(TermTree { kind, span }))
    }

    fn primary(&mut self) -> Parse<Mixed> {
        let start = self.span();
        let kind = match self.peek() {
            TokenKind::Variable => {
                let name = self.bump().node.to_owned();
                self.refuse_variable_parts(start)?;
                TermKind::Variable(name)
            }
            TokenKind::Anonymous => {
                self.bump();
                TermKind::Anonymous
            }
            TokenKind::Int => TermKind::Int(self.integer()?.node),
            TokenKind::Real => TermKind::Real(self.bump().node.to_owned()),
            TokenKind::Text => TermKind::Text(unquoted(self.bump().node)),
            TokenKind::OpenBracket => return self.list().map(Mixed::Term),
            TokenKind::Open => {
                self.bump();
                let inner = self.nested(Self::disjunction)?;
                self.expect(TokenKind::Close, "`)`", "every `(` needs its `)`")?;
                return Ok(inner);
            }
            TokenKind::Internal | TokenKind::Dotted => {
                let internal = self.internal()?;
                let span = internal.span;
                return Ok(Mixed::Condition(ConditionTree::Internal(internal), span));
            }
            TokenKind::Name | TokenKind::Tilde => {
                let literal = self.literal()?;
                let span = literal.span;
                return Ok(Mixed::Term(TermTree { kind: TermKind::Structure(Box::new(literal)), span }));
            }
            TokenKind::OpenBrace => {
                return Err(self.refuse(
                    "M0406",
                    start,
                    "a plan body as an argument is not supported",
                    "give the body a plan of its own and name its goal",
                ));
            }
            _ => return Err(self.unexpected("a term", WHAT_IS_A_TERM)),
        };
        Ok(Mixed::Term(TermTree { kind, span: start }))
    }

    /// `X[source(S)]`, `X(a)` and `N::p` are Jason's; none has a meaning here.
    fn refuse_variable_parts(&mut self, variable: Span) -> Parse<()> {
        let (message, help) = match self.peek() {
            TokenKind::OpenBracket => {
                ("a variable cannot carry annotations", "annotate the literal it stands for")
            }
            TokenKind::Open if self.is_adjacent() => {
                ("a variable cannot be a functor", "write one plan or condition per name")
            }
            TokenKind::ColonColon => {
                ("namespaces are not supported", "put the namespace into the name: `ns_p`")
            }
            _ => return Ok(()),
        };
        Err(self.refuse("M0406", variable.to(self.span()), message, help))
    }

    fn list(&mut self) -> Parse<TermTree> {
        let start = self.bump().span;
        let mut items = Vec::new();
        let mut tail = None;
        if self.peek() != TokenKind::CloseBracket {
            loop {
                // A bar inside a list is its tail, so elements stop at it.
                let element = self.nested(Self::conjunction)?;
                items.push(self.as_term(element)?);
                self.check_items(items.len())?;
                if self.eat(TokenKind::Or) {
                    let rest = self.nested(Self::conjunction)?;
                    tail = Some(Box::new(self.as_term(rest)?));
                    break;
                }
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
        }
        let end = self.expect(TokenKind::CloseBracket, "`]`", "a list is written `[a, b]` or `[H | T]`")?;
        Ok(TermTree { kind: TermKind::List(items, tail), span: start.to(end) })
    }

    /// `[~]name(args)[annotations]`
    pub(crate) fn literal(&mut self) -> Parse<Literal> {
        let start = self.span();
        let strongly_negated = self.eat(TokenKind::Tilde);
        let name = match self.peek() {
            TokenKind::Name => self.bump(),
            TokenKind::Variable | TokenKind::Anonymous => {
                let message = format!("`{}` stands where a literal has to be named", self.token_text());
                return Err(self.refuse(
                    "M0408",
                    self.span(),
                    message,
                    "start the name with a small letter, or write one formula per name the variable may have",
                ));
            }
            _ => return Err(self.unexpected("a name", "names start with a small letter: `bid(ag2, 4)`")),
        };
        if self.peek() == TokenKind::ColonColon {
            return Err(self.refuse(
                "M0406",
                self.span(),
                "namespaces are not supported",
                "put the namespace into the name: `ns_p`",
            ));
        }
        let mut args = Vec::new();
        if self.peek() == TokenKind::Open {
            args = self.arguments(Self::term)?;
        }
        let annotations = self.annotations()?;
        let name = Spanned::new(name.node.to_owned(), name.span);
        Ok(Literal { strongly_negated, name, args, annotations, span: start.to(self.last_span()) })
    }

    /// `[a, b]` behind a literal or a label.
    pub(crate) fn annotations(&mut self) -> Parse<Vec<TermTree>> {
        if self.peek() != TokenKind::OpenBracket {
            return Ok(Vec::new());
        }
        let list = self.nested(Self::list)?;
        match list.kind {
            TermKind::List(items, None) => Ok(items),
            _ => Err(self.refuse("M0406", list.span, "annotations cannot have a tail", "write `[a, b]`")),
        }
    }

    /// `(x, y)`; `()` is no argument.
    fn arguments<T>(&mut self, mut argument: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        self.bump();
        let mut args = Vec::new();
        if self.eat(TokenKind::Close) {
            return Ok(args);
        }
        loop {
            args.push(argument(self)?);
            self.check_items(args.len())?;
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Close, "`,` or `)`", "arguments are separated by commas and closed by `)`")?;
        Ok(args)
    }

    /// `.send(A, tell, p)`, `jia.dist(X, Y, D)`
    pub(crate) fn internal(&mut self) -> Parse<InternalTree> {
        let name = self.bump();
        let mut args = Vec::new();
        if self.peek() == TokenKind::Open {
            args = self.arguments(|cursor| match cursor.nested(Self::disjunction)? {
                Mixed::Term(term) => Ok(InternalArgument::Term(term)),
                Mixed::Condition(condition, _) => Ok(InternalArgument::Condition(condition)),
            })?;
        }
        let span = name.span.to(self.last_span());
        if self.peek() == TokenKind::OpenBracket {
            return Err(self.refuse(
                "M0406",
                self.span(),
                "annotations on an internal action are not supported",
                "leave them out",
            ));
        }
        Ok(InternalTree { name: Spanned::new(name.node.to_owned(), name.span), args, span })
    }

    fn as_term(&mut self, mixed: Mixed) -> Parse<TermTree> {
        match mixed {
            Mixed::Term(term) => Ok(term),
            Mixed::Condition(ConditionTree::Internal(internal), span) => Err(self.refuse(
                "M0406",
                span,
                format!("`{}` cannot be used as a function", internal.name.node),
                format!("call it first, with a variable for its result: `{}(.., R)`", internal.name.node),
            )),
            Mixed::Condition(_, span) => {
                Err(self.refuse("M0402", span, "a condition stands where a term is needed", WHAT_IS_A_TERM))
            }
        }
    }

    pub(crate) fn as_condition(&mut self, mixed: Mixed) -> Parse<ConditionTree> {
        let term = match mixed {
            Mixed::Condition(condition, _) => return Ok(condition),
            Mixed::Term(term) => term,
        };
        match term.kind {
            TermKind::Structure(literal) if is_word(&literal, "true") => Ok(ConditionTree::True(term.span)),
            TermKind::Structure(literal) if is_word(&literal, "false") => Ok(ConditionTree::False(term.span)),
            TermKind::Structure(literal) => Ok(ConditionTree::Belief(*literal)),
            TermKind::Variable(name) => Err(self.refuse(
                "M0408",
                term.span,
                format!("`{name}` stands where a condition is needed"),
                WHAT_IS_A_CONDITION,
            )),
            _ => Err(self.refuse(
                "M0402",
                term.span,
                "a term stands where a condition is needed",
                WHAT_IS_A_CONDITION,
            )),
        }
    }
}

/// Whether a literal is a bare word.
pub(crate) fn is_word(literal: &Literal, word: &str) -> bool {
    literal.name.node == word
        && !literal.strongly_negated
        && literal.args.is_empty()
        && literal.annotations.is_empty()
}

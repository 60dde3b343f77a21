//! Aspects, roles and mediators: what construction replaces by nets.

use motet_source::Parse;

use super::Parser;
use super::net::{Blocks, Standing};
use crate::lexer::TokenKind;
use crate::syntax::{
    Advice, AdviceRole, Aspect, Mediator, MediatorRow, Member, Place, Role, RowMessage, Weave,
};

const ADVICE: Blocks = Blocks { next: |parser| parser.at_member(), outer: |parser| parser.at_weave() };
const WEAVES: Blocks = Blocks { next: |parser| parser.at_weave(), outer: |_| false };
const ROWS: Blocks = Blocks { next: |parser| parser.at_row() || parser.at_place(), outer: |_| false };

/// A part of a mediator.
enum Planned {
    Place(Place),
    Row(MediatorRow),
}

/// A part of an aspect.
enum Part {
    Advice(Vec<Advice>),
    Weave(Weave),
}

impl Parser<'_> {
    fn at_weave(&self) -> bool {
        self.is_word("weave") && self.at_member()
    }

    /// `aspect A { advice { ... } weave N { ... } }`
    pub(super) fn aspect(&mut self) -> Parse<Aspect> {
        let start = self.span();
        self.bump();
        let name = self.name("the name of an aspect")?;
        let parts = self.block("this aspect", WEAVES, Self::aspect_part)?;
        let (mut advice, mut weaves) = (Vec::new(), Vec::new());
        for part in parts {
            match part {
                Part::Advice(parts) => advice.extend(parts),
                Part::Weave(weave) => weaves.push(weave),
            }
        }
        Ok(Aspect { name, advice, weaves, span: self.since(start) })
    }

    fn aspect_part(&mut self) -> Parse<Part> {
        if self.eat_word("advice") {
            return Ok(Part::Advice(self.block("this advice", ADVICE, Self::advice)?));
        }
        if self.is_word("weave") {
            return Ok(Part::Weave(self.weave()?));
        }
        Err(self
            .unexpected("`advice` or `weave`", "an aspect is `aspect A { advice { ... } weave N { ... } }`"))
    }

    fn advice(&mut self) -> Parse<Advice> {
        if self.eat_word("pointcut") {
            let member = self.member(Standing::Pointcut)?;
            return Ok(Advice { member, role: AdviceRole::Pointcut });
        }
        let member = self.member(Standing::Real)?;
        Ok(Advice { member, role: AdviceRole::Added })
    }

    /// `weave N as prefix_ { pointcut -> join, ... }`
    fn weave(&mut self) -> Parse<Weave> {
        let start = self.span();
        self.bump();
        let target = self.name("the name of a net")?;
        let prefix = if self.eat_word("as") { Some(self.name("a prefix")?) } else { None };
        self.expect(TokenKind::OpenBrace, "`{`", "write `weave N { pointcut -> join }`")?;
        let joins = self.list(TokenKind::CloseBrace, "`}`", |parser| {
            let pointcut = parser.name("a pointcut")?;
            parser.expect(TokenKind::Arrow, "`->` and a join point", "write `pointcut -> join`")?;
            Ok((pointcut, parser.name("a join point")?))
        })?;
        Ok(Weave { target, prefix, joins, span: self.since(start) })
    }

    /// `role R(me: T) permits a, b starts e;`
    pub(super) fn role(&mut self) -> Parse<Role> {
        let start = self.span();
        self.bump();
        let name = self.name("the name of a role")?;
        let parameters = self.fields("who has the role: `(me: NAME)`")?;
        self.expect_word("permits", "write `role R(me: NAME) permits read_, write_ starts (...);`")?;
        let permits = self.names("an action")?;
        let starts = if self.eat_word("starts") { Some(self.formula()?) } else { None };
        self.semicolon("the role")?;
        Ok(Role { name, parameters, permits, starts, span: self.since(start) })
    }

    fn at_row(&self) -> bool {
        self.ahead(1) == TokenKind::Dot
    }

    fn at_place(&self) -> bool {
        (self.is_word("place") || self.is_word("cell")) && self.at_member()
    }

    /// `mediator M from A, B { places and rows }`
    pub(super) fn mediator(&mut self) -> Parse<Mediator> {
        let start = self.span();
        self.bump();
        let name = self.name("the name of the mediator")?;
        self.expect_word("from", "write `mediator M from A, B { ... }`")?;
        let agents = self.names("the name of an agent net")?;
        let parts = self.block("this mediator", ROWS, Self::mediator_part)?;
        let (mut places, mut rows) = (Vec::new(), Vec::new());
        for part in parts {
            match part {
                Planned::Place(place) => places.push(place),
                Planned::Row(row) => rows.push(row),
            }
        }
        Ok(Mediator { name, agents, places, rows, span: self.since(start) })
    }

    fn mediator_part(&mut self) -> Parse<Planned> {
        if self.at_place()
            && let Member::Place(place) = self.member(Standing::Real)?
        {
            return Ok(Planned::Place(place));
        }
        self.mediator_row().map(Planned::Row)
    }

    /// `Diesel.Park : Park in_station -> parked msg pumping_station also spare(s);`
    fn mediator_row(&mut self) -> Parse<MediatorRow> {
        let help = "a row is `Net.transition : coordinator before -> after msg place also places;`";
        let net = self.name("the name of an agent net")?;
        self.expect(TokenKind::Dot, "`.` and a transition", help)?;
        let transition = self.name("a transition of that net")?;
        self.expect(TokenKind::Colon, "`:` and the coordinator", help)?;
        let coordinator = self.name("the name of the coordinator")?;
        let before = self.name("the place where the agent is before")?;
        self.expect(TokenKind::Arrow, "`->` and the place afterwards", help)?;
        let after = self.name("the place where the agent is afterwards")?;
        let message = if self.eat_word("msg") {
            RowMessage::Place(self.name("the place of the message")?)
        } else if self.eat_word("says") {
            let mut values = vec![self.formula()?];
            while self.eat(TokenKind::Comma) {
                values.push(self.formula()?);
            }
            RowMessage::Values(values)
        } else {
            RowMessage::Rule
        };
        let also = if self.is_word("also") { self.arcs_in(|arcs| arcs)? } else { Vec::new() };
        self.semicolon("the row")?;
        let span = self.since(net.span);
        Ok(MediatorRow { net, transition, coordinator, before, after, message, also, span })
    }
}

//! What happens, and how often.
//!
//! What is said of a state is so for a stretch of moments, and each longest stretch is one time; a stretch at the start is
//! one, too. What happens in a step (a message is sent, a transition fires) is true in the one state that the step led to,
//! and each such state is one time. Both are sugar: a count is so many untils, one inside the other.

use motet_model::{AtomId, AtomText, Expr};
use motet_source::Problem;

use super::connect::{and, constant, implies, not, or};
use super::requirement::at_edges;
use super::{Env, Lowering};
use crate::formula::{Change, Formula, Interval, Past, Path, Relation, Until};
use crate::print::surface;
use crate::syntax::{Count, Node, Passing, Scope, Tally, Times, Tree};

type Lowered = Path<AtomId>;

/// A count is written out; beyond this nobody would read the answer.
const MOST_TIMES: i64 = 100;

/// The word, as a name with one argument.
pub(super) const BECOMES: &str = "becomes";

/// What one time of something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Happens {
    /// A longest stretch of moments.
    Stretch,
    /// One state.
    State,
}

impl<'a> Lowering<'a> {
    /// What happens, and how often.
    pub(super) fn happening(&mut self, node: &'a Node, env: &Env<'a>) -> Lowered {
        match &node.tree {
            Tree::EachTime(trigger, timing, response) => {
                let answer = self.answer(timing, response, env);
                self.each_time(trigger, answer, env)
            }
            Tree::Becomes(_, what) => self.becomes(what, env),
            Tree::Again(what) => self.again(what, env),
            Tree::Counted(count) => self.counted(node, count, env),
            Tree::Passes(passing, _, from, to, content) => {
                self.passes(node, *passing, (from, to), content, env)
            }
            _ => constant(true),
        }
    }

    /// `p`, and in the state before not: at the start nothing becomes.
    pub(super) fn becomes(&mut self, what: &'a Node, env: &Env<'a>) -> Lowered {
        let what = match truth_of(what) {
            Some((what, true)) => self.path(what, env),
            Some((what, false)) => not(self.path(what, env)),
            None => Path::Now(self.state(what, env, "what becomes true")),
        };
        let before = match not(what.clone()) {
            Path::Now(before) => Path::Now(Formula::Past(Box::new(Past::Previously(before)))),
            _ => {
                self.failed = true;
                constant(true)
            }
        };
        and(what, before)
    }

    /// `p`, after an earlier time.
    fn again(&mut self, what: &'a Node, env: &Env<'a>) -> Lowered {
        let what = self.state(what, env, "what is so again");
        let once = |formula| Formula::Past(Box::new(Past::Once(formula)));
        let earlier = match self.happens(&what) {
            Happens::State => Formula::Past(Box::new(Past::Previously(once(left(what.clone()))))),
            Happens::Stretch => {
                let Path::Now(broken) = and(not(Path::Now(what.clone())), Path::Now(once(what.clone())))
                else {
                    return constant(true);
                };
                once(broken)
            }
        };
        and(Path::Now(what), Path::Now(earlier))
    }

    /// `at most twice p`
    fn counted(&mut self, node: &'a Node, count: &'a Count, env: &Env<'a>) -> Lowered {
        let times = match &count.times {
            Times::Once => Some(1),
            Times::Twice => Some(2),
            Times::Number(number) => self.whole(number, env),
        };
        let what = Path::Now(self.state(&count.what, env, "what is counted"));
        let Some(times) = times else { return constant(true) };
        let Some(number) = u32::try_from(times).ok().filter(|_| times <= MOST_TIMES) else {
            let message = format!("{times} times are not counted");
            let help = format!("write a number from 0 to {MOST_TIMES}");
            self.error("M0249", node.span, message, help);
            return constant(true);
        };
        self.parts = self.parts.saturating_add(4 * number as usize);
        if !self.enter(node.span) {
            return constant(true);
        }
        let happens = match &what {
            Path::Now(formula) => self.happens(formula),
            _ => Happens::Stretch,
        };
        let at_most = |number: u32| at_most(number, happens, &what);
        let at_least = |number: u32| match number {
            0 => constant(true),
            1 => Path::Eventually(Interval::default(), Box::new(what.clone())),
            number => not(at_most(number - 1)),
        };
        match count.tally {
            Tally::AtMost => at_most(number),
            Tally::AtLeast => at_least(number),
            Tally::Exactly => and(at_least(number), at_most(number)),
        }
    }

    /// `each time p, q`: the answer from the beginning of each time on.
    fn each_time(&mut self, trigger: &'a Node, answer: Lowered, env: &Env<'a>) -> Lowered {
        let trigger = self.state(trigger, env, "what happens each time");
        match self.happens(&trigger) {
            Happens::Stretch => at_edges(Path::Now(trigger), answer),
            Happens::State => {
                Path::Always(Interval::default(), Box::new(implies(Path::Now(trigger), answer)))
            }
        }
    }

    /// The claim inside a scope, right behind the moment that opens it: what lasts is so there, too, and what happens at that
    /// moment is over. What happens inside does so in a state before which the scope was open.
    pub(super) fn behind(
        &mut self,
        scope: &'a Scope,
        body: &'a Node,
        path: Lowered,
        (start, end): (&Lowered, Option<&Lowered>),
    ) -> Lowered {
        let opens = match start {
            Path::Now(formula) if self.happens(formula) == Happens::State => formula.clone(),
            _ => {
                if !self.failed && refuses(&path, start) {
                    self.refused_opening(scope, body);
                }
                return path;
            }
        };
        let open = match end {
            None => Past::Once(left(opens)),
            Some(Path::Now(end)) => {
                let Path::Now(inside) = not(Path::Now(end.clone())) else { return path };
                let opens = Formula::And(Box::new(opens), Box::new(inside.clone()));
                Past::Since(inside, left(opens))
            }
            Some(_) => {
                let message = "what happens opens this scope, so what ends it must be about one state";
                self.error("M0227", body.span, message, "take the temporal operator out of the scope's end");
                return path;
            }
        };
        let before = Formula::Past(Box::new(Past::Previously(Formula::Past(Box::new(open)))));
        self.told_inside(path, &before)
    }

    /// Everything that happens, only where this holds. What is said of the past is left alone.
    fn told_inside(&self, path: Lowered, inside: &Formula<AtomId>) -> Lowered {
        ToldInside { lowering: self, inside }.path(0, &path)
    }

    /// `after p, never p` of what lasts: it could only hold where the scope never opens.
    fn refused_opening(&mut self, scope: &'a Scope, body: &'a Node) {
        let (Scope::After(start) | Scope::AfterUntil(start, _) | Scope::Between(start, _)) = scope else {
            return;
        };
        let text = surface::readable(start);
        let never = match scope {
            Scope::AfterUntil(_, end) => format!("never ({text} & !({}))", surface::readable(end)),
            Scope::Between(_, end) => {
                let end = surface::readable(end);
                format!("never ({text} & !({end}) & (F ({end})))")
            }
            _ => format!("never ({text})"),
        };
        let once = format!("{}, at most once ({text})", surface::scope(scope));
        let message = format!("`{text}` is still so right behind the moment that opens the scope");
        let help = "write the one that is meant · motet explain M0248";
        let problem = Problem::error("M0248", body.span, message, help)
            .note(format!("not a second time:  {once}"))
            .note(format!("never at all:       {never}"));
        self.report(problem);
    }

    fn passes(
        &mut self,
        node: &'a Node,
        passing: Passing,
        (from, to): (&'a Node, &'a Node),
        content: &'a Node,
        env: &Env<'a>,
    ) -> Lowered {
        let from = self.agent(from, env).unwrap_or_default();
        let to = self.agent(to, env).unwrap_or_default();
        let content = self.expr(content, env);
        let atom = match passing {
            Passing::Sends => AtomText::Sends(from, to, content),
            Passing::Reads => AtomText::Reads(from, to, content),
        };
        self.holds(atom, node.span)
    }

    /// What one time of it is: a state, if it needs that something happens.
    fn happens(&self, formula: &Formula<AtomId>) -> Happens {
        let state = |formula: &Formula<AtomId>| self.happens(formula) == Happens::State;
        let happens = match formula {
            Formula::Atom(id) => self.atoms.get(id.index()).is_some_and(|atom| self.is_event(&atom.node)),
            Formula::And(left, right) => state(left) || state(right),
            Formula::Or(left, right) => state(left) && state(right),
            _ => false,
        };
        if happens { Happens::State } else { Happens::Stretch }
    }

    fn is_event(&self, atom: &AtomText) -> bool {
        let named = |word: &str| self.vocabulary.events.iter().any(|event| event == word);
        match atom {
            AtomText::Sends(..) | AtomText::Reads(..) => true,
            AtomText::Says(..) => named("Says"),
            AtomText::Fact(Expr::Call(name, _)) => named(name),
            _ => false,
        }
    }
}

/// Everything that happens, only where something else holds.
struct ToldInside<'l, 'a> {
    lowering: &'l Lowering<'a>,
    inside: &'l Formula<AtomId>,
}

impl Change<AtomId> for ToldInside<'_, '_> {
    fn path(&mut self, _: usize, path: &Lowered) -> Lowered {
        path.with_children(self)
    }

    fn state(&mut self, _: usize, formula: &Formula<AtomId>) -> Formula<AtomId> {
        match formula {
            Formula::Atom(_) if self.lowering.happens(formula) == Happens::State => {
                Formula::And(Box::new(formula.clone()), Box::new(self.inside.clone()))
            }
            Formula::Not(_) => formula.with_children(self),
            _ if formula.joined().is_some() => formula.with_children(self),
            other => other.clone(),
        }
    }
}

/// It happened, and the run went on: the last state of a run that ends repeats, and nothing happens in it again.
fn left(what: Formula<AtomId>) -> Formula<AtomId> {
    Formula::And(Box::new(what), Box::new(Formula::Not(Box::new(Formula::Deadlock))))
}

/// So many times, no more.
fn at_most<A: Clone>(number: u32, happens: Happens, what: &Path<A>) -> Path<A> {
    let without = not(what.clone());
    let mut path = Path::Always(Interval::default(), Box::new(without.clone()));
    for _ in 0..number {
        let rest = match happens {
            // The last one of a scope may stand at its end: "not next otherwise". A run that ends repeats its last state,
            // and what happened in its last step does not happen again.
            Happens::State => or(Path::Now(Formula::Deadlock), not(Path::Next(Box::new(not(path))))),
            Happens::Stretch => weak(what.clone(), and(without.clone(), path)),
        };
        path = weak(without.clone(), and(what.clone(), rest));
    }
    path
}

/// What is counted, what one time of it is, and the number, of a formula that [`at_most`] made of 1 and more.
pub(crate) fn counted<A: Clone + PartialEq>(path: &Path<A>) -> Option<(Path<A>, Happens, u32)> {
    let Path::Until(Until::Weak, _, without, _) = path else { return None };
    let what = not_again((**without).clone())?;
    let mut depth = 0_u32;
    let mut inner = path;
    while let Path::Until(Until::Weak, _, _, right) = inner {
        depth += 1;
        inner = match &**right {
            Path::And(_, rest) => rest,
            _ => return None,
        };
        if let Path::Or(_, next) = inner {
            let Path::Not(next) = &**next else { return None };
            let Path::Next(rest) = &**next else { return None };
            inner = match &**rest {
                Path::Not(rest) => rest,
                _ => return None,
            };
        }
    }
    let stretches = depth / 2;
    [(Happens::State, depth), (Happens::Stretch, stretches)]
        .into_iter()
        .find(|(happens, number)| *number > 0 && at_most(*number, *happens, &what) == *path)
        .map(|(happens, number)| (what, happens, number))
}

/// What the formula denies.
fn not_again<A: Clone>(path: Path<A>) -> Option<Path<A>> {
    match path {
        Path::Now(Formula::Not(inner)) => Some(Path::Now(*inner)),
        Path::Now(formula) => Some(not(Path::Now(formula))),
        _ => None,
    }
}

/// `never p` behind `p`.
fn refuses(path: &Lowered, opens: &Lowered) -> bool {
    match path {
        Path::Always(when, inner) if when.is_unbounded() => **inner == not(opens.clone()),
        _ => false,
    }
}

/// `p becomes true`, `p becomes false`.
fn truth_of(what: &Node) -> Option<(&Node, bool)> {
    let Tree::Compare(left, rest) = &what.tree else { return None };
    let [(Relation::Eq, right)] = rest.as_slice() else { return None };
    match &right.tree {
        Tree::Name(word) if word == "true" => Some((left, true)),
        Tree::Name(word) if word == "false" => Some((left, false)),
        _ => None,
    }
}

fn weak<A>(left: Path<A>, right: Path<A>) -> Path<A> {
    Path::Until(Until::Weak, Interval::default(), Box::new(left), Box::new(right))
}

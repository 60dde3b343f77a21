//! Claims that say something else than their author probably means. These lints look at the formula and at the author's
//! words; vacuity and dead vocabulary need a model and come from the engines.

use std::collections::BTreeSet;

use motet_model::{AtomId, AtomText, Expr, Operator, Ratio, TimeUnit, Vocabulary};
use motet_source::{Problem, Problems, Spanned, shortened};

use crate::claim::{Claim, Kind};
use crate::formula::{Bound, Formula, Interval, Path, Query, Relation, RewardGoal, Subformula};
use crate::lower::Lowered;
use crate::print::english_claim;
use crate::syntax::Dialect;
use crate::token::{Kind as Sign, Token, tokens};

/// Adds what smells in the claims. Where the model's time is nothing but its steps, a bound without a unit is clear.
pub fn lint(lowered: &Lowered, vocabulary: &Vocabulary, unit: TimeUnit, problems: &mut Problems) {
    for claim in &lowered.claims {
        let mut findings = Findings { atoms: &lowered.atoms, ..Findings::default() };
        findings.path(&claim.formula);
        findings.unit_missing &= unit != TimeUnit::Steps;
        let dialect = lowered.dialects.get(&claim.span.file).copied().unwrap_or_default();
        start_only(claim, (lowered, dialect), problems);
        shape_lints(claim, &findings, dialect, problems);
        model_lints(claim, &findings, problems);
        words_lints(claim, &findings, vocabulary, problems);
    }
}

/// A property without an operator of time, which is true or false when nothing has happened yet.
fn start_only(claim: &Claim<AtomId>, (lowered, dialect): (&Lowered, Dialect), problems: &mut Problems) {
    let Some(body) = lowered.starts.get(&claim.span) else { return };
    let message =
        format!("{}: this speaks of the start only, and says nothing of what comes later", claim.name);
    let said = shortened(&claim.text);
    let help = match dialect {
        Dialect::Motet => format!(
            "write `always ({said})` or `never (...)` for all moments, `initially ({said})` if the start is meant"
        ),
        Dialect::Prism => format!(
            "write `A [ G ({said}) ]` or `A [ G !(...) ]` for all moments, `filter(forall, {said}, \"init\")` if the \
             start is meant"
        ),
        Dialect::Spin => {
            format!("write `[] ({said})` or `[] !(...)` for all moments; leave it if the start is meant")
        }
        Dialect::Psl => {
            format!("write `[] ({said})` or `[] ~ (...)` for all moments; leave it if the start is meant")
        }
    };
    problems.push(Problem::warning("M0330", *body, message, help).label("no operator of time stands here"));
}

/// A formula of an advice in the notation of a dialect.
fn noted(formula: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::Motet => formula.to_owned(),
        Dialect::Prism => formula.replace("->", "=>"),
        Dialect::Spin => formula.replace('G', "[]").replace('F', "<>").replace('&', "&&"),
        Dialect::Psl => formula.replace('G', "[]").replace('F', "<>"),
    }
}

/// What one walk over a claim finds.
#[derive(Default)]
struct Findings<'a> {
    atoms: &'a [Spanned<AtomText>],
    self_cancelling: bool,
    implication_under_eventually: bool,
    liveness_outside: bool,
    unit_missing: bool,
    knows: bool,
    believes: bool,
    /// Whether something is asked of the model at all.
    asks: bool,
    /// A threshold that every probability meets: `>= 0`.
    any_chance: Option<String>,
    /// An agent and a content of a belief that is negated from outside.
    not_believing: Option<(String, String)>,
    names: BTreeSet<String>,
    /// The agents whose attitudes or knowledge the claim is about.
    holders: BTreeSet<String>,
}

fn shape_lints(claim: &Claim<AtomId>, findings: &Findings<'_>, dialect: Dialect, problems: &mut Problems) {
    let noted = |formula| noted(formula, dialect);
    let mut warn = |code, message: &str, help: &str| {
        problems.push(Problem::warning(code, claim.span, format!("{}: {message}", claim.name), help));
    };
    if findings.self_cancelling {
        warn(
            "M0302",
            "the inner condition repeats the trigger, so the answer is met as soon as the trigger goes away",
            &format!("write `{}` instead of `{}`", noted("G (a -> F b)"), noted("G (a -> F (a -> b))")),
        );
    }
    if findings.implication_under_eventually {
        warn(
            "M0303",
            &format!("an implication under `{}` holds as soon as its left side is false once", noted("F")),
            &format!("write `{}` if every `a` is to be answered", noted("G (a -> F b)")),
        );
    }
    if findings.liveness_outside {
        warn(
            "M0304",
            "the eventuality stands beside the implication, so it is demanded for ever, trigger or not",
            &format!("move it into the right side: `{}`", noted("G (a -> (x & F c))")),
        );
    }
    if findings.unit_missing {
        warn(
            "M0307",
            "a bound has no unit; tools count different things",
            "write what is counted: ms, s, min, h, d, steps, cycles or firings",
        );
    }
    if findings.knows && findings.believes {
        problems.push(Problem::hint(
            "M0308",
            claim.span,
            format!("{}: knows and believes are different claims", claim.name),
            "believes is what the belief base says, knows is what holds in all states the agent cannot tell apart",
        ));
    }
    if let Some((agent, content)) = &findings.not_believing {
        problems.push(Problem::hint(
            "M0320",
            claim.span,
            format!("{}: `{agent}` may have no belief at all about this", claim.name),
            format!(
                "`not ({agent} believes {content})` also holds then; say what is believed if that is meant"
            ),
        ));
    }
}

/// A claim that is so, or not so, whatever the model does.
fn model_lints(claim: &Claim<AtomId>, findings: &Findings<'_>, problems: &mut Problems) {
    let mut warn = |message: String, help: &str| {
        let message = format!("{}: {message}", claim.name);
        problems.push(Problem::warning("M0333", claim.span, message, help));
    };
    if let Some(threshold) = &findings.any_chance {
        warn(
            format!("every probability is {threshold}, so this says nothing of the model"),
            "write the bound that is meant, or ask for the number with `=?`",
        );
    }
    // Who writes `true` alone means it.
    let compares = |token: &Token| matches!(token.kind, Sign::Number | Sign::Text | Sign::Eq | Sign::In);
    if !findings.asks && claim.kind != Kind::Query && tokens(&claim.text).0.iter().any(compares) {
        warn(
            "this is the same whatever the model does: constants are compared, or a range is empty"
                .to_owned(),
            "compare something that the model changes",
        );
    }
}

fn words_lints(
    claim: &Claim<AtomId>,
    findings: &Findings<'_>,
    vocabulary: &Vocabulary,
    problems: &mut Problems,
) {
    let Some(words) = &claim.words else { return };
    let spoken = format!(" {} ", plain(words));
    let spoken_of = |agent: &&String| spoken.contains(&format!(" {} ", plain(agent)));
    let mentioned: Vec<&String> = vocabulary.agents.iter().filter(spoken_of).collect();
    let mut disagree = |message: String| {
        let echo = format!("the formula says: {}", english_claim(claim, findings.atoms));
        problems.push(Problem::warning("M0305", claim.span, message, echo));
    };
    let missing: Vec<&&String> = mentioned.iter().filter(|agent| !findings.names.contains(**agent)).collect();
    for agent in &missing {
        disagree(format!("{}: the words speak of {agent}, the formula does not", claim.name));
    }
    // One agent too many, where others are named, is a slip; many come from a quantifier.
    let mut strangers = findings.holders.iter().filter(|agent| !mentioned.contains(agent));
    if let (Some(agent), None) = (strangers.next(), strangers.next())
        && missing.is_empty()
        && !mentioned.is_empty()
    {
        disagree(format!("{}: the formula speaks of the mind of {agent}, the words do not", claim.name));
    }
    let history = [" without ", " never ", " at no time "].iter().any(|word| spoken.contains(word));
    if history && is_instant(&claim.formula) {
        problems.push(Problem::warning(
            "M0306",
            claim.span,
            format!("{}: the words speak of the whole way, the formula of one moment", claim.name),
            "write `ok U (ok & done)` if `ok` is to hold all along; `F (ok & done)` asks for it at the end only",
        ));
    }
}

/// Lower case letters and digits, everything else a blank: `Nurse_one's` becomes `nurse one s`.
fn plain(text: &str) -> String {
    let kept: String =
        text.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { ' ' }).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `F (a & b)`, also inside a probability or a reward.
fn is_instant(path: &Path<AtomId>) -> bool {
    match path {
        Path::Eventually(_, inner) => matches!(&**inner, Path::Now(Formula::And(..)) | Path::And(..)),
        Path::Now(Formula::Chance(_, _, inner) | Formula::Runs(_, inner)) => is_instant(inner),
        Path::Now(Formula::Reward(_, _, _, goal)) => {
            matches!(&**goal, RewardGoal::Until(inner) if is_instant(inner))
        }
        _ => false,
    }
}

/// The two sides of an implication of any kind.
fn implication(path: &Path<AtomId>) -> Option<(Path<AtomId>, Path<AtomId>)> {
    match path {
        Path::Implies(left, right) => Some(((**left).clone(), (**right).clone())),
        Path::Now(Formula::Implies(left, right)) => {
            Some((Path::Now((**left).clone()), Path::Now((**right).clone())))
        }
        _ => None,
    }
}

/// Whether one of the conjuncts is an implication.
fn is_conditional(path: &Path<AtomId>) -> bool {
    fn state(formula: &Formula<AtomId>) -> bool {
        match formula {
            Formula::Implies(..) => true,
            Formula::And(left, right) => state(left) || state(right),
            _ => false,
        }
    }
    match path {
        Path::Now(formula) => state(formula),
        _ => implication(path).is_some(),
    }
}

fn conjuncts<'p>(path: &'p Path<AtomId>, parts: &mut Vec<&'p Path<AtomId>>) {
    match path {
        Path::And(left, right) => {
            conjuncts(left, parts);
            conjuncts(right, parts);
        }
        _ => parts.push(path),
    }
}

impl Findings<'_> {
    fn interval(&mut self, interval: &Interval) {
        for bound in [&interval.low, &interval.high].into_iter().flatten() {
            self.asks = true;
            self.bound(bound);
        }
    }

    fn bound(&mut self, bound: &Bound) {
        self.unit_missing |= bound.unit.is_none();
    }

    fn path(&mut self, path: &Path<AtomId>) {
        match path {
            Path::Next(inner) => {
                // There may be no next state.
                self.asks = true;
                self.path(inner);
            }
            Path::Always(interval, inner) => {
                self.interval(interval);
                self.under_always(inner);
            }
            Path::Eventually(interval, inner) => {
                self.interval(interval);
                self.implication_under_eventually |= implication(inner).is_some();
                self.path(inner);
            }
            _ => {
                Subformula::Path(path).bounds().for_each(|bound| self.bound(bound));
                self.children(Subformula::Path(path));
            }
        }
    }

    fn children(&mut self, part: Subformula<'_, AtomId>) {
        part.children().for_each(|child| match child {
            Subformula::Path(path) => self.path(path),
            Subformula::State(formula) => self.formula(formula),
        });
    }

    fn threshold(&mut self, asked: &Query) {
        let Query::Compare(relation, text) = asked else { return };
        let end = Ratio::read(text);
        self.any_chance = match relation {
            Relation::Ge if end == Some(Ratio::whole(0)) => Some("at least 0".to_owned()),
            Relation::Le if end == Some(Ratio::whole(1)) => Some("at most 1".to_owned()),
            _ => return,
        };
    }

    fn under_always(&mut self, inner: &Path<AtomId>) {
        if let Path::Implies(trigger, answer) = inner
            && let Path::Eventually(interval, answer) = &**answer
            && let Some((repeated, goal)) = implication(answer)
            && repeated == **trigger
        {
            self.self_cancelling = true;
            self.interval(interval);
            self.path(trigger);
            self.path(&goal);
            return;
        }
        let mut parts = Vec::new();
        conjuncts(inner, &mut parts);
        let conditional = parts.iter().any(|part| is_conditional(part));
        let demanded = parts.iter().any(|part| matches!(part, Path::Eventually(..)));
        self.liveness_outside |= conditional && demanded;
        self.path(inner);
    }

    fn formula(&mut self, formula: &Formula<AtomId>) {
        match formula {
            Formula::Deadlock | Formula::Reward(..) | Formula::Timer(..) => self.asks = true,
            Formula::Atom(id) => {
                self.asks = true;
                self.atom(*id);
            }
            Formula::Not(inner) => self.negated(inner),
            Formula::Chance(_, asked, _) | Formula::Steady(_, asked, _) => self.threshold(asked),
            Formula::Knows(_, group, _) => {
                self.knows = true;
                self.holders.extend(group.iter().cloned());
                self.names.extend(group.iter().cloned());
            }
            _ => {}
        }
        Subformula::State(formula).bounds().for_each(|bound| self.bound(bound));
        self.children(Subformula::State(formula));
    }

    /// `not (a believes x = true)`
    fn negated(&mut self, inner: &Formula<AtomId>) {
        let Formula::Atom(id) = inner else { return };
        let Some(AtomText::Believes(agent, content)) = self.atoms.get(id.index()).map(|atom| &atom.node)
        else {
            return;
        };
        if let Expr::Binary(Operator::Eq, _, value) = content
            && matches!(&**value, Expr::Call(word, arguments) if arguments.is_empty() && (word == "true" || word == "false"))
        {
            self.not_believing = Some((agent.clone(), content.to_string()));
        }
    }

    fn atom(&mut self, id: AtomId) {
        let Some(atom) = self.atoms.get(id.index()) else { return };
        match &atom.node {
            AtomText::Fact(fact) => self.expr(fact),
            AtomText::Believes(agent, content) => {
                self.believes = true;
                self.holder(agent, content);
            }
            AtomText::Desires(agent, content)
            | AtomText::Intends(agent, content)
            | AtomText::Does(agent, content)
            | AtomText::Did(agent, content)
            | AtomText::WillDo(agent, content) => {
                self.holder(agent, content);
            }
            AtomText::Says(from, to, content)
            | AtomText::Sends(from, to, content)
            | AtomText::Reads(from, to, content) => {
                self.names.extend([from.clone(), to.clone()]);
                self.expr(content);
            }
        }
    }

    fn holder(&mut self, agent: &str, content: &Expr) {
        self.holders.insert(agent.to_owned());
        self.names.insert(agent.to_owned());
        self.expr(content);
    }

    fn expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Int(_) | Expr::Decimal(_) | Expr::Any => {}
            Expr::Text(text) => {
                self.names.insert(text.clone());
            }
            Expr::Call(name, arguments) => {
                self.names.insert(name.clone());
                arguments.iter().for_each(|argument| self.expr(argument));
            }
            Expr::Field(of, name) => {
                self.names.insert(name.clone());
                self.expr(of);
            }
            Expr::Not(of) | Expr::Size(of) => self.expr(of),
            Expr::Tuple(items) | Expr::List(items) => items.iter().for_each(|item| self.expr(item)),
            Expr::Index(left, right) | Expr::Binary(_, left, right) | Expr::Quantified(_, _, left, right) => {
                self.expr(left);
                self.expr(right);
            }
        }
    }
}

//! Advice: a model solved once answers, for any situation, what each choice is worth (Izzo 2016, section 4.5).

use std::cmp::Ordering;
use std::sync::Arc;

use motet_engine::{ActionValues, Bounds, Limits, Precision, Progress, Settings, Worth, action_values};
use motet_evidence::{Over, Stop};
use motet_model::{ActionId, Alternative, AtomId, Model, State, System, Words};
use motet_property::{Claim, Extremum, Kind};
use motet_render::{Advice, QueryValue, Ranked};
use motet_source::{Problem, Sources, suggest};

use crate::advising::threshold::Threshold;
use crate::loading::command_line::command_line;
use crate::loading::glob::fits;
use crate::loading::load::Ready;

/// What to advise by.
#[derive(Clone, Debug, Default)]
pub struct AdviseOptions {
    /// Names of queries, with `*` and `?`; the first one ranks. All queries of the project when empty.
    pub queries: Vec<String>,
    /// Beliefs made of numbers. Their queries are answered, too.
    pub thresholds: Vec<Threshold>,
    /// When to stop.
    pub limits: Limits,
    /// How close numbers have to be.
    pub precision: Precision,
    /// How many threads work at the same time; 0 means as many as there are cores.
    pub threads: usize,
}

/// A solved model. It can be asked from several threads at once.
pub struct Adviser {
    values: ActionValues,
    model: Arc<dyn Model + Send + Sync>,
    words: Arc<dyn Words + Send + Sync>,
    queries: Vec<String>,
    /// Each with the number of its query.
    thresholds: Vec<(Threshold, usize)>,
}

/// What is known of a state that is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// All of it.
    Everything,
    /// What the agents observe: counters may be anything.
    Observed,
}

impl Adviser {
    /// Solves the model of a team. `system` is the one whose states will be asked about: that of [`Ready::acting`] for a team
    /// that acts, else that of `ready`. `watch` is told how far it is.
    ///
    /// # Errors
    /// The problem that stands in the way.
    pub fn solve(
        ready: &Ready,
        system: &System,
        sources: &mut Sources,
        options: &AdviseOptions,
        watch: &mut dyn FnMut(Progress),
    ) -> Result<Self, Box<Problem>> {
        if let Some(assumption) = ready.assumptions().first() {
            let message = format!("numbers beside the assumption `{}`", assumption.name);
            let help = "take `assume` out, or say the condition inside the brackets of the query";
            return Err(Box::new(Problem::error("M0073", assumption.span, message, help)));
        }
        let mut claims = chosen(ready, sources, &options.queries)?;
        let mut thresholds = Vec::new();
        for threshold in &options.thresholds {
            let at = number_of(ready, sources, threshold, &mut claims)?;
            thresholds.push((threshold.clone(), at));
        }
        let settings = Settings {
            limits: options.limits.clone(),
            fairness: ready.fairness(),
            precision: options.precision,
            threads: options.threads,
            ..Settings::default()
        };
        let claims: Vec<Claim<AtomId>> = claims.into_iter().cloned().collect();
        let values = action_values(system.model.as_ref(), &claims, &settings, watch);
        let values = values.map_err(|refusal| {
            let claim = refusal.query.map_or(&claims[0], |query| &claims[query]);
            Box::new(refused(claim, &refusal.stop))
        })?;
        let queries = claims.into_iter().map(|claim| claim.name).collect();
        let (model, words) = (Arc::clone(&system.model), Arc::clone(&system.words));
        Ok(Self { values, model, words, queries, thresholds })
    }

    /// What each choice is worth in this state, best first by the first query: where it asks for the greatest, more is better,
    /// where it asks for the least, less is. What is equally good is told apart by the next query, and by the order of the
    /// model in the end. Choices are called as in `alternatives`, where they are among them.
    #[must_use]
    pub fn advise(&self, state: &State, alternatives: &[Alternative], sight: Sight) -> Advice {
        let worth = self.worth(state, sight);
        let fit = worth.fit;
        let beliefs = self.believed(&worth.now);
        let now = self.named(&worth.now);
        let mut choices = worth.choices;
        choices.sort_by(|one, other| self.compared(&one.1, &other.1));
        let ranked = choices.into_iter().map(|(action, values)| Ranked {
            action,
            text: self.called(action, alternatives),
            values: self.named(&values),
        });
        Advice { fit, now, ranked: ranked.collect(), beliefs, over: self.values.over().words() }
    }

    /// The beliefs that thresholds make of this state. Those whose number lies on both sides are left out: they stay as they are.
    #[must_use]
    pub fn beliefs(&self, state: &State) -> Vec<(String, bool)> {
        if self.thresholds.is_empty() {
            return Vec::new();
        }
        self.believed(&self.worth(state, Sight::Everything).now)
    }

    /// Which strategies the numbers are over.
    #[must_use]
    pub fn over(&self) -> Over {
        self.values.over()
    }

    /// The names of the queries, in the order of values.
    #[must_use]
    pub fn queries(&self) -> &[String] {
        &self.queries
    }

    /// How many states have values.
    #[must_use]
    pub fn n_states(&self) -> usize {
        self.values.n_states()
    }

    /// How many situations the agents can tell apart; `None` where nobody observes.
    #[must_use]
    pub fn n_situations(&self) -> Option<usize> {
        self.values.n_situations()
    }

    /// Copies a state of the model into `out`, by its number below [`Adviser::n_states`].
    pub fn state(&self, number: u32, out: &mut Vec<u32>) {
        self.values.state(number, out);
    }

    /// Memory in use.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.values.bytes()
    }

    fn worth(&self, state: &State, sight: Sight) -> Worth {
        match sight {
            Sight::Everything => self.values.of(self.model.as_ref(), state),
            Sight::Observed => self.values.as_seen(self.model.as_ref(), state),
        }
    }

    fn believed(&self, now: &[Bounds]) -> Vec<(String, bool)> {
        let told = |(threshold, at): &(Threshold, usize)| {
            let holds = threshold.holds(*now.get(*at)?)?;
            Some((threshold.belief.clone(), holds))
        };
        self.thresholds.iter().filter_map(told).collect()
    }

    fn named(&self, values: &[Bounds]) -> Vec<QueryValue> {
        let value = |(query, &Bounds { low, high }): (&String, &Bounds)| QueryValue {
            query: query.clone(),
            low,
            high,
        };
        self.queries.iter().zip(values).map(value).collect()
    }

    fn called(&self, action: ActionId, alternatives: &[Alternative]) -> String {
        let same = |alternative: &&Alternative| alternative.action == action && !alternative.text.is_empty();
        match alternatives.iter().find(same) {
            Some(alternative) => alternative.text.clone(),
            None => self.words.action(action),
        }
    }

    /// Which of two choices is better, query by query.
    fn compared(&self, one: &[Bounds], other: &[Bounds]) -> Ordering {
        let better = |(extremum, (one, other)): (&Extremum, (&Bounds, &Bounds))| match extremum {
            Extremum::Max => compare(other.low, one.low).then(compare(other.high, one.high)),
            Extremum::Min => compare(one.high, other.high).then(compare(one.low, other.low)),
        };
        let queries = self.values.extrema().iter().zip(one.iter().zip(other));
        queries.map(better).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }
}

/// Numbers that differ by less than what is certain of them are equal: they are compared by 18 bits, which is about 4e-6.
fn compare(one: f64, other: f64) -> Ordering {
    const DROPPED: u32 = 52 - 18;
    // The bits of numbers that are not negative are in the order of the numbers.
    let coarse = |value: f64| (value.max(0.0).to_bits() + (1 << (DROPPED - 1))) >> DROPPED;
    coarse(one).cmp(&coarse(other))
}

/// The queries with these names, in this order.
fn chosen<'r>(
    ready: &'r Ready,
    sources: &mut Sources,
    names: &[String],
) -> Result<Vec<&'r Claim<AtomId>>, Box<Problem>> {
    let queries = || ready.claims.iter().filter(|claim| claim.kind == Kind::Query);
    let mut chosen: Vec<&Claim<AtomId>> = Vec::new();
    for name in names {
        let fitting: Vec<_> = queries().filter(|claim| fits(name, &claim.name)).collect();
        if fitting.is_empty() {
            return Err(Box::new(no_query(ready, sources, name)));
        }
        chosen.extend(fitting);
    }
    if names.is_empty() {
        chosen.extend(queries());
    }
    if chosen.is_empty() {
        let span = command_line(sources, "motet advise");
        let help =
            "add one to a claims file, as in `query Q: Pmax=? [F \"done\"]`, or give --query 'Pmax=? [...]'";
        return Err(Box::new(Problem::error("M0070", span, "the project has no query to advise by", help)));
    }
    let mut seen = Vec::new();
    chosen.retain(|claim| {
        let new = !seen.contains(&claim.name.as_str());
        seen.push(claim.name.as_str());
        new
    });
    Ok(chosen)
}

fn no_query(ready: &Ready, sources: &mut Sources, name: &str) -> Problem {
    if let Some(claim) = ready.claims.iter().find(|claim| fits(name, &claim.name)) {
        let message = format!("`{}` asks for no number", claim.name);
        return Problem::error(
            "M0070",
            claim.span,
            message,
            "choose a query, such as `query Q: Pmax=? [F p]`",
        );
    }
    let span = command_line(sources, &format!("-p {name}"));
    Problem::error("M0070", span, format!("no query is named `{name}`"), nearest(ready, name))
}

/// The query with the name nearest to this one, or all of them.
fn nearest(ready: &Ready, name: &str) -> String {
    let names =
        || ready.claims.iter().filter(|claim| claim.kind == Kind::Query).map(|claim| claim.name.as_str());
    match suggest(name, names()) {
        Some(near) => format!("there is `{near}`"),
        None if names().next().is_none() => "the project has no queries; give one with --query".to_owned(),
        None => format!("the queries are {}", names().collect::<Vec<_>>().join(", ")),
    }
}

/// The place of a threshold's query among those that are answered; it is added if it is not yet.
fn number_of<'r>(
    ready: &'r Ready,
    sources: &mut Sources,
    threshold: &Threshold,
    claims: &mut Vec<&'r Claim<AtomId>>,
) -> Result<usize, Box<Problem>> {
    if let Some(at) = claims.iter().position(|claim| claim.name == threshold.query) {
        return Ok(at);
    }
    let found = ready.claims.iter().find(|claim| claim.kind == Kind::Query && claim.name == threshold.query);
    let Some(claim) = found else {
        let span = command_line(sources, &format!("--threshold {}: {}", threshold.belief, threshold.query));
        let message =
            format!("the threshold of `{}` is about no query: `{}`", threshold.belief, threshold.query);
        return Err(Box::new(Problem::error("M0075", span, message, nearest(ready, &threshold.query))));
    };
    claims.push(claim);
    Ok(claims.len() - 1)
}

/// Why a model was not solved, in the user's words.
fn refused(claim: &Claim<AtomId>, stop: &Stop) -> Problem {
    let limit = |what: &str, help: &str| {
        Problem::error("M0072", claim.span, format!("the model was not solved: {what}"), help)
    };
    match stop {
        Stop::Unsupported(words) => Problem::error(
            "M0071",
            claim.span,
            format!("{} has no answer by look-up: {words}", claim.name),
            "choose other queries with -p, or ask for the chance of one operator, as in Pmax=? [F p]",
        ),
        Stop::Memory => limit("memory is used up", "raise --mem, or make the instance smaller with -D"),
        Stop::Time => limit("the time is over", "raise --time, or make the instance smaller with -D"),
        Stop::States => limit("there are more states than allowed", "raise --states"),
        Stop::Depth => limit("some states are deeper than allowed", "raise --depth"),
        Stop::Interrupted => limit("it was interrupted", "start it again"),
        Stop::Bound(words) | Stop::Engine(words) | Stop::Hashed(words) => {
            limit(words, "raise the bound with --bound, or repair the model")
        }
    }
}

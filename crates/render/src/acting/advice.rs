//! Advice: what a choice is worth in a situation, as a table for people and as JSON for programs, and situations as programs
//! describe them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use motet_evidence::{Fit, Over};
use motet_model::{ActionId, Situation};
use serde::{Deserialize, Serialize, Serializer};

use crate::numbers::value::value_text;
use crate::typesetting::number::{count, grouped};
use crate::typesetting::table::{Table, Tables};

/// What is known about a situation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    /// How the situation fits the model.
    #[serde(flatten)]
    pub fit: Fit,
    /// Per query: its value in this situation. Empty outside.
    pub now: Vec<QueryValue>,
    /// What can be chosen, best first. Empty where nothing can, and outside.
    pub ranked: Vec<Ranked>,
    /// What thresholds say: beliefs that hold or do not. Those that nobody can tell are left out.
    #[serde(serialize_with = "as_map")]
    pub beliefs: Vec<(String, bool)>,
    /// Which strategies the values are over, in words. Nothing where nobody chooses.
    #[serde(rename = "numbers_over", skip_serializing_if = "Option::is_none")]
    pub over: Option<&'static str>,
}

/// The value of a query, between two bounds that are certain.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryValue {
    /// The name of the query.
    pub query: String,
    /// Not less.
    pub low: f64,
    /// Not more.
    pub high: f64,
}

/// Something that can be chosen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranked {
    /// The action of the step that it stands for.
    #[serde(skip)]
    pub action: ActionId,
    /// In the user's words: `plan 5`.
    #[serde(rename = "choice")]
    pub text: String,
    /// Per query: its value if this is chosen now, and everything goes as the query asks afterwards.
    pub values: Vec<QueryValue>,
}

/// Numbers that are infinite are null; `infinite` says so.
impl Serialize for QueryValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Form<'a> {
            query: &'a str,
            low: f64,
            high: f64,
            #[serde(skip_serializing_if = "std::ops::Not::not")]
            infinite: bool,
        }
        let infinite = self.high.is_infinite();
        Form { query: &self.query, low: self.low, high: self.high, infinite }.serialize(serializer)
    }
}

fn as_map<S: Serializer>(pairs: &[(String, bool)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, holds)| (name, holds)))
}

/// How a situation fits, in words.
fn fit_text(fit: Fit) -> String {
    match fit {
        Fit::Exact => "this situation is in the model".to_owned(),
        Fit::Similar { situations: 1 } => {
            "one situation of the model looks like this to the agents".to_owned()
        }
        Fit::Similar { situations } => format!(
            "{} situations of the model look like this to the agents: ranges over all of them",
            grouped(u64::from(situations))
        ),
        Fit::Outside => "nothing in the model looks like this to the agents: there is no advice".to_owned(),
    }
}

/// The answer as one line of JSON, without the end of the line.
#[must_use]
pub fn advice_json(advice: &Advice) -> String {
    #[derive(Serialize)]
    struct Form<'a> {
        #[serde(flatten)]
        advice: &'a Advice,
        says: String,
    }
    serde_json::to_string(&Form { advice, says: fit_text(advice.fit) }).expect("advice is JSON")
}

/// What is wrong with a question, as one line of JSON.
#[must_use]
pub fn advice_error(code: &str, messages: &[String], help: &str) -> String {
    #[derive(Serialize)]
    struct Form<'a> {
        error: Error<'a>,
    }
    #[derive(Serialize)]
    struct Error<'a> {
        code: &'a str,
        messages: &'a [String],
        help: &'a str,
    }
    serde_json::to_string(&Form { error: Error { code, messages, help } }).expect("texts are JSON")
}

/// The answer as a table.
#[must_use]
pub fn advice_text(advice: &Advice) -> String {
    let title = fit_text(advice.fit);
    if advice.fit == Fit::Outside {
        return format!("{title}\n");
    }
    let row = |title: String, values: &[QueryValue]| {
        std::iter::once(title).chain(values.iter().map(told)).collect::<Vec<String>>()
    };
    let head = std::iter::once(String::new()).chain(advice.now.iter().map(|value| value.query.clone()));
    let ranked = (1..).zip(&advice.ranked);
    let ranked = ranked.map(|(place, ranked)| row(format!("{place}. {}", ranked.text), &ranked.values));
    let rows = std::iter::once(row("now".to_owned(), &advice.now)).chain(ranked).collect();
    let mut text = Tables(vec![Table { title, head: head.collect(), rows }]).text();
    if advice.ranked.is_empty() {
        text.push_str("\nthere is nothing to choose here\n");
    }
    for (belief, holds) in &advice.beliefs {
        let _ = write!(text, "\n{} {belief}", if *holds { "holds:" } else { "does not hold:" });
    }
    if !advice.beliefs.is_empty() {
        text.push('\n');
    }
    text
}

/// A narrow interval as one number, a range as two.
fn told(value: &QueryValue) -> String {
    let (low, high) = (value.low, value.high);
    if low.is_infinite() || high - low <= 1e-5 * high {
        return value_text(low, high);
    }
    format!("{} to {}", value_text(low, low), value_text(high, high))
}

/// The line about a solved model.
#[must_use]
pub fn advice_head(
    states: usize,
    situations: Option<usize>,
    queries: usize,
    over: Over,
    seconds: f64,
) -> String {
    let over = over.words().map_or(String::new(), |words| format!(" over {words}"));
    let looks = situations.map_or(String::new(), |n| format!(", {} to the agents", count(n, "situation")));
    format!(
        "solved: {}{looks}, {}{over}, {}",
        count(states, "state"),
        if queries == 1 { "1 query".to_owned() } else { format!("{queries} queries") },
        crate::typesetting::number::seconds(seconds)
    )
}

/// The line for programs about where advice is given, and to whom.
#[must_use]
pub fn advice_listening(address: &str, token: &str) -> String {
    serde_json::json!({"listening": format!("http://{address}"), "token": token}).to_string()
}

/// A situation as a program describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// The situation.
    pub situation: Situation,
    /// Whether the counters are told as well.
    pub counters: Counters,
}

/// What a description says of the counters of percepts and actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counters {
    /// They are known: those told, and all others as at the start.
    Told,
    /// Nothing, so that they may be anything.
    Open,
}

/// More beliefs, plans or counters than this are no situation.
const LIMIT_ENTRIES: usize = 10_000;

/// Reads `{"beliefs": {"Track swept": true}, "plans": {"4": 0}, "counters": {}}`.
///
/// # Errors
/// What is wrong with it, in the user's words.
pub fn read_situation(text: &str) -> Result<Described, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Form {
        #[serde(default)]
        beliefs: BTreeMap<String, bool>,
        #[serde(default)]
        plans: BTreeMap<String, u32>,
        counters: Option<BTreeMap<String, u32>>,
    }
    // A list would be taken for the fields of the form in their order.
    let value: serde_json::Value = serde_json::from_str(text).map_err(|error| readable(&error))?;
    if !value.is_object() {
        return Err("a situation is an object with `beliefs`, `plans` and `counters`".to_owned());
    }
    let form: Form = serde_json::from_str(text).map_err(|error| readable(&error))?;
    let open = form.counters.is_none() && !(form.beliefs.is_empty() && form.plans.is_empty());
    let counters = form.counters.unwrap_or_default();
    if form.beliefs.len().max(form.plans.len()).max(counters.len()) > LIMIT_ENTRIES {
        return Err(format!("a situation has at most {LIMIT_ENTRIES} beliefs, plans and counters"));
    }
    let situation = Situation {
        beliefs: form.beliefs.into_iter().collect(),
        plans: form.plans.into_iter().collect(),
        counters: counters.into_iter().collect(),
    };
    Ok(Described { situation, counters: if open { Counters::Open } else { Counters::Told } })
}

/// A complaint of the reader in our manner: types are called by their names.
fn readable(complaint: &serde_json::Error) -> String {
    if complaint.is_syntax() || complaint.is_eof() {
        return format!("this is no JSON: {complaint}");
    }
    let names = [("a boolean", "true or false"), ("u32", "a whole number from 0 on"), ("a map", "an object")];
    names.iter().fold(complaint.to_string(), |text, (theirs, ours)| text.replace(theirs, ours))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(low: f64, high: f64) -> QueryValue {
        QueryValue { query: "L5".to_owned(), low, high }
    }

    fn advice() -> Advice {
        let ranked = |action, text: &str, at| Ranked {
            action: ActionId(action),
            text: text.to_owned(),
            values: vec![value(at, at)],
        };
        Advice {
            fit: Fit::Similar { situations: 3 },
            now: vec![value(0.25, 0.5)],
            ranked: vec![ranked(1, "plan 5", 0.5), ranked(0, "plan 4", 0.25)],
            beliefs: vec![("Mission at risk".to_owned(), true)],
            over: Some("weakly fair strategies"),
        }
    }

    #[test]
    fn an_answer_is_one_line_of_json() {
        let text = advice_json(&advice());
        assert!(!text.contains('\n'));
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(json["fit"], "similar");
        assert_eq!(json["situations"], 3);
        assert_eq!(json["ranked"][0]["choice"], "plan 5");
        assert_eq!(json["ranked"][0]["values"][0]["low"], 0.5);
        assert_eq!(json["beliefs"]["Mission at risk"], true);
        assert_eq!(json["numbers_over"], "weakly fair strategies");
        assert!(json["says"].as_str().unwrap().contains("3 situations"));
    }

    #[test]
    fn the_head_says_which_strategies_the_values_are_over_where_somebody_chooses() {
        let head = |over| advice_head(3, None, 1, over, 1.0);
        assert!(head(Over::WeaklyFair).contains("1 query over weakly fair strategies,"));
        assert!(!head(Over::One).contains("over"), "nobody chooses");
    }

    #[test]
    fn an_infinite_reward_is_null_and_said_to_be_infinite() {
        let text = serde_json::to_string(&value(f64::INFINITY, f64::INFINITY)).unwrap();
        assert_eq!(text, r#"{"query":"L5","low":null,"high":null,"infinite":true}"#);
    }

    #[test]
    fn the_table_has_the_best_choice_first() {
        let text = advice_text(&advice());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1].trim(), "L5");
        assert!(lines[2].contains("0.25 to 0.5"), "{text}");
        assert!(lines[3].trim().starts_with("1. plan 5"), "{text}");
        assert!(text.contains("holds: Mission at risk"));
        let nothing = Advice {
            fit: Fit::Outside,
            now: Vec::new(),
            ranked: Vec::new(),
            beliefs: Vec::new(),
            over: None,
        };
        assert!(advice_text(&nothing).contains("no advice"));
    }

    #[test]
    fn a_situation_without_counters_leaves_them_open() {
        let read = read_situation(r#"{"beliefs": {"Rain": true}, "plans": {"4": 1}}"#).unwrap();
        assert_eq!(read.counters, Counters::Open);
        assert_eq!(read.situation.beliefs, [("Rain".to_owned(), true)]);
        assert_eq!(read.situation.plans, [("4".to_owned(), 1)]);
        assert_eq!(read_situation(r#"{"counters": {"Rain": 2}}"#).unwrap().counters, Counters::Told);
        assert_eq!(read_situation("{}").unwrap().counters, Counters::Told, "the start is known");
    }

    #[test]
    fn what_is_no_situation_is_said_in_words() {
        let wrong = |text: &str| read_situation(text).unwrap_err();
        assert!(wrong("[1]").contains("an object with `beliefs`"), "{}", wrong("[1]"));
        assert!(wrong(r#"{"beliefs": {"a": 1}}"#).contains("true or false"));
        assert!(wrong(r#"{"belief": {}}"#).contains("unknown field `belief`"));
        assert!(wrong(r#"{"plans": {"4": -1}}"#).contains("a whole number"));
        assert!(wrong("").contains("no JSON") && wrong("nonsense").contains("no JSON"));
        assert!(wrong(&"[".repeat(100_000)).len() < 200, "deep nesting is no crash");
    }
}

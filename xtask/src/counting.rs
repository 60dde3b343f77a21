//! The counting experiments of Stocker's thesis (2013, chapter 11) as generated models: how many states and how much time
//! a count costs, beside Spin on the smallest Promela that counts the same way.

use std::fmt::Write as _;

use crate::bench::Extent;

/// One experiment.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// What is counted and how: `i to 800, j may follow`.
    pub title: String,
    /// The Brahms model.
    pub brahms: String,
    /// The claim that the count is never exceeded.
    pub claim: String,
    /// How many combinations of values can be reached; our states are at most twice as many.
    pub combinations: u64,
    /// The same count in Promela by hand, one process (thesis 11.1.3, 11.2.4); where there is one to compare with.
    pub promela: Option<String>,
}

/// All experiments.
#[must_use]
pub fn experiments(extent: Extent) -> Vec<Experiment> {
    let small = extent == Extent::Quick;
    let mut all = vec![deterministic(if small { 1_000 } else { 10_000 })];
    let count = if small { 500 } else { 5_000 };
    for frames in [1, 4] {
        for kind in [Frames::Thoughts, Frames::Work, Frames::TimedWork] {
            all.push(split(count, frames, kind));
        }
    }
    all.extend(if small { vec![follower(100)] } else { vec![follower(800), follower(2_000)] });
    let agents =
        if small { vec![(2, 5), (3, 5)] } else { vec![(4, 5), (5, 5), (3, 10), (4, 10), (5, 10), (6, 10)] };
    all.extend(agents.into_iter().map(|(agents, limit)| together(agents, limit)));
    // Nobody gets to the end of this one within the limits; what is asked is how far.
    if !small {
        all.push(Experiment { promela: None, ..together(8, 10) });
    }
    let count = if small { 50 } else { 1_000 };
    for receivers in [1, 2, 10] {
        all.push(announced(count, receivers, Telling::AllAtOnce));
        all.push(announced(count, receivers, Telling::OneByOne));
    }
    all
}

/// Which frames count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Frames {
    Thoughts,
    Work,
    TimedWork,
}

/// How a count is told to several agents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Telling {
    AllAtOnce,
    OneByOne,
}

/// One agent counts, one second a count (11.1.1).
fn deterministic(limit: u64) -> Experiment {
    let body = "pause(); conclude((current.i = current.i + 1), fc:0);";
    let brahms = counter("public int i;", "(current.i = 0);", &work("wf_count", &below("i", limit), body));
    let promela = format!(
        "int i = 0;\nactive proctype counter() {{\n  do\n  :: (i < {limit}) -> i = i + 1\n  :: else -> break\n  od\n}}\n"
    );
    Experiment {
        title: format!("one agent counts to {limit}"),
        brahms,
        claim: exceeded("Counter", "i", limit),
        combinations: limit + 1,
        promela: Some(promela),
    }
}

/// The count split between several frames (11.1.2).
fn split(limit: u64, n_frames: u64, kind: Frames) -> Experiment {
    let mut frames = String::new();
    for number in 0..n_frames {
        let (from, to) = (limit * number / n_frames, limit * (number + 1) / n_frames);
        let guard = format!("knownval(current.i >= {from}) and knownval(current.i < {to})");
        let count = "conclude((current.i = current.i + 1), fc:0);";
        frames.push_str(&match kind {
            Frames::Thoughts => format!(
                "    thoughtframe tf_count{number} {{ repeat: true; when({guard}) do {{ {count} }} }}\n"
            ),
            Frames::Work => work(&format!("wf_count{number}"), &guard, count),
            Frames::TimedWork => work(&format!("wf_count{number}"), &guard, &format!("pause(); {count}")),
        });
    }
    let (section, name) = match kind {
        Frames::Thoughts => ("thoughtframes", "thoughtframes"),
        Frames::Work => ("workframes", "workframes"),
        Frames::TimedWork => ("workframes", "workframes that take time"),
    };
    let brahms = concept("public int i;", "(current.i = 0);", section, &frames);
    Experiment {
        title: format!("{n_frames} {name} count to {limit}"),
        brahms,
        claim: exceeded("Counter", "i", limit),
        combinations: limit + 1,
        promela: None,
    }
}

/// `i` counts, `j` may follow or not (11.1.3).
fn follower(limit: u64) -> Experiment {
    let body = "pause(); conclude((current.i = current.i + 1), fc:0); \
                conclude((current.j = current.j + 1), bc:50, fc:0);";
    let brahms = counter(
        "public int i; public int j;",
        "(current.i = 0); (current.j = 0);",
        &work("wf_count", &below("i", limit), body),
    );
    let promela = format!(
        "int i = 0;\nint j = 0;\nactive proctype counter() {{\n  do\n  :: (i < {limit}) ->\n     i = i + 1;\n     \
         if\n     :: true -> j = j + 1\n     :: true -> skip\n     fi\n  :: else -> break\n  od\n}}\n"
    );
    Experiment {
        title: format!("i to {limit}, j may follow"),
        brahms,
        claim: exceeded("Counter", "j", limit),
        combinations: (limit + 1) * (limit + 2) / 2,
        promela: Some(promela),
    }
}

/// Several agents, each with a count of its own that may rise each second (11.2.4).
pub(crate) fn together(agents: u32, limit: u64) -> Experiment {
    let mut brahms = String::from(
        "group Counters {\n  attributes:\n    public int a;\n    public int b;\n  initial_beliefs:\n    \
         (current.a = 0);\n    (current.b = 0);\n  activities:\n    primitive_activity pause() { max_duration: 1; }\n  \
         workframes:\n",
    );
    let body = "pause(); conclude((current.a = current.a + 1), fc:0); \
                conclude((current.b = current.b + 1), bc:50, fc:0);";
    brahms.push_str(&work("wf_count", &below("a", limit), body));
    brahms.push_str("}\n");
    (1..=agents).for_each(|number| {
        let _ = writeln!(brahms, "agent Counter{number} memberof Counters {{ }}");
    });
    let mut promela = String::from("int a = 0;\n");
    (1..=agents).for_each(|number| {
        let _ = writeln!(promela, "int b{number} = 0;");
    });
    let _ = writeln!(promela, "active proctype team() {{\n  do\n  :: (a < {limit}) ->");
    (1..=agents).for_each(|number| {
        let _ = writeln!(
            promela,
            "     if\n     :: true -> b{number} = b{number} + 1\n     :: true -> skip\n     fi;"
        );
    });
    promela.push_str("     a = a + 1\n  :: else -> break\n  od\n}\n");
    Experiment {
        title: format!("{agents} agents, each may count to {limit}"),
        brahms,
        claim: exceeded("Counter1", "b", limit),
        combinations: (1..=limit + 1).map(|rounds| rounds.pow(agents)).sum(),
        promela: Some(promela),
    }
}

/// An object counts and tells its count to some of ten agents (11.2.3).
fn announced(limit: u64, receivers: u32, telling: Telling) -> Experiment {
    let mut brahms =
        String::from("group Listeners {\n  attributes:\n    public boolean listens;\n}\nclass Clocks {\n");
    brahms.push_str("  attributes:\n    public int i;\n  activities:\n");
    brahms.push_str("    primitive_activity pause() { max_duration: 1; }\n");
    brahms.push_str(
        "    communicate tell(Listeners who) { max_duration: 1; with: who; about: send(current.i = current.i); \
         when: end; }\n",
    );
    let count = "pause(); conclude((current.i = current.i + 1));";
    let (variables, guard, calls) = match telling {
        Telling::AllAtOnce => (
            "variables: collectall(Listeners) who;",
            format!("{} and knownval(who.listens = true)", below("i", limit)),
            " tell(who);".to_owned(),
        ),
        Telling::OneByOne => (
            "",
            below("i", limit),
            (1..=receivers).map(|number| format!(" tell(Listener{number});")).collect(),
        ),
    };
    let _ = writeln!(
        brahms,
        "  workframes:\n    workframe wf_count {{ repeat: true; {variables} when({guard}) do {{ {count}{calls} }} }}\n}}"
    );
    brahms.push_str("object Clock instanceof Clocks {\n  initial_beliefs:\n    (current.i = 0);\n");
    brahms.push_str("  initial_facts:\n    (current.i = 0);\n");
    (1..=receivers).for_each(|number| {
        let _ = writeln!(brahms, "    (Listener{number}.listens = true);");
    });
    brahms.push_str("}\n");
    (1..=10).for_each(|number| {
        let _ = writeln!(brahms, "agent Listener{number} memberof Listeners {{ }}");
    });
    // Told one by one, each listener in turn believes the new count: a combination for each.
    let stages = if telling == Telling::OneByOne { u64::from(receivers) + 1 } else { 2 };
    let way = if telling == Telling::OneByOne { "one by one" } else { "all at once" };
    Experiment {
        title: format!("a count to {limit} told to {receivers}, {way}"),
        brahms,
        claim: format!("never Bel(Listener1, Clock.i > {limit})"),
        combinations: limit * stages + 1,
        promela: None,
    }
}

fn below(attribute: &str, limit: u64) -> String {
    format!("knownval(current.{attribute} < {limit})")
}

fn exceeded(agent: &str, attribute: &str, limit: u64) -> String {
    format!("never Bel({agent}, {agent}.{attribute} > {limit})")
}

fn work(name: &str, guard: &str, body: &str) -> String {
    format!("    workframe {name} {{ repeat: true; when({guard}) do {{ {body} }} }}\n")
}

fn counter(attributes: &str, beliefs: &str, workframes: &str) -> String {
    concept(attributes, beliefs, "workframes", workframes)
}

fn concept(attributes: &str, beliefs: &str, section: &str, frames: &str) -> String {
    format!(
        "agent Counter {{\n  attributes:\n    {attributes}\n  initial_beliefs:\n    {beliefs}\n  activities:\n    \
         primitive_activity pause() {{ max_duration: 1; }}\n  {section}:\n{frames}}}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_agents_to_ten_have_381_876_combinations() {
        // One combination for each value of the five counts after each of the rounds 0 to 10: the sum of (r + 1)^5.
        assert_eq!(together(5, 10).combinations, 381_876);
    }

    #[test]
    fn a_follower_of_800_has_321_201_combinations() {
        // 0 <= j <= i <= 800: 801 * 802 / 2.
        assert_eq!(follower(800).combinations, 321_201);
    }
}

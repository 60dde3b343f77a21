//! A run of agents that act, as text: what changes, cycle by cycle, and how it ended.

use motet_model::Trouble;

use crate::acting::live::{
    RunAlternative, RunChange, RunCycle, RunDifference, RunEnd, RunHead, RunMind, RunNews, RunOrder,
    RunRemark, RunStanding,
};
use crate::typesetting::number::{count, grouped};
use crate::typesetting::page::{Detail, Letters, Tone, View, pad, plain};

/// Width of the column with the number of the cycle.
const MARGIN: usize = 7;
/// Characters of a text that a skill wrote, at most.
const LIMIT_TEXT: usize = 160;

/// What is shown of each cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunShow {
    /// Nothing.
    None,
    /// What changes.
    Changes,
    /// All that agents have in mind.
    Full,
}

/// Tells a run as text.
#[derive(Clone, Debug)]
pub struct RunTeller {
    view: View,
    show: RunShow,
    /// Whether names of agents are needed.
    several: bool,
}

impl RunTeller {
    /// Tells for this reader.
    #[must_use]
    pub fn new(view: View, show: RunShow) -> Self {
        Self { view, show, several: false }
    }

    /// The line before the first cycle.
    pub fn begin(&mut self, head: &RunHead) -> String {
        self.several = head.agents.len() > 1;
        let pace = match head.rate {
            Some(rate) if (head.speed - 1.0).abs() > f64::EPSILON => {
                format!("{rate} cycles a second, {} times as fast", head.speed)
            }
            Some(rate) => format!("{rate} cycles a second"),
            None => "lockstep".to_owned(),
        };
        let skills = head.ready.as_deref().unwrap_or("skills that never said they are ready");
        let chosen = match head.select.as_str() {
            "random" => format!("random choices, seed {}", head.seed),
            "advise" => "choices by advice".to_owned(),
            _ => "first choices".to_owned(),
        };
        let facts = [
            head.agents.join(", "),
            format!("{} with {}", plain(skills), count(head.actions.len(), "action")),
            pace,
            chosen,
        ];
        let mut page = format!("{}\n", facts.join(" · "));
        if self.show == RunShow::Full {
            page.push_str(&self.minds(&head.minds));
        }
        self.view.finish(page)
    }

    /// A cycle; empty when there is nothing to say of it.
    #[must_use]
    pub fn cycle(&self, cycle: &RunCycle) -> String {
        if self.show == RunShow::None {
            return self.view.finish(self.numbered(cycle.cycle, &self.alarms(cycle)));
        }
        let mut lines: Vec<String> = Vec::new();
        lines.extend(choice(cycle).map(|text| self.view.paint(Tone::Strong, &text)));
        lines.extend(cycle.orders.iter().map(|order| self.order(order)));
        lines.extend(cycle.news.iter().filter_map(|news| self.news(news)));
        lines.extend(
            cycle.said.iter().map(|text| self.view.paint(Tone::Quiet, &format!("| {}", short(text)))),
        );
        if self.show == RunShow::Full {
            lines.extend(self.alarms(cycle));
            let mut page = self.numbered(cycle.cycle, &lines);
            if page.is_empty() {
                page = format!("{:>MARGIN$}\n", cycle.cycle);
            }
            page.push_str(&self.minds(&cycle.minds));
            return self.view.finish(page);
        }
        lines.extend(self.changes(&cycle.changes));
        lines.extend(self.alarms(cycle));
        self.view.finish(self.numbered(cycle.cycle, &lines))
    }

    /// Lines with the number of their cycle before the first.
    fn numbered(&self, cycle: u64, lines: &[String]) -> String {
        let mut page = String::new();
        for (at, line) in lines.iter().enumerate() {
            let number = if at == 0 { cycle.to_string() } else { String::new() };
            page.push_str(&format!("{number:>MARGIN$}  {line}\n"));
        }
        page
    }

    fn whose(&self, agent: &str) -> String {
        if self.several && !agent.is_empty() { format!("{}: ", plain(agent)) } else { String::new() }
    }

    fn order(&self, order: &RunOrder) -> String {
        match order {
            RunOrder::Call { call, id, agent, args, .. } => {
                // An argument without a value is left to the skill.
                let args: Vec<String> = args
                    .iter()
                    .filter(|(_, value)| value.as_str() != Some(""))
                    .map(|(name, value)| format!("{name} = {}", short(&value.to_string())))
                    .collect();
                let args = if args.is_empty() { String::new() } else { format!(" ({})", args.join(", ")) };
                format!("{}call {}{args} · {id}", self.whose(agent), plain(call))
            }
            RunOrder::Stop { stop, agent } => format!("{}stop {}", self.whose(agent), plain(stop)),
        }
    }

    /// What was heard. Troubles are told by their remarks.
    fn news(&self, news: &RunNews) -> Option<String> {
        Some(match news {
            RunNews::Percept { percept, value: true, agent } => {
                format!("{}perceived {}", self.whose(agent.as_deref().unwrap_or("")), short(percept))
            }
            RunNews::Percept { percept, value: false, agent } => {
                format!("{}no longer {}", self.whose(agent.as_deref().unwrap_or("")), short(percept))
            }
            RunNews::Feedback { feedback, id: Some(id) } => format!("reported {} · {id}", short(feedback)),
            RunNews::Feedback { feedback, id: None } => format!("reported {}", short(feedback)),
            RunNews::Message { message, from, .. } => format!("{} says {}", short(from), short(message)),
            RunNews::Trouble { .. } => return None,
        })
    }

    /// Beliefs with their signs; of everything else, what is new.
    fn changes(&self, changes: &[RunChange]) -> Vec<String> {
        let mut lines = Vec::new();
        for change in changes {
            let text = format!("{}{} {}", self.whose(&change.agent), change.sign, plain(&change.item));
            match (change.section.as_str(), change.sign) {
                ("beliefs", '+') => lines.push(self.view.paint(Tone::Good, &text)),
                ("beliefs", _) => lines.push(self.view.paint(Tone::Quiet, &text)),
                ("plans" | "intentions", '+') => {
                    lines.push(format!("{}{}", self.whose(&change.agent), plain(&change.item)));
                }
                (section, '+') => {
                    lines.push(format!("{}{section}: {}", self.whose(&change.agent), plain(&change.item)));
                }
                _ => {}
            }
        }
        lines
    }

    fn alarms(&self, cycle: &RunCycle) -> Vec<String> {
        cycle.remarks.iter().map(|remark| self.remark(remark)).collect()
    }

    fn remark(&self, remark: &RunRemark) -> String {
        let text = format!("{}: {}", plain(&remark.about), plain(&remark.text));
        let grave = Trouble::ALL.iter().any(|trouble| trouble.sentence() == remark.about)
            || ["impossible", "fault"].contains(&remark.about.as_str());
        if grave { self.view.paint(Tone::Care, &format!("! {text}")) } else { format!("· {text}") }
    }

    fn minds(&self, minds: &[RunMind]) -> String {
        let mut page = String::new();
        for mind in minds {
            if self.several {
                page.push_str(&format!(
                    "{:MARGIN$}  {}\n",
                    "",
                    self.view.paint(Tone::Strong, &plain(&mind.agent))
                ));
            }
            for section in mind.sections.iter().filter(|section| !section.items.is_empty()) {
                for (at, item) in section.items.iter().enumerate() {
                    let title = if at == 0 { section.title.as_str() } else { "" };
                    page.push_str(&format!("{:MARGIN$}  {title:<12} {}\n", "", plain(item)));
                }
            }
        }
        page
    }

    /// One line on how far a run is.
    #[must_use]
    pub fn progress(&self, cycle: u64, calls: u64) -> String {
        format!("cycle {} · {} calls", grouped(cycle), grouped(calls))
    }

    /// How it ended.
    #[must_use]
    pub fn end(&self, end: &RunEnd) -> String {
        let mut page = String::new();
        for remark in &end.remarks {
            page.push_str(&format!("  {}\n", self.remark(remark)));
        }
        if self.view.detail != Detail::Quiet || end.standings.iter().any(|standing| standing.alarm) {
            page.push_str(&self.standings(&end.standings));
        }
        for (trouble, times) in &end.troubles {
            page.push_str(&format!("  {trouble}: {}\n", times_text(*times)));
        }
        let facts = [
            count(usize::try_from(end.cycles).unwrap_or(usize::MAX), "cycle"),
            count(usize::try_from(end.calls).unwrap_or(usize::MAX), "call"),
            format!("{} news", grouped(end.news)),
            count(usize::try_from(end.choices).unwrap_or(usize::MAX), "choice"),
        ];
        page.push_str(&format!("{} · {}\n", plain(&end.reason), facts.join(" · ")));
        self.view.finish(page)
    }

    fn standings(&self, standings: &[RunStanding]) -> String {
        let width = standings.iter().map(|standing| standing.claim.chars().count()).max().unwrap_or(0);
        let mut page = String::new();
        for standing in standings {
            let mark = match (standing.alarm, self.view.letters) {
                (true, Letters::Unicode) => self.view.paint(Tone::Bad, "✗"),
                (true, Letters::Ascii) => "FAIL".to_owned(),
                (false, _) => "·".to_owned(),
            };
            let claim = plain(&standing.claim);
            let since = standing.cycle.map(|cycle| format!(" in cycle {cycle}")).unwrap_or_default();
            page.push_str(&format!(
                "  {mark} {}  {}{since}\n",
                pad(&claim, width),
                plain(&standing.standing)
            ));
        }
        page
    }
}

/// `chosen plan 4 (L2 0.4470) over plan 5 (L2 0.4131): advice`
fn choice(cycle: &RunCycle) -> Option<String> {
    let valued = |alternative: &RunAlternative| {
        let values: Vec<String> =
            alternative.values.iter().map(|value| format!("{} {}", value.query, value.value)).collect();
        let values = if values.is_empty() { String::new() } else { format!(" ({})", values.join(", ")) };
        format!("{}{values}", plain(&alternative.text))
    };
    let at = cycle.choice?;
    let chosen = cycle.alternatives.get(at)?;
    let others = cycle.alternatives.iter().enumerate().filter(|(other, _)| *other != at);
    let others: Vec<String> = others.map(|(_, other)| valued(other)).collect();
    Some(format!("chosen {} over {}: {}", valued(chosen), others.join(", "), plain(&cycle.reason)))
}

/// That a run which was followed again is as recorded.
#[must_use]
pub fn run_same(end: &RunEnd, view: &View) -> String {
    let cycles = count(usize::try_from(end.cycles).unwrap_or(usize::MAX), "cycle");
    view.finish(format!("{cycles} as recorded: the same choices, orders and changes\n"))
}

/// What is not as recorded, with both sides.
#[must_use]
pub fn run_difference(difference: &RunDifference, view: &View) -> String {
    let head = format!("cycle {} is not as recorded: {}", difference.cycle, difference.what);
    let page = format!(
        "{}\n  recorded  {}\n  now       {}\n",
        view.paint(Tone::Bad, &head),
        plain(&difference.recorded),
        plain(&difference.now)
    );
    view.finish(page)
}

fn short(text: &str) -> String {
    plain(&text.chars().take(LIMIT_TEXT).collect::<String>())
}

fn times_text(times: u64) -> String {
    if times == 1 { "once".to_owned() } else { format!("{} times", grouped(times)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acting::live::RunValue;

    fn teller(show: RunShow) -> RunTeller {
        RunTeller::new(View::default(), show)
    }

    #[test]
    fn a_cycle_in_which_nothing_happens_is_not_told() {
        let cycle = RunCycle { cycle: 7, ..RunCycle::default() };
        assert_eq!(teller(RunShow::Changes).cycle(&cycle), "");
        assert_eq!(teller(RunShow::Full).cycle(&cycle), "      7\n");
    }

    #[test]
    fn a_choice_is_told_with_its_values_and_its_reason() {
        let alternative = |text: &str, value: &str| RunAlternative {
            text: text.to_owned(),
            values: vec![RunValue { query: "L2".to_owned(), value: value.to_owned() }],
        };
        let cycle = RunCycle {
            cycle: 12,
            alternatives: vec![alternative("plan 4", "0.41"), alternative("plan 5", "0.44")],
            choice: Some(1),
            reason: "best for L2".to_owned(),
            ..RunCycle::default()
        };
        assert_eq!(
            teller(RunShow::Changes).cycle(&cycle),
            "     12  chosen plan 5 (L2 0.44) over plan 4 (L2 0.41): best for L2\n"
        );
    }

    #[test]
    fn troubles_are_told_even_where_nothing_else_is() {
        let remarks =
            vec![RunRemark { about: "Skills are dead".to_owned(), text: "exit\ncode 3".to_owned() }];
        let cycle = RunCycle { cycle: 3, remarks, said: vec!["x".to_owned()], ..RunCycle::default() };
        assert_eq!(teller(RunShow::None).cycle(&cycle), "      3  ! Skills are dead: exit code 3\n");
    }

    #[test]
    fn the_letters_are_ascii_when_asked() {
        let view = View { letters: Letters::Ascii, ..View::default() };
        let standing = RunStanding {
            claim: "C".to_owned(),
            standing: "violated".to_owned(),
            cycle: Some(3),
            alarm: true,
        };
        let end =
            RunEnd { cycles: 1, reason: "bye".to_owned(), standings: vec![standing], ..RunEnd::default() };
        let page = RunTeller::new(view, RunShow::Changes).end(&end);
        assert!(page.is_ascii() && page.contains("FAIL C  violated in cycle 3"), "{page}");
        assert!(page.ends_with("1 cycle - 0 calls - 0 news - 0 choices\n"), "{page}");
    }
}

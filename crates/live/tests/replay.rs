//! Runs are followed again from their logs, and every difference is found.
#![cfg(unix)]

mod stage;

use motet_live::{Any, Comparison, JsonLines, Log, Minds, Replay, read_log};
use motet_render::{RunDifference, RunOrder};
use motet_source::{FileId, Problem};
use stage::{DONE, Play, Told, answering};

/// It rains in every second cycle; in the fifth nobody can be understood.
fn weather() -> String {
    let rain = |value: &str| format!("echo '{{\"percept\":\"It rains\",\"value\":{value}}}'");
    let body = format!(
        "test $((n % 2)) = 0 && {} || {}; test $n = 5 && echo what; {DONE}",
        rain("true"),
        rain("false")
    );
    answering("", &body)
}

/// A logged run of twelve cycles with random choices, as text.
fn logged() -> (Told, String) {
    let mut text = Vec::new();
    let play = Play::new().cycles(12);
    let mut link = play.link(&weather());
    let told = play.with(&mut link, &mut Any::new(7), &mut [&mut JsonLines::new(&mut text, Minds::LeftOut)]);
    (told, String::from_utf8(text).expect("a log is a text"))
}

fn read(text: &str) -> Result<Log, Box<Problem>> {
    read_log(FileId(0), text)
}

fn followed(log: &Log, seed: u64) -> (Told, Option<RunDifference>) {
    let mut comparison = Comparison::new(log);
    let told = Play::new().with(&mut Replay::new(log), &mut Any::new(seed), &mut [&mut comparison]);
    let difference = comparison.difference().cloned();
    (told, difference)
}

#[test]
fn the_same_seed_and_the_same_answers_make_the_same_log() {
    let (told, text) = logged();
    assert_eq!(told.end.choices, 5, "it rains in the cycles 3, 5, 7, 9 and 11");
    assert_eq!(logged().1, text);
}

#[test]
fn a_run_that_is_followed_again_is_the_same_run() {
    let (told, text) = logged();
    let log = read(&text).expect("what was written can be read");
    let (again, difference) = followed(&log, 7);
    assert_eq!(difference, None);
    assert_eq!(again.cycles, told.cycles);
    assert_eq!((again.end.end, again.end.reason), (told.end.end, told.end.reason));
}

#[test]
fn another_seed_is_found_as_another_choice() {
    let log = read(&logged().1).expect("a log");
    let (told, difference) = followed(&log, 8);
    let difference = difference.expect("seed 8 draws otherwise");
    assert_eq!(difference.what, "choice");
    assert_ne!(difference.recorded, difference.now);
    assert_eq!((told.end.end.as_str(), told.end.cycles), ("difference", difference.cycle));
}

#[test]
fn orders_and_changes_that_differ_are_told_with_both_sides() {
    let mut log = read(&logged().1).expect("a log");
    let other = RunOrder::Stop { stop: "Look".to_owned(), agent: "ann".to_owned() };
    log.cycles[4].orders.push(other);
    let difference = followed(&log, 7).1.expect("the log says more");
    assert_eq!((difference.cycle, difference.what.as_str()), (5, "orders"));
    assert_eq!(difference.recorded, "{\"stop\":\"Look\",\"agent\":\"ann\"}");
    assert_eq!(difference.now, "nothing");
    log.cycles[4].orders.pop();
    log.cycles[6].changes.clear();
    let difference = followed(&log, 7).1.expect("the log says less");
    assert_eq!(
        (difference.cycle, difference.what.as_str(), difference.recorded.as_str()),
        (7, "changes", "nothing")
    );
}

#[test]
fn a_log_without_an_end_is_followed_as_far_as_it_goes() {
    let (_, text) = logged();
    let kept: Vec<&str> = text.lines().take(6).collect();
    let log = read(&format!("{}\n", kept.join("\n"))).expect("whole lines are a log");
    let (told, difference) = followed(&log, 7);
    assert_eq!(difference, None);
    assert_eq!((told.end.cycles, told.end.end.as_str()), (5, "log"));
}

#[test]
fn a_torn_log_is_refused_at_the_line() {
    let (_, text) = logged();
    let torn = &text[..text.len() - 20];
    let problem = read(torn).expect_err("the last line is cut off");
    assert_eq!(problem.code, "M0062");
    assert_eq!(text[..problem.span.start as usize].lines().count(), 13);
    let without: String =
        text.lines().enumerate().filter(|(at, _)| *at != 3).map(|(_, line)| format!("{line}\n")).collect();
    let problem = read(&without).expect_err("cycle 3 is missing");
    assert_eq!(problem.code, "M0062");
    assert!(problem.message.contains("this is cycle 4, where cycle 3 should be"), "{}", problem.message);
    let twice = format!("{text}{text}");
    assert_eq!(read(&twice).expect_err("two runs").code, "M0062");
}

#[test]
fn a_foreign_file_and_a_later_version_are_refused() {
    let (_, text) = logged();
    for foreign in [
        "",
        "\n",
        "hello\n",
        "{\"schema\":\"motet.report/1\"}\n",
        "[]\n",
        "{\"event\":\"cycle\",\"cycle\":1}\n",
    ] {
        assert_eq!(read(foreign).expect_err("not a log").code, "M0060", "{foreign:?}");
    }
    let later = text.replacen("motet.run/1", "motet.run/2", 1);
    assert_eq!(read(&later).expect_err("a later version").code, "M0061");
}

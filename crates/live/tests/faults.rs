//! Skills that do not keep to any rule: each run ends by itself, says what was wrong, and leaves no process behind.
#![cfg(target_os = "linux")]

mod stage;

use std::sync::atomic::Ordering;
use std::time::Duration;

use motet_live::{First, JsonLines, Minds, Pace, Skills as _};
use motet_model::Trouble;
use stage::{DONE, Play, answering, fresh, gone};

/// For skills that never answer. Nothing depends on how long it is.
const SHORT: Duration = Duration::from_millis(30);

#[test]
fn skills_that_keep_to_the_protocol_are_told_bye_and_end() {
    let path = fresh("polite");
    let told = Play::new().cycles(5).skills(&answering(&format!("echo $$ > {}", path.display()), DONE));
    assert_eq!((told.end.end.as_str(), told.end.cycles, told.end.calls), ("cycles", 5, 5));
    assert_eq!(told.end.remarks, []);
    assert_eq!(told.end.troubles, []);
    assert!(gone(&path));
}

#[test]
fn skills_that_die_at_the_start_end_the_run_with_what_they_said() {
    let told = Play::new().skills("echo no chart on board >&2; exit 3");
    assert_eq!((told.end.end.as_str(), told.end.cycles), ("dead", 0));
    assert_eq!(told.about(Trouble::Dead), [(0, "the skills ended with exit code 3")]);
    let texts: Vec<&str> = told.end.remarks.iter().map(|remark| remark.text.as_str()).collect();
    assert!(texts.contains(&"no chart on board"), "{texts:?}");
}

#[test]
fn a_command_that_does_not_exist_is_dead_at_the_start() {
    let told = Play::new().skills("/nowhere/to/be/found");
    assert_eq!(told.end.end, "dead");
    assert_eq!(told.about(Trouble::Dead), [(0, "the skills ended with exit code 127")]);
}

#[test]
fn skills_that_die_later_are_news_once_and_the_agents_get_cycles_of_grace() {
    let body = format!("test $n = 3 && exit 4; {DONE}");
    let told = Play::new().skills(&answering("", &body));
    assert_eq!((told.end.end.as_str(), told.end.cycles), ("dead", 6));
    assert_eq!(told.about(Trouble::Dead), [(3, "the skills ended with exit code 4")]);
    assert_eq!(told.heard(Trouble::Dead), [3]);
    assert_eq!(told.end.troubles, [("Skills are dead".to_owned(), 1)]);
}

#[test]
fn skills_that_are_killed_say_by_which_signal() {
    let told = Play::new().skills(&answering("", "kill -9 $$"));
    assert_eq!(told.about(Trouble::Dead), [(1, "the skills were ended by signal 9")]);
}

#[test]
fn skills_that_stall_are_told_of_each_cycle_and_end_the_run_in_the_end() {
    let path = fresh("stall");
    let body = format!("test $n -lt 3 && {DONE}");
    let told = Play::new()
        .timeout(Duration::from_millis(300))
        .skills(&answering(&format!("echo $$ > {}", path.display()), &body));
    assert_eq!((told.end.end.as_str(), told.end.cycles), ("silent", 6));
    assert_eq!(told.heard(Trouble::Silent), [3, 4, 5, 6]);
    assert_eq!(told.about(Trouble::Silent)[0], (3, "the skills did not end cycle 3 in 300ms"));
    assert!(gone(&path));
}

#[test]
fn the_late_end_of_an_earlier_cycle_does_not_end_the_present_one() {
    let rain = "echo '{\"percept\":\"It rains\",\"value\":true}'";
    let body =
        format!("test $n = 2 && continue; test $n = 3 && {{ echo '{{\"done\":2}}'; {rain}; }}; {DONE}");
    let told = Play::new().cycles(4).timeout(Duration::from_millis(500)).skills(&answering("", &body));
    assert_eq!(told.heard(Trouble::Silent), [2]);
    assert!(told.cycles[2].changes.iter().any(|change| change.item == "It rains"), "{:?}", told.cycles[2]);
    assert_eq!(told.end.end, "cycles");
}

#[test]
fn skills_that_are_never_ready_are_news_and_the_run_goes_on() {
    let told = Play::new().cycles(2).timeout(SHORT).skills("while read -r line; do :; done");
    assert_eq!(told.about(Trouble::Silent).len(), 3, "{:?}", told.cycles);
    assert!(told.about(Trouble::Silent)[0].1.contains("that they are ready"));
    assert_eq!(told.end.end, "cycles");
}

#[test]
fn what_is_said_beyond_the_limit_is_dropped_and_counted() {
    let rain = "echo '{\"percept\":\"It rains\",\"value\":true}'";
    let body = format!("i=0; while test $i -lt 150; do {rain}; i=$((i+1)); done; {DONE}");
    let told = Play::new().cycles(2).skills(&answering("", &body));
    assert_eq!(told.about(Trouble::Flood)[0], (1, "50 lines were dropped: too many in one cycle"));
    assert_eq!(told.heard(Trouble::Flood), [1, 2]);
    assert_eq!((told.end.end.as_str(), told.end.news), ("cycles", 200));
}

#[test]
fn a_flood_without_end_ends_the_run() {
    let path = fresh("flood");
    let flood = "while :; do echo '{\"percept\":\"It rains\",\"value\":true}'; done";
    let mut play = Play::new().timeout(Duration::from_millis(200));
    play.patience = SHORT;
    let told = play.skills(&format!("echo $$ > {}; echo '{{\"ready\":\"x\"}}'; {flood}", path.display()));
    assert_eq!(told.end.end, "silent");
    assert_eq!(told.heard(Trouble::Flood).len(), told.cycles.len());
    assert!(told.cycles.iter().all(|cycle| cycle.news.len() <= 103), "a hundred lines and the troubles");
    assert!(gone(&path));
}

#[test]
fn nonsense_is_told_once_of_each_kind_in_a_cycle() {
    let lines =
        "echo hello; echo world; echo '[1]'; echo '{\"percept\":1}'; printf '\\377\\n'; echo '{\"done\":99}'";
    let told = Play::new().cycles(1).skills(&answering("", &format!("{lines}; {DONE}")));
    let texts: Vec<&str> = told.about(Trouble::Nonsense).into_iter().map(|(_, text)| text).collect();
    assert_eq!(
        texts,
        [
            "not JSON: hello",
            "not a JSON object: [1]",
            "a message of the wrong shape (`percept` is no text): {\"percept\":1}",
            "not UTF-8: \u{fffd}",
            "the end of a cycle that has not begun: {\"done\":99}",
        ]
    );
    assert_eq!(told.heard(Trouble::Nonsense), [1]);
    assert_eq!(told.end.troubles, [("Skills talk nonsense".to_owned(), 1)]);
}

#[test]
fn news_that_mean_nothing_are_remarks() {
    let news = "echo '{\"message\":\"Ahoy\",\"from\":\"operator\"}'";
    let told = Play::new().cycles(1).skills(&answering("", &format!("{news}; {DONE}")));
    assert_eq!(told.about(Trouble::UnknownMessage).len(), 1);
    assert_eq!(told.end.troubles, [("Unknown message".to_owned(), 1)]);
}

#[test]
fn a_line_beyond_every_measure_is_skipped() {
    let huge = "head -c 3000000 /dev/zero | tr '\\0' x; echo";
    let rain = "echo '{\"percept\":\"It rains\",\"value\":true}'";
    let told = Play::new().cycles(1).skills(&answering("", &format!("{huge}; {rain}; {DONE}")));
    let texts = told.about(Trouble::Nonsense);
    assert_eq!(texts.len(), 1);
    assert!(texts[0].1.starts_with("a line of more than 64 KiB: xxx") && texts[0].1.len() < 200, "{texts:?}");
    assert!(told.cycles[0].changes.iter().any(|change| change.item == "It rains"));
}

#[test]
fn skills_that_close_their_output_are_dead_although_they_live() {
    let path = fresh("closed");
    let mut play = Play::new();
    play.patience = SHORT;
    let told = play.skills(&answering(&format!("echo $$ > {}", path.display()), "exec 1>&-; sleep 600"));
    assert_eq!(told.end.end, "dead");
    assert_eq!(told.about(Trouble::Dead), [(1, "the skills closed their output")]);
    assert!(gone(&path));
}

#[test]
fn skills_that_do_not_read_cannot_hold_up_the_run() {
    let path = fresh("deaf");
    let mut play = Play::new().cycles(3).timeout(SHORT);
    play.team.load = (4_000, 400);
    play.patience = SHORT;
    let told = play.skills(&format!("echo $$ > {}; echo '{{\"ready\":\"x\"}}'; sleep 600", path.display()));
    let texts = told.about(Trouble::Silent);
    assert!(texts[0].1.starts_with("the skills do not listen; "), "{texts:?}");
    assert_eq!((told.end.end.as_str(), told.end.cycles), ("cycles", 3));
    assert!(gone(&path));
}

#[test]
fn skills_that_do_not_hear_bye_are_ended_with_what_they_started() {
    let path = fresh("deaf-to-bye");
    let before = format!("trap '' TERM INT HUP; sleep 600 & echo $$ $! > {}", path.display());
    let script = answering(&before, DONE).replace("exit 0", "continue");
    let mut play = Play::new().cycles(2);
    play.patience = SHORT;
    let told = play.skills(&format!("{script}; sleep 600"));
    assert_eq!(told.end.end, "cycles");
    assert_eq!(told.end.remarks.len(), 1);
    assert_eq!(told.end.remarks[0].text, "the skills did not end in 30ms and were ended");
    assert!(gone(&path));
}

#[test]
fn skills_may_end_the_run() {
    let body = format!("test $n = 3 && echo '{{\"bye\":\"mission over\"}}'; {DONE}");
    let told = Play::new().skills(&answering("", &body));
    assert_eq!((told.end.end.as_str(), told.end.cycles), ("bye", 3));
    assert_eq!(told.end.reason, "the skills said bye: mission over");
}

#[test]
fn an_interrupted_run_says_bye() {
    let path = fresh("interrupted");
    let script =
        answering("", DONE).replace("exit 0", &format!("echo \"$line\" > {}; exit 0", path.display()));
    let play = Play::new();
    let interrupt = std::sync::Arc::clone(&play.interrupt);
    let mut link = play.link(&script);
    let mut stop = |event: &motet_render::RunEvent| {
        if matches!(event, motet_render::RunEvent::Cycle(cycle) if cycle.cycle == 4) {
            interrupt.store(true, Ordering::Relaxed);
        }
    };
    let told = play.with(&mut link, &mut First, &mut [&mut stop]);
    assert_eq!((told.end.end.as_str(), told.end.cycles), ("interrupted", 4));
    let heard = String::from_utf8(std::fs::read(&path).expect("the skills heard bye")).expect("a text");
    assert_eq!(heard, "{\"bye\":\"interrupted\"}\n");
}

#[test]
fn skills_are_put_away_when_the_run_is_dropped() {
    let path = fresh("dropped");
    let mut link = Play::new().link(&answering(&format!("echo $$ > {}", path.display()), "sleep 600"));
    let manifest = motet_model::Manifest::default();
    let gathered = link.begin(&motet_live::Hello::new(&manifest, Pace::Lockstep, 1.0));
    assert_eq!(gathered.ready.as_deref(), Some("sh"));
    drop(link);
    assert!(gone(&path));
}

#[test]
fn a_log_that_cannot_be_written_is_news_once_and_the_run_goes_on() {
    let full = std::fs::File::create("/dev/full").expect("this system has a full device");
    let mut log = JsonLines::new(full, Minds::LeftOut);
    let play = Play::new().cycles(4);
    let mut link = play.link(&answering("", DONE));
    let told = play.with(&mut link, &mut First, &mut [&mut log]);
    assert_eq!((told.end.end.as_str(), told.end.cycles), ("cycles", 4));
    assert_eq!(told.about(Trouble::LogLost).len(), 1);
    assert_eq!(told.heard(Trouble::LogLost), [1]);
}

#[test]
fn with_a_rate_nobody_is_waited_for() {
    let mut play = Play::new().cycles(6).timeout(Duration::from_secs(600));
    play.pace = Pace::Rate(200.0);
    let told = play.skills("read hello; echo '{\"ready\":\"x\"}'; while read -r line; do :; done");
    assert_eq!((told.end.end.as_str(), told.end.cycles), ("cycles", 6));
    assert_eq!(told.end.troubles, []);
    assert!(told.cycles.windows(2).all(|pair| pair[0].millis <= pair[1].millis && pair[0].millis.is_some()));
}

#[test]
fn with_a_rate_silence_is_told_once_and_death_gets_its_cycles_of_grace() {
    let mut play = Play::new().timeout(SHORT);
    play.pace = Pace::Rate(200.0);
    let told = play.skills("read hello; echo '{\"ready\":\"x\"}'; sleep 0.4; exit 5");
    assert_eq!(told.about(Trouble::Silent).len(), 1, "{:?}", told.about(Trouble::Silent));
    assert_eq!(told.about(Trouble::Dead).len(), 1);
    assert_eq!(told.end.end, "dead");
    assert_eq!(told.about(Trouble::Dead)[0].0 + 3, told.end.cycles);
}

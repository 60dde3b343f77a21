//! Paths, names and options that are wrong, each with its code and its way out.

use crate::folder::Folder;

const ROBOT: &str = "!go.\n+!go <- +gone.\n";
const MODE: &str = "--mode=jason";

fn refused(folder: &Folder, arguments: &[&str], code: &str, words: &str) {
    let answer = folder.motet(arguments);
    assert_eq!(answer.code, 3, "{arguments:?}: {}{}", answer.stdout, answer.stderr);
    let text = format!("{}{}", answer.stdout, answer.stderr);
    assert!(text.contains(&format!("error[{code}]")) && text.contains(words), "{arguments:?}: {text}");
    let entry = folder.motet(&["explain", code]);
    assert_eq!(entry.code, 0, "{}", entry.stderr);
    assert!(entry.stdout.starts_with(code), "{}", entry.stdout);
}

#[test]
fn a_path_that_does_not_exist_is_a_problem_with_a_suggestion() {
    let folder = Folder::new("missing", &[("robot.asl", ROBOT)]);
    refused(&folder, &["check", "robto.asl"], "M0001", "there is `robot.asl`");
    refused(&folder, &["check", "elsewhere/entirely"], "M0001", "there is nothing at");
}

#[test]
fn a_folder_without_agents_is_no_model() {
    let folder = Folder::new("empty", &[("notes.txt", "hello")]);
    refused(&folder, &["check", "."], "M0002", "holds no model");
}

#[test]
fn a_file_that_is_too_large_is_refused_unread() {
    let folder = Folder::new("large", &[("robot.asl", ROBOT)]);
    folder.write("big.asl", &vec![b' '; (8 << 20) + 1]);
    refused(&folder, &["check", "big.asl"], "M0003", "8 MiB");
}

#[test]
#[cfg(unix)]
fn a_device_is_not_read() {
    let folder = Folder::new("device", &[]);
    refused(&folder, &["check", "/dev/zero"], "M0005", "not a regular file");
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let folder = Folder::new("binary", &[]);
    folder.write("a.asl", b"+!go <- \xff\xfe.");
    folder.write("b.asl", b"+!go\0 <- x.");
    refused(&folder, &["check", "a.asl"], "M0004", "not a text");
    refused(&folder, &["check", "b.asl"], "M0004", "not a text");
}

#[test]
fn unknown_languages_claims_and_parameters_are_named() {
    let folder = Folder::new(
        "names",
        &[("robot.asl", ROBOT), ("robot.props", "property Goal: <> Bel(robot, gone)\n")],
    );
    refused(&folder, &["check", "robot.asl", "--lang", "brainfuck"], "M0006", "AgentSpeak");
    refused(&folder, &["check", "robot.asl", MODE, "-p", "Gaol"], "M0007", "there is `Goal`");
    refused(&folder, &["check", "robot.asl", MODE, "-D", "SPEED=3"], "M0501", "SPEED");
}

#[test]
fn a_constant_of_the_claims_can_be_bound_although_the_model_does_not_know_it() {
    let claims = "const WHEN: int\nproperty P: [] (WHEN > 3 | !Bel(robot, gone))\n";
    let folder = Folder::new("constants", &[("robot.asl", ROBOT), ("robot.props", claims)]);
    let answer = |value: &str| folder.motet(&["check", "robot.asl", MODE, "-D", value]);
    let (low, high) = (answer("WHEN=1"), answer("WHEN=7"));
    assert_eq!((low.code, high.code), (1, 0), "{}{}", low.stdout, high.stdout);
}

#[test]
fn a_trace_that_is_none_or_does_not_fit_is_refused() {
    let folder =
        Folder::new("traces", &[("robot.asl", ROBOT), ("robot.props", "property P: [] !Bel(robot, gone)\n")]);
    folder.write("none.json", b"{}");
    refused(&folder, &["trace", "show", "none.json"], "M0011", "is not a trace");
    assert_eq!(folder.motet(&["check", "robot.asl", MODE]).code, 1);
    folder.write("robot.asl", b"!go.\n!wait.\n+!wait <- +waited.\n+!go <- +gone.\n");
    refused(&folder, &["trace", "show", ".motet/traces/P.itf.json"], "M0010", "check again");
}

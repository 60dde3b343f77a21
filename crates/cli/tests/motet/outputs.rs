//! What leaves the program when the disk is full, the folder may not be written, or a folder has the file's name.

use crate::folder::Folder;

const NET: &str =
    "system net N() {\n  place a : token = 1;\n  place b : token;\n  transition t { in a; out b; }\n}\n";
/// Of two claims one fails.
const CLAIMS: &str = "property Stays: always #a = 1\nproperty Moves: eventually #b = 1\n";
const FINE: &str = "property Moves: eventually #b = 1\n";

fn net(name: &str, claims: &str) -> Folder {
    Folder::new(name, &[("n.npn", NET), ("n.props", claims)])
}

#[test]
#[cfg(target_os = "linux")]
fn a_report_that_is_lost_on_standard_output_has_an_exit_code_of_its_own() {
    for (claims, code) in [(FINE, 0), (CLAIMS, 1)] {
        let folder = net("lost-stdout", claims);
        for form in ["human", "json", "jsonl"] {
            let line = format!("\"$MOTET\" check n.npn --format {form}");
            assert_eq!(folder.shell(&line).code, code);
            let lost = folder.shell(&format!("{line} > /dev/full"));
            assert_eq!(lost.code, 6, "{}", lost.stderr);
            assert_eq!(lost.stderr.matches("error[M0025]").count(), 1, "{}", lost.stderr);
            assert!(lost.stderr.contains("standard output"), "{}", lost.stderr);
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn every_verb_says_that_its_output_was_lost() {
    let folder = net("lost-verbs", FINE);
    folder.motet(&["sim", "n.npn", "--seed", "1"]);
    let lines = [
        "sim n.npn --seed 1",
        "sim n.npn -n 3 --format json",
        "sim n.npn --choose 1",
        "vocab n.npn",
        "explain M0001",
        "explain -e 'F a'",
        "export n.npn --to pnml",
        "export n.npn --to aut",
        "nets report n.npn",
        "nets show n.npn",
        "trace show .motet/traces/sim-1-0.itf.json",
        "doctor",
        "man",
        "completions bash",
        "--help",
        "--version",
        "check --help",
        "",
    ];
    for line in lines {
        let lost = folder.shell(&format!("\"$MOTET\" {line} > /dev/full"));
        assert_eq!(lost.code, 6, "{line}: {}", lost.stderr);
        assert_eq!(lost.stderr.matches("error[M0025]").count(), 1, "{line}: {}", lost.stderr);
    }
}

#[test]
#[cfg(unix)]
fn a_reader_that_goes_away_is_no_error() {
    let folder = net("broken-pipe", FINE);
    for line in ["check n.npn --format json", "sim n.npn --format json", "export n.npn --to aut", "man"] {
        let gone = folder.shell(&format!("\"$MOTET\" {line} | true; exit ${{PIPESTATUS[0]}}"));
        assert_eq!((gone.code, gone.stderr.as_str()), (0, ""), "{line}");
    }
}

#[test]
fn a_report_that_fails_keeps_no_other_from_being_written() {
    let folder = net("others", CLAIMS);
    folder.write("file", b"in the way");
    folder.write("taken/inner", b"");
    let reports = [
        "junit=file/below.xml",
        "json=taken",
        "junit=good.xml",
        "html=good.html",
        "coverage=file/c.html",
        "json=good.json",
        "coverage=c.html",
    ];
    let mut arguments = vec!["check", "n.npn", "--strategy", "file/s.csv"];
    reports.iter().for_each(|report| arguments.extend(["--report", report]));
    let answer = folder.motet(&arguments);
    assert_eq!(answer.code, 6, "{}", answer.stderr);
    assert!(answer.stdout.contains("✗ Stays"), "{}", answer.stdout);
    for lost in ["--report junit=file/below.xml", "--report json=taken", "--report coverage=file/c.html"] {
        assert!(answer.stderr.contains(lost), "{lost}: {}", answer.stderr);
    }
    assert_eq!(answer.stderr.matches("error[M0025]").count(), 3, "{}", answer.stderr);
    assert_eq!(answer.stderr.matches("warning[M0026]").count(), 1, "{}", answer.stderr);
    assert!(folder.read("good.html").contains("<html") && folder.read("c.html").contains("<html"));
    assert!(folder.read("good.xml").contains("<failure "));
    let report: serde_json::Value = serde_json::from_str(&folder.read("good.json")).expect("it is JSON");
    assert_eq!(report["exit"], 6, "it is written after those that were lost");
}

#[test]
fn a_report_with_nothing_to_show_changes_nothing() {
    let agent = Folder::new(
        "nothing",
        &[("r.asl", "!go.\n+!go <- +gone.\n"), ("r.props", "property P: <> Bel(r, gone)\n")],
    );
    let arguments = [
        "check",
        "r.asl",
        "--mode=jason",
        "--report",
        "html=a.html",
        "--strategy",
        "s.csv",
        "--report",
        "json=r.json",
    ];
    let answer = agent.motet(&arguments);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert_eq!(answer.stderr.matches("warning[M0026]").count(), 2, "{}", answer.stderr);
    assert_eq!(agent.files(), ["r.asl", "r.json", "r.props"]);
    let sim = agent.motet(&["sim", "r.asl", "--mode=jason", "--seed", "1", "--report", "html=a.html"]);
    assert_eq!(sim.code, 0, "{}", sim.stderr);
    assert!(sim.stderr.contains("warning[M0026]") && sim.stdout.contains("Again:"), "{}", sim.stderr);
}

#[test]
fn all_files_of_a_sweep_are_tried() {
    let model = "dtmc\nconst int N;\nmodule m\n s : [0..9] init 0;\n [] s<N -> 1/2:(s'=s+1) + 1/2:true;\n [] s>=N -> true;\nendmodule\n";
    let folder = Folder::new(
        "sweep-files",
        &[("m.prism", model), ("m.props", "property Q: eventually s=N\n"), ("file", "")],
    );
    let answer = folder.motet(&[
        "sweep",
        "m.prism",
        "-D",
        "N=1,2",
        "--csv",
        "file/a.csv",
        "--json",
        "b.json",
        "--svg",
        "c.svg",
        "--report",
        "csv=d.csv",
    ]);
    assert_eq!(answer.code, 6, "{}", answer.stderr);
    assert!(
        answer.stderr.contains("--csv file/a.csv") && answer.stderr.contains("warning[M0026]"),
        "{}",
        answer.stderr
    );
    assert_eq!(folder.files(), ["b.json", "d.csv", "file", "m.prism", "m.props"]);
}

#[test]
#[cfg(unix)]
fn a_file_is_written_whole_or_not_at_all() {
    let folder = net("whole", CLAIMS);
    folder.write("r.json", b"what was there before");
    // No file may grow beyond 1024 bytes, which is less than the report.
    let short = folder.shell(
        "trap '' XFSZ; ulimit -f 1; \"$MOTET\" check n.npn --report json=r.json --report junit=new.xml",
    );
    assert_eq!(short.code, 6, "{}", short.stderr);
    assert_eq!(folder.read("r.json"), "what was there before");
    assert!(folder.files().iter().all(|name| !name.ends_with(".part")), "{:?}", folder.files());
    let long = folder.motet(&["check", "n.npn", "--report", "json=r.json"]);
    assert_eq!(long.code, 1, "{}", long.stderr);
    assert!(folder.read("r.json").starts_with('{'));
    assert_eq!(folder.files(), ["n.npn", "n.props", "new.xml", "r.json"]);
}

#[test]
#[cfg(target_os = "linux")]
fn links_are_followed_rights_are_kept_and_devices_are_written_through() {
    let folder = net("links", FINE);
    let line = "mkdir -p far && echo old > far/real.json && chmod 640 far/real.json && ln -s far/real.json link.json && \
                \"$MOTET\" check n.npn --report json=link.json --report junit=/dev/null --report json=/dev/stderr && \
                stat -c %a far/real.json && test -L link.json && head -c 1 far/real.json";
    let answer = folder.shell(line);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(answer.stdout.ends_with("640\n{"), "{}", answer.stdout);
    assert!(answer.stderr.contains("motet.report/1"), "{}", answer.stderr);
    let full = folder.motet(&["check", "n.npn", "--report", "json=/dev/full"]);
    assert_eq!(full.code, 6, "{}", full.stderr);
}

#[test]
fn exports_formatted_claims_and_saved_runs_are_lost_aloud() {
    let folder = net("lost-files", "property   Moves: eventually   #b = 1\n");
    folder.write("file", b"");
    for line in [
        "export n.npn --to pnml -o file/n.pnml",
        "export n.npn --to aut -o file/n.aut",
        "sim n.npn --seed 1 --trace-dir file/traces",
        "check n.npn --trace-dir file/traces -e 'always #a = 1'",
        "sim n.npn --seed 1 --report html=file/a.html",
    ] {
        let lost = folder.shell(&format!("\"$MOTET\" {line}"));
        assert_eq!(lost.code, 6, "{line}: {}", lost.stderr);
        assert!(
            lost.stderr.contains("error[M0025]") && lost.stderr.contains("file/"),
            "{line}: {}",
            lost.stderr
        );
    }
    // Nobody asked for runs below `.motet`.
    let other = net("lost-courtesy", FINE);
    other.write(".motet", b"");
    let courtesy = other.motet(&["sim", "n.npn", "--seed", "1"]);
    assert_eq!(courtesy.code, 0, "{}", courtesy.stderr);
    assert!(courtesy.stderr.contains("the run was not saved"), "{}", courtesy.stderr);
}

#[test]
#[cfg(target_os = "linux")]
fn a_system_that_starts_no_thread_is_told_and_is_no_bug_of_the_tool() {
    let folder = net("threadless", FINE);
    // The thread that everything happens in has a large stack, for which there is no room here.
    let line = |form: &str| format!("ulimit -v 240000; \"$MOTET\" check n.npn --format {form}");
    let person = folder.shell(&line("human"));
    assert_eq!(person.code, 4, "{}", person.stderr);
    assert!(person.stderr.contains("error[M0015]: the system starts no thread"), "{}", person.stderr);
    let program = folder.shell(&line("json"));
    let failure: serde_json::Value = serde_json::from_str(&program.stdout).expect("it is JSON");
    assert_eq!((program.code, &failure["diagnostics"][0]["code"]), (4, &"M0015".into()), "{failure}");
}

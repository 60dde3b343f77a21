//! The commands whose calls to the system fail, one after the other, and the model that they are about.

/// What is done with a model, and what has to be there afterwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case {
    pub(super) name: &'static str,
    /// Done before, undisturbed.
    pub(super) before: &'static [&'static str],
    /// The command whose calls fail.
    pub(super) command: &'static [&'static str],
    /// Done afterwards, undisturbed: its verdicts count too.
    pub(super) after: &'static [&'static str],
    /// The files that were asked for. They are there before, with another content.
    pub(super) files: &'static [&'static str],
}

/// What a file holds that is there before.
pub(super) const OLD: &str = "what was here before\n";

/// A model with a claim that holds, two that fail, one that is possible and one that asks for a number, large enough for several
/// threads.
pub(super) const MODEL: &str = "mdp
module a x : [0..15] init 0; [] x<15 -> 0.5 : (x'=x+1) + 0.5 : true; [go] x=15 -> (x'=0); endmodule
module b y : [0..15] init 0; [] y<15 -> (y'=y+1); [go] y=15 -> (y'=0); endmodule
module c z : [0..3] init 0; [] z<3 -> (z'=z+1); [go] true -> (z'=0); endmodule
";

pub(super) const CLAIMS: &str = "property Safe: never x > 15
property Low: never x + y > 20
property Ends: eventually z = 3
possible High: x = 15
query Chance: Pmax=? [F x = 15]
";

const REPORTS: &[&str] = &[
    "check",
    "model.prism",
    "--threads",
    "2",
    "--format",
    "json",
    "--report",
    "json=out/r.json",
    "--report",
    "junit=out/r.xml",
    "--report",
    "coverage=out/c.html",
    "--trace-dir",
    "runs",
];

/// All of them.
pub(super) const CASES: &[Case] = &[
    Case {
        name: "a check with reports and runs",
        before: &[],
        command: REPORTS,
        after: &[],
        files: &["out/r.json", "out/r.xml", "out/c.html", "runs/Low.itf.json"],
    },
    Case {
        name: "a check for people",
        before: &[],
        command: &["check", "model.prism", "--threads", "2", "--trace-dir", "runs"],
        after: &[],
        files: &["runs/Low.itf.json"],
    },
    Case {
        name: "a check that is saved and continued",
        before: &[],
        command: &[
            "check",
            "model.prism",
            "--states",
            "300",
            "--checkpoint",
            "1s",
            "--format",
            "json",
            "--threads",
            "1",
        ],
        after: &["check", "--resume", "--states", "100000", "--format", "json"],
        files: &[],
    },
    Case {
        name: "the continuation of a check",
        before: &[
            "check",
            "model.prism",
            "--states",
            "300",
            "--checkpoint",
            "1s",
            "--format",
            "json",
            "--threads",
            "1",
        ],
        command: &["check", "--resume", "--states", "100000", "--format", "json"],
        after: &[],
        files: &[],
    },
    Case {
        name: "an export",
        before: &[],
        command: &["export", "model.prism", "--to", "aut", "-o", "out/m.aut"],
        after: &[],
        files: &["out/m.aut"],
    },
    Case {
        name: "a walk",
        before: &[],
        command: &[
            "sim",
            "model.prism",
            "--seed",
            "1",
            "--steps",
            "5",
            "--format",
            "json",
            "--trace-dir",
            "runs",
        ],
        after: &[],
        files: &[],
    },
];

/// Limits, each with values from one that stops everything to one that stops nothing.
pub(super) const LIMITS: &[(&str, &[&str])] = &[
    ("--states", &["1", "2", "3", "10", "63", "64", "65", "300", "1023", "1024", "1025", "5000"]),
    ("--depth", &["1", "2", "5", "17", "40", "100"]),
    ("--time", &["1ms", "5ms", "20ms", "80ms", "300ms", "10s"]),
    ("--mem", &["1KiB", "1MiB", "8MiB", "16MiB", "24MiB", "28MiB", "32MiB", "40MiB", "64MiB", "256MiB"]),
];

//! How fast is the search, and how much memory does it take? A torus of 38^4 = 2 085 136 states with four processes,
//! each of which turns its own wheel. Run with `cargo run --release -p motet-engine --example torus`; another number of
//! teeth and a number of threads may follow.

use std::io::Write;

use motet_engine::{Settings, check_all};
use motet_evidence::{Fairness, replay_outcome};
use motet_model::{ActionId, AtomId, Fault, Model, ProcessId, Signature, State, Steps};
use motet_property::{Claim, Expect, Formula, Interval, Kind, Path};
use motet_source::{FileId, Span};

const WHEELS: usize = 4;

/// The wheels, and how many teeth each has.
struct Torus(Signature, u32);

impl Model for Torus {
    fn signature(&self) -> &Signature {
        &self.0
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        out.push(vec![0; WHEELS + 1].into());
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        for wheel in 0..WHEELS {
            let mut target = [0; WHEELS + 1];
            target.copy_from_slice(state);
            target[wheel] = (target[wheel] + 1) % self.1;
            let process = u32::try_from(wheel).expect("four wheels");
            out.push(ProcessId(process), ActionId(process), 0, &target);
        }
        Ok(())
    }

    /// Atom `n` holds while wheel `n` is at its last tooth.
    fn holds(&self, atom: AtomId, state: &State) -> bool {
        state[atom.index()] == self.1 - 1
    }
}

fn main() -> std::io::Result<()> {
    let names = |prefix: &str, n: usize| (0..n).map(|i| format!("{prefix}{i}")).collect();
    let mut arguments = std::env::args().skip(1).filter_map(|argument| argument.parse::<u32>().ok());
    let (size, threads) = (arguments.next().unwrap_or(38), arguments.next().unwrap_or(0) as usize);
    let signature = Signature {
        slots: names("wheel", WHEELS + 1),
        processes: names("turner", WHEELS),
        atoms: names("last", WHEELS),
        ..Signature::default()
    };
    let torus = Torus(signature, size);
    let atom = |n| Box::new(Path::Now(Formula::Atom(AtomId(n))));
    let any = Interval::default;
    let always = |path| Path::Always(any(), Box::new(path));
    let eventually = |path| Path::Eventually(any(), path);
    let claim = |name: &str, formula| Claim {
        name: name.to_owned(),
        words: None,
        kind: Kind::Property,
        formula,
        expect: Expect::Holds,
        span: Span::new(FileId(0), 0, 0),
        text: String::new(),
    };
    let claims = [
        claim("response, holds", always(Path::Implies(atom(0), Box::new(eventually(atom(1)))))),
        claim("recurrence, holds", always(eventually(atom(2)))),
        claim("persistence, fails", eventually(Box::new(always(*atom(3))))),
        claim(
            "together, fails",
            eventually(Box::new(Path::And(atom(0), Box::new(Path::And(atom(1), atom(2)))))),
        ),
    ];
    let settings = Settings { fairness: Fairness::Weak, threads, ..Settings::default() };
    let report = check_all(&torus, &claims, &settings, &mut |_| {});
    let mut out = std::io::stdout().lock();
    for (claim, outcome) in claims.iter().zip(&report.outcomes) {
        let length =
            outcome.evidence.as_ref().map(|evidence| (evidence.run.steps.len(), evidence.loop_start));
        let replayed = replay_outcome(&torus, &[], claim, outcome).is_ok();
        let (name, seconds) = (&claim.name, outcome.coverage.seconds);
        writeln!(
            out,
            "{name}: {:?} in {seconds:.2} s, {length:?}, replayed: {replayed}, {:?}, starved {:?}",
            outcome.verdict, outcome.vacuity, outcome.starved
        )?;
    }
    let coverage = report.coverage;
    let bytes = coverage.peak_bytes as f64 / coverage.states as f64;
    writeln!(out, "{coverage:?}\n{bytes:.1} bytes per state at the peak")
}

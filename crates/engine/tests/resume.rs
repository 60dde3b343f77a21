//! A search that is stopped anywhere and continued in another process says the same as one that never stopped.

mod support;

use std::io::{self, Read};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use motet_engine::{Damage, Keeper, Keeping, Limits, Report, Settings, check_all, verify};
use motet_evidence::Verdict;
use motet_model::{
    ActionId, AtomId, Facets, Fault, Model, ProcessId, Ratio, Signature, State, Steps, SubjectId, Subjects,
};
use motet_property::{Claim, Formula, Interval, Kind, Path, Query};
use support::claim;

/// Values of the slots, actions and subjects get their numbers when they are first met, as in a front-end.
struct Toy {
    signature: Signature,
    /// Per slot, then for actions: the values by number.
    met: Vec<Mutex<Vec<u32>>>,
    /// Changes what the model does.
    twist: u32,
}

const SIZE: u32 = 23;
const ACTIONS: usize = 3;

impl Toy {
    /// In another process other values are met first.
    fn new(process: u32, twist: u32) -> Self {
        let signature = Signature {
            slots: ["a", "b", "c"].map(str::to_owned).to_vec(),
            processes: vec!["p".to_owned()],
            atoms: vec!["x".to_owned(), "y".to_owned()],
            ..Signature::default()
        };
        let shuffled = |list: usize| {
            let values =
                (0..process * 5).map(|n| (n * 7 + process + u32::try_from(list).expect("few lists")) % SIZE);
            let mut met = Vec::new();
            values.for_each(|value| {
                if !met.contains(&value) {
                    met.push(value)
                }
            });
            Mutex::new(met)
        };
        Self { signature, met: (0..=ACTIONS).map(shuffled).collect(), twist }
    }

    fn number(&self, list: usize, value: u32) -> u32 {
        let mut met = self.met[list].lock().expect("nobody panics here");
        let place = met.iter().position(|known| *known == value).unwrap_or_else(|| {
            met.push(value);
            met.len() - 1
        });
        u32::try_from(place).expect("few values")
    }

    fn value(&self, list: usize, number: u32) -> u32 {
        self.met[list].lock().expect("nobody panics here")[number as usize]
    }

    fn state(&self, values: [u32; 3]) -> Vec<u32> {
        (0..3).map(|slot| self.number(slot, values[slot] % SIZE)).collect()
    }
}

impl Model for Toy {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn initial(&self, out: &mut Vec<Box<State>>) {
        for start in [[0, 0, 0], [5, 0, 1]] {
            out.push(self.state(start).into());
        }
    }

    fn steps(&self, state: &State, out: &mut Steps) -> Result<(), Fault> {
        let [a, b, c] = [0, 1, 2].map(|slot| self.value(slot, state[slot]));
        let action = |value: u32| ActionId(self.number(ACTIONS, value % SIZE));
        if a == 19 && b == 3 {
            return Ok(());
        }
        out.push(ProcessId(0), action(a), 1 + a % 3, &self.state([a + 1, b, c]));
        if c % 3 != 2 {
            let (left, right) = (self.state([a, b + 2 + self.twist, c]), self.state([b, a, c + 1]));
            let chance = |n| Ratio::new(n, 3).expect("a third of something");
            out.push_random(
                ProcessId(0),
                action(b + c),
                0,
                [(chance(1), &left[..]), (chance(2), &right[..])],
            );
        }
        if a > 12 {
            out.push(ProcessId(0), action(7), 2, &self.state([a, b, c + a]));
        }
        Ok(())
    }

    fn holds(&self, atom: AtomId, state: &State) -> bool {
        let [a, b, c] = [0, 1, 2].map(|slot| self.value(slot, state[slot]));
        if atom.0 == 0 { a == 22 && b == 17 && c == 21 } else { a == 19 && b == 3 }
    }

    fn facets(&self) -> Facets<'_> {
        Facets { subjects: Some(self), ..Facets::default() }
    }
}

impl Subjects for Toy {
    fn subject(&self, _: ProcessId, action: ActionId) -> SubjectId {
        SubjectId(action.0)
    }
}

/// A disk in memory.
#[derive(Default)]
struct Memory {
    log: Vec<u8>,
    committed: usize,
    commits: usize,
    refused: Option<Damage>,
    full: bool,
    abandoned: bool,
}

impl Keeper for Memory {
    fn open(&mut self, _: &str) -> io::Result<Option<Box<dyn Read>>> {
        self.log.truncate(self.committed);
        Ok((self.committed > 0).then(|| Box::new(io::Cursor::new(self.log.clone())) as Box<dyn Read>))
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.full {
            return Err(io::Error::other("no space left on device"));
        }
        self.log.extend_from_slice(bytes);
        Ok(())
    }

    fn commit(&mut self, _: u64) -> io::Result<()> {
        self.committed = self.log.len();
        self.commits += 1;
        Ok(())
    }

    fn refuse(&mut self, damage: Damage) {
        self.refused = Some(damage);
    }

    fn abandon(&mut self, _: &str) {
        self.abandoned = true;
    }
}

/// An invariant that fails late, something possible, and something that waits, so that all steps are kept.
fn claims(with_runs: bool) -> Vec<Claim<AtomId>> {
    let atom = |number| Formula::Atom(AtomId(number));
    let never = Path::Always(Interval::default(), Box::new(Path::Now(Formula::Not(Box::new(atom(0))))));
    let again = Path::Always(
        Interval::default(),
        Box::new(Path::Eventually(Interval::default(), Box::new(Path::Now(atom(1))))),
    );
    let mut claims = vec![claim(Kind::Property, never), claim(Kind::Possible, Path::Now(atom(1)))];
    claims.extend(with_runs.then(|| claim(Kind::Property, again)));
    claims
}

fn run(
    model: &Toy,
    claims: &[Claim<AtomId>],
    keeper: Option<&Arc<Mutex<Memory>>>,
    states: Option<u64>,
) -> Report {
    let keeping = keeper.map(|keeper| Keeping {
        keeper: keeper.clone(),
        every: Duration::ZERO,
        search: "toy".to_owned(),
    });
    let settings =
        Settings { limits: Limits { states, ..Limits::default() }, keeping, ..Settings::default() };
    check_all(model, claims, &settings, &mut |_| {})
}

/// What can be compared between processes: counts, verdicts and the runs by their ordinals.
fn told(report: &Report) -> String {
    let outcomes: Vec<_> = report
        .outcomes
        .iter()
        .map(|outcome| {
            let steps = outcome.evidence.as_ref().map(|evidence| {
                let steps = evidence.run.steps.iter().map(|step| (step.ordinal, step.branch, step.delay));
                (evidence.run.initial, steps.collect::<Vec<_>>())
            });
            (outcome.verdict.clone(), steps)
        })
        .collect();
    let all = &report.coverage;
    let counts = (all.states, all.transitions, all.choices, all.depth, all.complete, report.actions.len());
    format!("{counts:?} {outcomes:?}")
}

#[test]
fn a_search_that_goes_on_in_another_process_says_the_same_as_one_that_never_stopped() {
    for with_runs in [false, true] {
        let claims = claims(with_runs);
        let whole = run(&Toy::new(0, 0), &claims, None, None);
        assert!(whole.coverage.complete && whole.coverage.states > 5000, "{:?}", whole.coverage);
        assert_eq!(whole.outcomes[0].verdict, Verdict::Fails, "there is evidence to compare");
        let keeper = Arc::new(Mutex::new(Memory::default()));
        for (process, states) in [1, 2, 3, 500, 501, 3000, 4999].into_iter().enumerate() {
            let report = run(&Toy::new(process as u32, 0), &claims, Some(&keeper), Some(states));
            assert!(!report.coverage.complete);
            assert_eq!(keeper.lock().unwrap().refused, None, "stopped after {states} states");
            assert!(report.coverage.states >= states);
        }
        let report = run(&Toy::new(9, 0), &claims, Some(&keeper), None);
        assert_eq!(told(&report), told(&whole));
        assert!(keeper.lock().unwrap().commits >= 7);
        // Once more from the last checkpoint, which may be the end.
        let report = run(&Toy::new(4, 0), &claims, Some(&keeper), None);
        assert_eq!(told(&report), told(&whole));
    }
}

#[test]
fn a_torn_tail_is_as_if_it_had_never_been_written() {
    let claims = claims(true);
    let whole = run(&Toy::new(0, 0), &claims, None, None);
    let keeper = Arc::new(Mutex::new(Memory::default()));
    run(&Toy::new(0, 0), &claims, Some(&keeper), Some(2000));
    keeper.lock().unwrap().log.extend_from_slice(&[1, 2, 3]);
    let report = run(&Toy::new(1, 0), &claims, Some(&keeper), None);
    assert_eq!(told(&report), told(&whole));
}

#[test]
fn logs_of_other_models_and_other_claims_and_damaged_ones_are_refused() {
    let kept = || {
        let keeper = Arc::new(Mutex::new(Memory::default()));
        run(&Toy::new(0, 0), &claims(true), Some(&keeper), Some(2000));
        keeper
    };
    let refused = |keeper: &Arc<Mutex<Memory>>, twist, with_runs| {
        let report = run(&Toy::new(1, twist), &claims(with_runs), Some(keeper), None);
        assert!(report.outcomes.iter().all(|outcome| matches!(outcome.verdict, Verdict::Unknown(_))));
        keeper.lock().unwrap().refused.clone().expect("it was refused")
    };
    assert!(matches!(refused(&kept(), 1, true), Damage::Foreign(_)));
    assert!(matches!(refused(&kept(), 0, false), Damage::Foreign(_)));
    let torn = kept();
    torn.lock().unwrap().committed -= 5;
    assert_eq!(refused(&torn, 0, true), Damage::Torn);
    let flipped = kept();
    let middle = flipped.lock().unwrap().log.len() / 2;
    flipped.lock().unwrap().log[middle] ^= 16;
    assert!(verify(&mut flipped.lock().unwrap().log.as_slice()).is_err());
    refused(&flipped, 0, true);
}

#[test]
fn a_full_disk_costs_the_checkpoint_and_not_the_check() {
    let keeper = Arc::new(Mutex::new(Memory { full: true, ..Memory::default() }));
    let report = run(&Toy::new(0, 0), &claims(true), Some(&keeper), None);
    assert_eq!(told(&report), told(&run(&Toy::new(0, 0), &claims(true), None, None)));
    assert!(keeper.lock().unwrap().abandoned);
}

/// Checksums find what happens by accident; whoever writes a log on purpose can make them right. Here no claim asks for a run, which
/// would have to be one of the model.
#[test]
fn a_log_with_right_checksums_and_other_numbers_is_read_or_refused_and_breaks_nothing() {
    let nothing = Path::Always(Interval::default(), Box::new(Path::Now(Formula::True)));
    let number = Formula::Chance(None, Query::Value, Box::new(support::eventually(support::atom(1))));
    for claim in [claim(Kind::Property, nothing), claim(Kind::Query, Path::Now(number))] {
        let genuine = Arc::new(Mutex::new(Memory::default()));
        // Two segments: what the second says counts on from the first.
        for states in [9, 25] {
            run(&Toy::new(0, 0), std::slice::from_ref(&claim), Some(&genuine), Some(states));
        }
        let log = genuine.lock().unwrap().log.clone();
        let (mut start, mut forgeries, mut refused) = (0, 0, 0);
        while start < log.len() {
            let head = [log[start], log[start + 1], log[start + 2], log[start + 3]];
            let payload = start + 8..start + 8 + u32::from_le_bytes(head) as usize;
            for (at, bits) in payload.clone().flat_map(|at| (0..8).map(move |bit| (at, 1_u8 << bit))) {
                let mut forged = log.clone();
                forged[at] ^= bits;
                let checksum = crc32fast::hash(&forged[payload.clone()]);
                forged[start + 4..start + 8].copy_from_slice(&checksum.to_le_bytes());
                let keeper = Memory { committed: forged.len(), log: forged, ..Memory::default() };
                let keeper = Arc::new(Mutex::new(keeper));
                run(&Toy::new(1, 0), std::slice::from_ref(&claim), Some(&keeper), Some(60));
                forgeries += 1;
                refused += usize::from(keeper.lock().unwrap().refused.is_some());
            }
            start = payload.end;
        }
        assert!(forgeries > 100 && refused > forgeries / 4, "{refused} of {forgeries} are refused");
    }
}

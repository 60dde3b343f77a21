//! What happens, and how often, means what the words say: every wording is compared with its definition, by counting, on
//! all words over two names with up to four letters that repeat for ever.

mod support;

use motet_model::{AtomId, Vocabulary};
use motet_property::{Formula, Past, Path, Until};
use support::{codes, formula, read, read_as, vocabulary};

/// The longest word.
const LONGEST: usize = 4;

/// A word that repeats from `back` on, written out until the past repeats as well.
struct Word {
    letters: Vec<[bool; 2]>,
    back: usize,
}

impl Word {
    /// Once more than two nested words of the past look at.
    fn new(letters: &[[bool; 2]], back: usize) -> Self {
        let mut out = letters.to_vec();
        for _ in 0..4 {
            out.extend_from_slice(&letters[back..]);
        }
        Self { back: out.len() - (letters.len() - back), letters: out }
    }

    fn next(&self, at: usize) -> usize {
        if at + 1 < self.letters.len() { at + 1 } else { self.back }
    }

    /// `right`, or `left` and then the same again.
    fn until(&self, left: &[bool], right: &[bool]) -> Vec<bool> {
        let mut values = vec![false; self.letters.len()];
        for _ in 0..2 {
            for at in (0..values.len()).rev() {
                values[at] = right[at] || (left[at] && values[self.next(at)]);
            }
        }
        values
    }

    fn path(&self, path: &Path<AtomId>) -> Vec<bool> {
        let not = |values: Vec<bool>| values.into_iter().map(|value| !value).collect::<Vec<_>>();
        let both = |a, b, join: fn(bool, bool) -> bool| -> Vec<bool> {
            self.path(a).into_iter().zip(self.path(b)).map(|(a, b)| join(a, b)).collect()
        };
        let all = vec![true; self.letters.len()];
        match path {
            Path::Now(formula) => self.formula(formula),
            Path::Not(a) => not(self.path(a)),
            Path::And(a, b) => both(a, b, |a, b| a && b),
            Path::Or(a, b) => both(a, b, |a, b| a || b),
            Path::Implies(a, b) => both(a, b, |a, b| !a || b),
            Path::Next(a) => {
                let values = self.path(a);
                (0..values.len()).map(|at| values[self.next(at)]).collect()
            }
            Path::Eventually(_, a) => self.until(&all, &self.path(a)),
            Path::Always(_, a) => not(self.until(&all, &not(self.path(a)))),
            Path::Until(Until::Weak, _, a, b) => {
                let (left, right) = (self.path(a), self.path(b));
                let broken: Vec<bool> = left.iter().zip(&right).map(|(a, b)| !a && !b).collect();
                not(self.until(&not(right), &broken))
            }
            other => panic!("{other:?} stands for no word of this page"),
        }
    }

    fn formula(&self, formula: &Formula<AtomId>) -> Vec<bool> {
        let not = |values: Vec<bool>| values.into_iter().map(|value| !value).collect::<Vec<_>>();
        let both = |a, b, join: fn(bool, bool) -> bool| -> Vec<bool> {
            self.formula(a).into_iter().zip(self.formula(b)).map(|(a, b)| join(a, b)).collect()
        };
        match formula {
            Formula::True => vec![true; self.letters.len()],
            // No word ends.
            Formula::False | Formula::Deadlock => vec![false; self.letters.len()],
            Formula::Atom(id) => self.letters.iter().map(|letter| letter[id.index()]).collect(),
            Formula::Not(a) => not(self.formula(a)),
            Formula::And(a, b) => both(a, b, |a, b| a && b),
            Formula::Or(a, b) => both(a, b, |a, b| a || b),
            Formula::Implies(a, b) => both(a, b, |a, b| !a || b),
            Formula::Past(past) => match &**past {
                Past::Once(a) => {
                    let mut seen = false;
                    let here = |value| {
                        seen |= value;
                        seen
                    };
                    self.formula(a).into_iter().map(here).collect()
                }
                Past::Previously(a) => {
                    let values = self.formula(a);
                    (0..values.len()).map(|at| at > 0 && values[at - 1]).collect()
                }
                Past::Since(a, b) => {
                    let mut lasted = false;
                    let here = |(left, right)| {
                        lasted = right || (left && lasted);
                        lasted
                    };
                    self.formula(a).into_iter().zip(self.formula(b)).map(here).collect()
                }
                other => panic!("{other:?} stands for no word of this page"),
            },
            other => panic!("{other:?} stands for no word of this page"),
        }
    }
}

/// Calls `look` for all words.
fn for_all_words(look: &mut dyn FnMut(&[[bool; 2]], usize)) {
    for n in 1..=LONGEST {
        for number in 0..1_usize << (2 * n) {
            let letter = |at: usize| [number >> (2 * at) & 1 == 1, number >> (2 * at + 1) & 1 == 1];
            let letters: Vec<_> = (0..n).map(letter).collect();
            (0..n).for_each(|back| look(&letters, back));
        }
    }
}

/// At which moments of a long run a time of the first name begins: where it is true, and of what lasts was not before.
fn times(letters: &[[bool; 2]], back: usize, lasts: bool) -> Vec<usize> {
    let period = letters.len() - back;
    let at = |at: usize| if at < letters.len() { at } else { back + (at - back) % period };
    let is = |moment: usize| letters[at(moment)][0];
    // Far more moments than any number that is asked for below.
    (0..60).filter(|&moment| is(moment) && !(lasts && moment > 0 && is(moment - 1))).collect()
}

/// The vocabulary in which the first name is something that happens, or something that lasts.
fn words(lasts: bool) -> Vocabulary {
    let events = if lasts { Vec::new() } else { vec!["p".to_owned()] };
    Vocabulary { events, ..vocabulary() }
}

/// The claim, with the first name first among the atoms.
fn claim(text: &str, lasts: bool) -> Path<AtomId> {
    let text = format!("property z: p | q | true\nproperty x: {text}");
    let read = read_as(&text, None, &words(lasts));
    assert!(!read.problems.has_errors(), "{text}\n{}", read.problems.lines(&read.sources));
    let names: Vec<String> = read.lowered.atoms.iter().map(|atom| atom.node.to_string()).collect();
    assert_eq!(names, ["p", "q"], "{text}");
    read.lowered.claims[1].formula.clone()
}

/// Compares a wording with what it means on every word, at its start.
fn means(text: &str, lasts: bool, meaning: &dyn Fn(&[[bool; 2]], usize) -> bool) {
    let path = claim(text, lasts);
    let mut both = [false; 2];
    for_all_words(&mut |letters, back| {
        let word = Word::new(letters, back);
        let holds = word.path(&path)[0];
        assert_eq!(holds, meaning(letters, back), "{text} ({lasts}) on {letters:?} back to {back}");
        both[usize::from(holds)] = true;
    });
    assert_eq!(both, [true; 2], "{text} is decided by nothing");
}

type Meaning<'m> = &'m dyn Fn(&[[bool; 2]], usize) -> bool;

#[test]
fn counts_count_stretches_of_what_lasts_and_states_in_which_something_happens() {
    for lasts in [true, false] {
        // Four letters hold two stretches.
        for number in 1..=if lasts { 2 } else { 3_usize } {
            let count = |letters: &[[bool; 2]], back| times(letters, back, lasts).len();
            let at_most: Meaning<'_> = &|letters, back| count(letters, back) <= number;
            means(&format!("at most {number} times p"), lasts, at_most);
            means(&format!("p at most {number} times"), lasts, at_most);
            means(&format!("never p more than {number} times"), lasts, at_most);
            means(&format!("never more than {number} times p"), lasts, at_most);
            means(&format!("at least {number} times p"), lasts, &|letters, back| {
                count(letters, back) >= number
            });
            means(&format!("exactly {number} times p"), lasts, &|letters, back| {
                count(letters, back) == number
            });
        }
        let none: Meaning<'_> = &|letters, back| times(letters, back, lasts).is_empty();
        means("at most 0 times p", lasts, none);
    }
}

#[test]
fn never_twice_never_again_and_at_most_once_are_the_same() {
    for lasts in [true, false] {
        let once: Meaning<'_> = &|letters, back| times(letters, back, lasts).len() <= 1;
        for text in [
            "at most once p",
            "p at most once",
            "never p twice",
            "never p more than once",
            "never more than once p",
            "never p again",
            "always (p -> not (p again))",
            "not (at least twice p)",
            "after p, never p again",
        ] {
            means(text, lasts, once);
        }
    }
    // What happens in a step, in words that a user of other tools would write.
    let once: Meaning<'_> = &|letters, back| times(letters, back, false).len() <= 1;
    for text in ["after p, never p", "always (p -> X G !p)", "never (p and X (F p))", "!(F (p & X F p))"] {
        means(text, false, once);
    }
}

#[test]
fn again_is_true_from_the_second_time_on() {
    for lasts in [true, false] {
        means("eventually (p again and q)", lasts, &|letters, back| {
            let times = times(letters, back, lasts);
            let Some(second) = times.get(1) else { return false };
            let period = letters.len() - back;
            let at = |at: usize| letters[if at < letters.len() { at } else { back + (at - back) % period }];
            (*second..second + 40).any(|moment| at(moment) == [true, true])
        });
    }
}

#[test]
fn nothing_becomes_true_at_the_start() {
    for text in ["eventually (becomes p)", "eventually becomes p", "F (becomes(p))", "F (p becomes true)"] {
        means(text, true, &|letters, back| times(letters, back, true).iter().any(|moment| *moment > 0));
    }
    means("never (becomes p and q)", true, &|letters, back| {
        let period = letters.len() - back;
        let at = |at: usize| letters[if at < letters.len() { at } else { back + (at - back) % period }];
        !times(letters, back, true).iter().any(|moment| *moment > 0 && at(*moment)[1])
    });
    means("at most once becomes p", true, &|letters, back| {
        times(letters, back, true).iter().filter(|moment| **moment > 0).count() <= 1
    });
    means("never becomes p again", true, &|letters, back| {
        times(letters, back, true).iter().filter(|moment| **moment > 0).count() <= 1
    });
}

#[test]
fn each_time_asks_where_a_time_begins_and_at_the_start_as_well() {
    for lasts in [true, false] {
        let all = |letters: &[[bool; 2]], back: usize, answered: &dyn Fn(usize) -> bool| {
            let period = letters.len() - back;
            times(letters, back, lasts).into_iter().take_while(|moment| *moment < 40).all(|moment| {
                let _ = period;
                answered(moment)
            })
        };
        let q = |letters: &[[bool; 2]], back: usize, at: usize| {
            let period = letters.len() - back;
            letters[if at < letters.len() { at } else { back + (at - back) % period }][1]
        };
        means("each time p, immediately, q", lasts, &|letters, back| {
            all(letters, back, &|moment| q(letters, back, moment))
        });
        means("each time p, eventually, q", lasts, &|letters, back| {
            all(letters, back, &|moment| (moment..moment + 10).any(|later| q(letters, back, later)))
        });
    }
}

#[test]
fn a_scope_begins_behind_the_moment_that_opens_it() {
    let q = |letters: &[[bool; 2]], back: usize, at: usize| {
        let period = letters.len() - back;
        letters[if at < letters.len() { at } else { back + (at - back) % period }][1]
    };
    for lasts in [true, false] {
        // What lasts is so right behind a moment as well.
        means("after p, never q", lasts, &|letters, back| {
            let first = times(letters, back, lasts).first().copied();
            first.is_none_or(|first| (first..first + 10).all(|at| !q(letters, back, at)))
        });
        // From each moment with `p` up to just before the next `q`, if there is one.
        means("between p and q, at most once p", lasts, &|letters, back| {
            let count = |opens: usize| {
                // What happens at that moment is over behind it.
                let begins = opens + usize::from(!lasts);
                if q(letters, back, opens) {
                    return 0;
                }
                let Some(ends) = (opens..opens + 20).find(|&at| q(letters, back, at)) else { return 0 };
                let period = letters.len() - back;
                let at =
                    |at: usize| letters[if at < letters.len() { at } else { back + (at - back) % period }];
                (begins..ends)
                    .filter(|&moment| at(moment)[0] && !(lasts && moment > begins && at(moment - 1)[0]))
                    .count()
            };
            let period = letters.len() - back;
            let is =
                |at: usize| letters[if at < letters.len() { at } else { back + (at - back) % period }][0];
            (0..30).filter(|&at| is(at)).all(|opens| count(opens) <= 1)
        });
    }
}

/// The readings of `at most two inside`.
const INSIDE: [&str; 3] = ["always (#inside <= 2)", "always (inside <= 2)", "at most 2 times (inside)"];

#[test]
fn each_way_to_say_never_asked_twice_is_one_claim() {
    let once = formula("at most once asked");
    for text in [
        "never asked twice",
        "never asked more than once",
        "never more than once asked",
        "no more than once asked",
        "not more than once asked",
        "at most one time asked",
        "asked at most once",
        "asked no more than once",
        "asked never twice",
        "asked happens at most once",
        "asked is never twice",
    ] {
        assert_eq!(formula(text), once, "{text}");
    }
    assert_eq!(codes("property x: not asked again after asked"), ["M0219"]);
    assert_eq!(codes("property x: after asked, not asked again"), ["M0332"]);
    assert_eq!(codes("property x: asked once at most"), ["M0246"]);
}

/// Each of these is refused with these readings, and each reading can be pasted.
fn refused(cases: Vec<(&str, &str, Vec<&str>)>) {
    for (text, code, readings) in cases {
        assert_eq!(codes(&format!("property x: {text}")), [code], "{text}");
        let read = read(&format!("property x: {text}"));
        let problem = read.problems.iter().next().expect("one was counted");
        let notes: Vec<&str> = problem.notes.iter().map(String::as_str).collect();
        assert_eq!(notes.len(), readings.len(), "{text}: {notes:?}");
        for (note, reading) in notes.iter().zip(readings) {
            assert!(note.ends_with(reading), "{text}: {note}");
            let pasted = codes(&format!("property x: {reading}"));
            assert!(pasted.is_empty(), "{reading}: {pasted:?}");
        }
    }
}

#[test]
fn a_number_that_does_not_say_what_it_counts_is_refused_with_all_readings() {
    refused(vec![
        ("at most 2 inside", "M0246", INSIDE.to_vec()),
        ("at most two inside", "M0246", INSIDE.to_vec()),
        ("always at most two inside", "M0246", INSIDE.to_vec()),
        ("at most two agents inside", "M0246", INSIDE.to_vec()),
        ("at most two in inside", "M0246", INSIDE.to_vec()),
        ("no more than 2 inside", "M0246", INSIDE.to_vec()),
        ("not more than two inside", "M0246", INSIDE.to_vec()),
        ("max 2 inside", "M0246", INSIDE.to_vec()),
        ("inside at most 2", "M0246", INSIDE.to_vec()),
        ("inside is at most two", "M0246", INSIDE.to_vec()),
        ("never more than 2 inside", "M0246", INSIDE.to_vec()),
        (
            "at least 2 inside",
            "M0246",
            vec!["always (#inside >= 2)", "always (inside >= 2)", "at least 2 times (inside)"],
        ),
        (
            "exactly 2 inside",
            "M0246",
            vec!["always (#inside = 2)", "always (inside = 2)", "exactly 2 times (inside)"],
        ),
        (
            "never three inside",
            "M0246",
            vec!["never (#inside >= 3)", "never (inside >= 3)", "at most 2 times (inside)"],
        ),
        ("asked not twice", "M0246", vec!["at most once (asked)", "not (exactly twice (asked))"]),
        ("not twice asked", "M0246", vec!["at most once (asked)", "not (exactly twice (asked))"]),
        ("never twice asked", "M0246", vec!["at most once (asked)", "not (exactly twice (asked))"]),
        (
            "once asked, never asked again",
            "M0246",
            vec!["after asked, never asked again", "(at most once (asked)) and (never asked again)"],
        ),
        ("always home reachable", "M0247", vec!["AG (EF (home))", "always (eventually (home))"]),
        ("home is reachable from every state", "M0247", vec!["AG (EF (home))", "always (eventually (home))"]),
        ("home can always be reached", "M0247", vec!["AG (EF (home))", "always (eventually (home))"]),
        ("it is always possible to get home", "M0247", vec!["AG (EF (home))", "always (eventually (home))"]),
        ("always (possible home)", "M0247", vec!["EF (home)", "eventually (home)"]),
        ("whenever p, eventually possible home", "M0247", vec!["EF (home)", "eventually (home)"]),
    ]);
}

#[test]
fn what_has_two_readings_is_refused_with_both_and_both_can_be_pasted() {
    refused(vec![
        ("asked once", "M0246", vec!["at most once (asked)", "exactly once (asked)", "once(asked)"]),
        ("once asked", "M0246", vec!["at most once (asked)", "exactly once (asked)", "once(asked)"]),
        ("asked only twice", "M0246", vec!["at most twice (asked)", "exactly twice (asked)"]),
        ("only once asked", "M0246", vec!["at most once (asked)", "exactly once (asked)", "once(asked)"]),
        ("always possible home", "M0247", vec!["AG (EF (home))", "always (eventually (home))"]),
        ("recover home from everywhere", "M0247", vec!["AG (EF (home))", "always (eventually (home))"]),
        ("can always recover to home", "M0247", vec!["AG (EF (home))", "always (eventually (home))"]),
        (
            "always possible (home & p)",
            "M0247",
            vec!["AG (EF ((home & p)))", "always (eventually ((home & p)))"],
        ),
        (
            "it is always possible to recover",
            "M0247",
            vec!["AG (EF (recover))", "always (eventually (recover))"],
        ),
        ("from everywhere recover", "M0247", vec!["AG (EF (recover))", "always (eventually (recover))"]),
        ("from every state, recover", "M0247", vec!["AG (EF (recover))", "always (eventually (recover))"]),
        ("recover from everywhere", "M0247", vec!["AG (EF (recover))", "always (eventually (recover))"]),
        ("recover is always possible", "M0247", vec!["AG (EF (recover))", "always (eventually (recover))"]),
        ("after asked, never asked", "M0248", vec!["after asked, at most once (asked)", "never (asked)"]),
        (
            "between asked and done, never asked",
            "M0248",
            vec!["between asked and done, at most once (asked)", "never (asked & !(done) & (F (done)))"],
        ),
        (
            "after asked until done, never asked",
            "M0248",
            vec!["after asked until done, at most once (asked)", "never (asked & !(done))"],
        ),
    ]);
}

#[test]
fn whenever_asked_never_asked_again_is_refused_with_both_readings() {
    let again = || vec!["at most once (asked)", "always ((asked) -> X (never (asked)))"];
    refused(vec![
        ("whenever asked, never asked again", "M0214", again()),
        ("whenever asked, then never (asked again)", "M0214", again()),
        ("each time asked, never asked again", "M0214", again()),
        (
            "whenever asked, never done again",
            "M0214",
            vec!["always ((asked) -> never (done again))", "whenever asked, immediately not (done again)"],
        ),
        (
            "each time p, always q",
            "M0214",
            vec!["always ((p) -> always (q))", "each time p, immediately (q)"],
        ),
        ("asked never again", "M0246", vec!["at most once (asked)", "never (asked)"]),
        ("asked again never", "M0246", vec!["at most once (asked)", "never (asked)"]),
        ("asked only one time", "M0246", vec!["at most once (asked)", "exactly once (asked)", "once(asked)"]),
        ("asked 3 times", "M0246", vec!["at most 3 times (asked)", "exactly 3 times (asked)"]),
        (
            "whenever p, eventually asked twice",
            "M0246",
            vec!["at most twice (asked)", "exactly twice (asked)"],
        ),
    ]);
    assert_eq!(codes("property x: whenever a, always p & q"), ["M0210", "M0214"]);
}

#[test]
fn when_and_if_do_not_start_a_claim() {
    for text in ["when asked, eventually done", "if asked then immediately done"] {
        let read = read(&format!("property x: {text}"));
        let problem = read.problems.iter().next().expect("one is told");
        assert!(problem.message.ends_with("does not start a claim"), "{}", problem.message);
        assert!(problem.help.starts_with("write `whenever p, eventually q`"), "{}", problem.help);
        assert_eq!(codes(&format!("property x: {text}")), ["M0202"], "{text}");
    }
    for text in ["F (when = 1)", "G (if -> F when)", "if in {a, b}", "F when again"] {
        assert!(codes(&format!("property x: {text}")).is_empty(), "{text}");
    }
}

#[test]
fn a_refused_phrase_ends_where_the_next_item_begins() {
    let found = codes("property x: always home reachable\nproperty y: home is reachable\nproperty z: F home");
    assert_eq!(found, ["M0247", "M0247"]);
}

#[test]
fn words_of_counts_stay_names_where_names_stand() {
    for text in [
        "always (at = 1 & most = 2)",
        "F exactly",
        "F (becomes = 3)",
        "F again",
        "G (each -> F time)",
        "twice U once",
        "F sends",
        "F (x.reads = 1)",
        "G possible",
        "F from",
    ] {
        formula(text);
    }
}

#[test]
fn a_count_beside_a_connective_needs_parentheses() {
    assert_eq!(codes("property x: at most once p & q"), ["M0210"]);
    assert_eq!(codes("property x: (at most once p) & q"), Vec::<&str>::new());
    assert_eq!(codes("property x: p at most once & q"), Vec::<&str>::new());
    assert_eq!(codes("property x: becomes p & q"), Vec::<&str>::new());
    assert_eq!(formula("F (becomes p & q)"), formula("F ((becomes p) & q)"));
}

#[test]
fn more_than_a_hundred_times_are_not_counted() {
    assert_eq!(codes("property x: at most 101 times p"), ["M0249"]);
    assert_eq!(codes("property x: at most 100 times p"), Vec::<&str>::new());
    assert_eq!(codes("property x: at most 0 times p"), Vec::<&str>::new());
    assert_eq!(codes("const N = 3\nproperty x: at most N times p"), Vec::<&str>::new());
    assert_eq!(codes("property x: at most 2.5 times p"), ["M0230"]);
}

#[test]
fn messages_are_sent_and_read() {
    assert_eq!(formula("F (ag1 sends ag2 ready(x))"), "F (Sends(ag1, ag2, ready(x)))");
    assert_eq!(formula("F (ag2 reads ready(x) from ag1)"), "F (Reads(ag2, ag1, ready(x)))");
    assert_eq!(formula("F (Reads(ag2, ag1, ready(x)))"), "F (Reads(ag2, ag1, ready(x)))");
    assert_eq!(codes("property x: F (ag1 sends nobody p)"), ["M0225"]);
    assert_eq!(codes("property x: F (ag2 reads p)"), ["M0202"]);
}

#[test]
fn sentences_about_times_are_told_as_such() {
    let told = |text: &str| {
        let read = read(&format!("property x: {text}"));
        assert!(read.problems.is_empty(), "{text}\n{}", read.problems.lines(&read.sources));
        motet_property::english(&read.lowered.claims[0].formula, &read.lowered.atoms)
    };
    assert_eq!(told("at most twice p"), "p begins to hold at most twice (a time at the start counts)");
    assert_eq!(told("at least 3 times p"), "p begins to hold at least 3 times (a time at the start counts)");
    assert_eq!(told("at most once (a sends b c)"), "a sends b c at most once");
    assert_eq!(
        told("each time p, eventually, q"),
        "each time that p begins to hold (also at the start), eventually q"
    );
}

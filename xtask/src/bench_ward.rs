//! `cargo xtask bench ward`: a ward after the digital nurse study of Stocker (2013), for any number of patients, to see how
//! states, time and memory grow with them, and where it ends.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;

use anyhow::Result;

use crate::bench::{Basis, Bench, Case, Contender, Extent, Measured, Sample, Say, Standing};
use crate::bench_motet::Motet;
use crate::bench_plot::{Curve, plot};
use crate::bench_report::Page;
use crate::bench_spread::grouped;
use crate::measure::Limit;
use crate::ward_model::{Ties, write_ward};

const ABOUT: &str = "A ward in Brahms after the digital nurse study of Stocker (2013), written anew for any number of patients: a doctor makes his rounds and prescribes, \
     a robot fetches medicine and fills jugs, bedridden patients are turned by nurse and robot together, and the first patient has a weak heart. A quarter \
     are bedridden, the others are getting better; all beds are as far from the corridor. Claims speak of the first patient and of all. With \
     `--ties choice` the doctor and the robot may take patients in any order, so states grow with the number of subsets of patients; with `--symmetry` patients \
     who are alike change places, each with his bed, and what matters is how many of each kind are in which situation; with `--ties first` \
     they are taken in order. Motet works on two threads. Motet alone: Spin has no clock.";

/// Where everybody is told apart, one of each way to search will reach it, and one is enough to see it.
const LIMIT: Limit = Limit { seconds: 60.0, mib: 12288.0 };

/// For searches that are made to get through.
const LONG: Limit = Limit { seconds: 300.0, mib: 12288.0 };

/// What makes searches smaller, beside the plain search, and how long they may take.
const REDUCTIONS: [(&[&str], Limit); 2] = [(&["--slice"], LIMIT), (&["--slice", "--symmetry"], LONG)];

/// What grows: its name, the name of its file and how it is read from a run.
type Growth = (&'static str, &'static str, fn(&Sample) -> Option<f64>);

const GROWTHS: [Growth; 3] = [
    ("states", "ward.svg", |sample| sample.states.map(|states| states as f64)),
    ("seconds", "ward-seconds.svg", |sample| Some(sample.cost.wall_seconds.max(0.01))),
    ("MiB", "ward-memory.svg", |sample| Some(sample.cost.peak_mib)),
];

/// Measures wards of several sizes.
///
/// # Errors
/// When the tool does not end as it should.
pub(crate) fn page(bench: &Bench, say: Say<'_>) -> Result<Page> {
    let (choice, first): (&[u32], &[u32]) = match bench.options.extent {
        Extent::Quick => (&[2, 3], &[2, 5, 10]),
        Extent::Full => (&[5, 10, 20, 40], &[5, 10, 20, 40]),
    };
    let mut cases = Vec::new();
    let sizes = choice.iter().map(|&patients| (patients, Ties::Choice));
    let sizes: Vec<(u32, Ties)> =
        sizes.chain(first.iter().map(|&patients| (patients, Ties::First))).collect();
    let ends = Ends::default();
    for &(patients, ties) in &sizes {
        cases.push(case(bench, cases.len(), patients, ties, &ends)?);
    }
    let mut page = bench.measure("ward", ABOUT, &cases, say)?;
    let (many, one) = page.measured.split_at(choice.len());
    page.after = endings(choice, many) + &endings(first, one);
    let folder = page.folder(bench);
    std::fs::create_dir_all(&folder)?;
    for (upwards, file, number) in GROWTHS {
        let mut drawn = curves("any order", choice, many, number);
        drawn.extend(curves("in order", first, one, number));
        std::fs::write(folder.join(file), plot("patients", upwards, &drawn))?;
        let _ = write!(page.after, "\n![{upwards} by patients]({file})\n");
    }
    Ok(page)
}

/// One for each program: by patients, where the search was complete.
fn curves(
    name: &str,
    patients: &[u32],
    measured: &[Measured],
    number: fn(&Sample) -> Option<f64>,
) -> Vec<Curve> {
    let programs = measured.first().map_or(0, |case| case.rows.len());
    let curve = |program: usize| {
        let points = patients.iter().zip(measured).filter_map(|(&patients, case)| {
            let sample = case.rows.get(program)?.samples.first().filter(|sample| sample.cut.is_none())?;
            Some((f64::from(patients), number(sample)?))
        });
        let program = measured.first().map_or("", |case| &case.rows[program].name);
        Curve { name: format!("{name}{}", program.trim_start_matches("Motet")), points: points.collect() }
    };
    (0..programs).map(curve).filter(|curve| !curve.points.is_empty()).collect()
}

/// Where each program ended, and why.
fn endings(patients: &[u32], measured: &[Measured]) -> String {
    let mut text = String::new();
    let programs = measured.first().map_or(0, |case| case.rows.len());
    for program in 0..programs {
        let (mut last, mut end) = (None, None);
        for (&patients, case) in patients.iter().zip(measured) {
            let Some(row) = case.rows.get(program) else { continue };
            match row.samples.first() {
                Some(Sample { cut: Some(cut), states, .. }) => {
                    end = end.or(Some((case, &row.name, cut, *states)));
                }
                Some(_) if end.is_none() => last = Some(patients),
                _ => {}
            }
        }
        let Some((case, name, cut, states)) = end else {
            let name = measured.first().map_or("", |case| &case.rows[program].name);
            if let Some(last) = last {
                let _ = writeln!(text, "- {name}: complete up to {last} patients, the largest size.");
            }
            continue;
        };
        let found =
            states.map_or(String::new(), |states| format!(" after {} states", grouped(states as f64)));
        let done =
            last.map_or("no size is complete".to_owned(), |last| format!("complete up to {last} patients"));
        let _ = writeln!(text, "- {name}: {done}; {}: {cut}{found}.", case.title);
    }
    text
}

/// For each program, how many patients were too many.
type Ends = Rc<RefCell<BTreeMap<String, u32>>>;

/// Does not try what is larger than something that was too large already.
fn unless_too_many<'a>(contender: Contender<'a>, patients: u32, ends: &Ends) -> Contender<'a> {
    let Contender { name, basis, standing } = contender;
    let Standing::Ready { compile, run } = standing else { return Contender { name, basis, standing } };
    let (ends, program) = (Rc::clone(ends), name.clone());
    let tried = move || {
        if let Some(many) = ends.borrow().get(&program) {
            let cut = Some(format!("not tried: {many} patients were too many"));
            return Ok(Sample { cut, ..Sample::default() });
        }
        let sample = run()?;
        if sample.cut.is_some() {
            ends.borrow_mut().insert(program.clone(), patients);
        }
        Ok(sample)
    };
    Contender { name, basis, standing: Standing::Ready { compile, run: Box::new(tried) } }
}

fn case<'a>(bench: &'a Bench, number: usize, patients: u32, ties: Ties, ends: &Ends) -> Result<Case<'a>> {
    let folder = bench.place(number)?;
    write_ward(&folder, patients)?;
    let order = if ties == Ties::Choice { "any order" } else { "in order" };
    // The folder also holds reports, so the model is named.
    let arguments = ["ward.b", "--ties", ties.word(), "--threads", "2"];
    let motet = Motet::new(&folder, &arguments, folder.join("motet.json")).by(Basis::Wall);
    let within = |motet: Motet, limit: Limit| match bench.options.extent {
        Extent::Full => motet.within(limit),
        Extent::Quick => motet,
    };
    let mut contenders = vec![within(motet.clone(), LIMIT).contender(bench)];
    // Where equals are taken in order nobody changes places.
    if ties == Ties::Choice {
        let reduced = REDUCTIONS.iter().map(|(options, limit)| within(motet.with(options), *limit));
        contenders.extend(reduced.map(|motet| motet.contender(bench)));
    }
    if ties == Ties::Choice {
        contenders = contenders.into_iter().map(|one| unless_too_many(one, patients, ends)).collect();
    }
    Ok(Case { title: format!("{patients} patients, {order}"), contenders, agreement: None })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::Row;

    fn measured(title: &str, states: u64, cut: Option<&str>) -> Measured {
        let sample = Sample { states: Some(states), cut: cut.map(str::to_owned), ..Sample::default() };
        let row = Row {
            name: "Motet".to_owned(),
            basis: Basis::Cpu,
            compile: None,
            samples: vec![sample],
            absent: None,
        };
        Measured { title: title.to_owned(), rows: vec![row] }
    }

    #[test]
    fn the_first_size_that_is_too_large_is_told_with_its_reason() {
        let limit = Some("stopped at its limit of time");
        let all = [
            measured("3 patients", 400, None),
            measured("10 patients", 1_200, limit),
            measured("20 patients", 900, limit),
        ];
        let expected = "- Motet: complete up to 3 patients; 10 patients: stopped at its limit of time after 1 200 states.\n";
        assert_eq!(endings(&[3, 10, 20], &all), expected);
        assert_eq!(endings(&[3], &all[..1]), "- Motet: complete up to 3 patients, the largest size.\n");
    }

    #[test]
    fn what_is_larger_than_too_large_is_not_tried() {
        let ends = Ends::default();
        let cut = |patients: u32, cut: Option<&'static str>| {
            let run = Box::new(move || Ok(Sample { cut: cut.map(str::to_owned), ..Sample::default() }));
            let standing = Standing::Ready { compile: None, run };
            let contender = Contender { name: "Motet".to_owned(), basis: Basis::Cpu, standing };
            let Standing::Ready { run, .. } = unless_too_many(contender, patients, &ends).standing else {
                panic!("a program that is here stays here");
            };
            run().unwrap().cut
        };
        assert_eq!(cut(3, None), None);
        assert_eq!(cut(10, Some("stopped")).as_deref(), Some("stopped"));
        assert_eq!(cut(20, None).as_deref(), Some("not tried: 10 patients were too many"));
    }

    #[test]
    fn only_complete_searches_are_drawn() {
        let all = [measured("3 patients", 400, None), measured("10 patients", 1_200, Some("ended"))];
        let curves = curves("any order", &[3, 10], &all, GROWTHS[0].2);
        assert_eq!(curves.len(), 1);
        assert_eq!(
            (curves[0].name.as_str(), curves[0].points.as_slice()),
            ("any order", &[(3.0, 400.0)][..])
        );
    }
}

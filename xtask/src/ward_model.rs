//! A ward after the digital nurse study of Stocker (2013), for any number of patients, as a Brahms model.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;

/// How equals are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ties {
    Choice,
    First,
}

impl Ties {
    /// For the option of this name.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Ties::Choice => "choice",
            Ties::First => "first",
        }
    }
}

/// Writes `ward.b` and its claims.
///
/// # Errors
/// When the files cannot be written.
pub(crate) fn write_ward(folder: &Path, patients: u32) -> Result<()> {
    std::fs::write(folder.join("ward.b"), ward(patients))?;
    std::fs::write(folder.join("ward.props"), CLAIMS)?;
    Ok(())
}

/// What is asked of every ward: of the patient with the weak heart, and of all.
const CLAIMS: &str = "\
property Alive \"everybody survives\":
  always (forall p in Patient: p.alive = true)
property Alarm \"the doctor hears of a heart attack within two minutes\":
  whenever Patient1.heartAttack = true, within 2 min, Doctor believes Patient1.heartAttack = true
property Rounds \"sooner or later everybody was seen\":
  eventually (forall p in Patient: Doctor believes p.visited = true)
";

/// One patient has a weak heart, a quarter of them are bedridden, the others are getting better.
fn kind(number: u32, patients: u32) -> &'static str {
    match number {
        1 => "WeakHeart",
        number if number <= 1 + (patients / 4).max(1) => "Bedridden",
        _ => "Convalescent",
    }
}

/// The whole model.
fn ward(patients: u32) -> String {
    let mut text = format!("// A ward with {patients} patients.\n\n");
    text += &places(patients);
    text += CLOCK;
    text += PATIENT;
    for number in 1..=patients {
        let kind = kind(number, patients);
        let _ = writeln!(text, "agent Patient{number} memberof {kind} {{\n    location: bed{number};\n}}");
    }
    let all = |line: &dyn Fn(u32) -> String| -> String {
        (1..=patients).map(|number| format!("        {}\n", line(number))).collect()
    };
    let beds = all(&|number| format!("(Patient{number}.location = bed{number});"));
    let visits = all(&|number| format!("(Patient{number}.visited = false);"));
    let medicine = all(&|number| {
        let drug = if kind(number, patients) == "WeakHeart" { 2 } else { 1 };
        format!("(Patient{number}.medication = {drug});")
    });
    text += &STAFF.replace("BEDS", beds.trim()).replace("VISITS", visits.trim());
    text.replace("MEDICINE", medicine.trim())
}

/// Two rooms and all beds around a corridor, each bed as far from it as the others.
fn places(patients: u32) -> String {
    let mut text = String::from(
        "areadef Room extends BaseAreaDef { }\nareadef Bed extends BaseAreaDef { }\narea Ward instanceof Building { }\n\
         area corridor instanceof Room partof Ward { }\narea office instanceof Room partof Ward { }\n\
         area store instanceof Room partof Ward { }\n",
    );
    for number in 1..=patients {
        let _ = writeln!(text, "area bed{number} instanceof Bed partof Ward {{ }}");
    }
    for room in ["office", "store"] {
        let _ = writeln!(text, "path from_{room} {{ area1: {room}; area2: corridor; distance: 2; }}");
    }
    for number in 1..=patients {
        let _ = writeln!(text, "path to_bed{number} {{ area1: corridor; area2: bed{number}; distance: 2; }}");
    }
    text.push('\n');
    text
}

const CLOCK: &str = "\
group Hearer {
    attributes:
        public boolean hears;
    initial_beliefs:
        (Clock.hour = 0);
    initial_facts:
        (current.hears = true);
}

class Timepiece {
    attributes:
        public int hour;
    activities:
        primitive_activity anHour() { max_duration: 3600; }
        communicate strike(Hearer who) { with: who; about: send(current.hour); }
    workframes:
        workframe wf_strike {
            repeat: true;
            variables: collectall(Hearer) who;
            when(knownval(current.hour < 14) and knownval(who.hears = true))
            do { anHour(); conclude((current.hour = current.hour + 1)); strike(who); }
        }
}

object Clock instanceof Timepiece {
    initial_beliefs:
        (current.hour = 0);
    initial_facts:
        (current.hour = 0);
}

";

const PATIENT: &str = "\
group Patient memberof Hearer {
    attributes:
        public int lastHour;
        public int glass;
        public int water;
        public int medication;
        public boolean bedridden;
        public boolean visited;
        public boolean turned;
        public boolean robotReady;
        public boolean heartAttack;
        public boolean alive;
    initial_beliefs:
        (current.lastHour = 0);
        (current.water = 1000);
    initial_facts:
        (current.water = 1000);
        (current.turned = false);
        (current.robotReady = false);
        (current.heartAttack = false);
        (current.alive = true);
    workframes:
        workframe wf_drink {
            repeat: true;
            when(knownval(Clock.hour > current.lastHour) and knownval(current.water > 200))
            do {
                conclude((current.lastHour = Clock.hour));
                conclude((current.water = current.water - current.glass));
            }
        }
}

// Those who lie still drink less.
group Bedridden memberof Patient {
    initial_beliefs:
        (current.glass = 50);
    initial_facts:
        (current.bedridden = true);
}

group Convalescent memberof Patient {
    initial_beliefs:
        (current.glass = 100);
    initial_facts:
        (current.bedridden = false);
}

// The attack may come at four, and comes at noon.
group WeakHeart memberof Patient {
    initial_beliefs:
        (current.glass = 100);
    initial_facts:
        (current.bedridden = false);
    workframes:
        workframe wf_early {
            repeat: false;
            priority: 100;
            when(knownval(Clock.hour = 4))
            do { conclude((current.heartAttack = true), bc:0, fc:50); }
        }
        workframe wf_late {
            repeat: false;
            priority: 100;
            when(knownval(Clock.hour = 12))
            do { conclude((current.heartAttack = true), bc:0); }
        }
}

";

const STAFF: &str = "
group Rescuer memberof Hearer {
    attributes:
        public boolean helped;
    initial_beliefs:
        BEDS
    initial_facts:
        (current.helped = false);
    activities:
        primitive_activity resuscitate() { max_duration: 100; }
        move goTo(Bed bed) { location: bed; }
    workframes:
        workframe wf_resuscitate {
            repeat: true;
            priority: 100;
            variables:
                forone(Patient) pat;
                forone(Bed) bed;
            detectables:
                detectable revived {
                    when(whenever)
                    detect((pat.heartAttack = false), dc:100)
                    then abort;
                }
            when(knownval(pat.heartAttack = true) and knownval(pat.location = bed))
            do { goTo(bed); resuscitate(); conclude((current.helped = true)); }
        }
}

agent Nurse memberof Rescuer {
    location: office;
    activities:
        primitive_activity turnOver() { max_duration: 240; }
        primitive_activity awaitRobot() { max_duration: 600; }
        communicate callRobot(Patient pat) { max_duration: 1; with: Robot; about: send(pat.turned = false); }
    workframes:
        workframe wf_prepare {
            repeat: true;
            priority: 1;
            variables:
                forone(Patient) pat;
                forone(Bed) bed;
            detectables:
                detectable robotIsThere {
                    when(whenever)
                    detect((pat.robotReady = true), dc:100)
                    then abort;
                }
            when(knownval(pat.turned = false) and knownval(pat.location = bed))
            do { goTo(bed); callRobot(pat); awaitRobot(); }
        }
        workframe wf_turn {
            repeat: true;
            priority: 4;
            variables: forone(Patient) pat;
            when(knownval(pat.robotReady = true))
            do { turnOver(); conclude((pat.turned = true)); conclude((pat.robotReady = false)); }
        }
}

agent Doctor memberof Rescuer {
    location: office;
    initial_beliefs:
        VISITS
        MEDICINE
    activities:
        primitive_activity examine() { max_duration: 900; }
        communicate prescribe(Patient pat) { max_duration: 1; with: Assistant; about: send(pat.medication); }
    workframes:
        workframe wf_visit {
            repeat: true;
            priority: 1;
            variables:
                forone(Patient) pat;
                forone(Bed) bed;
            when(knownval(pat.visited = false) and knownval(pat.location = bed))
            do { goTo(bed); conclude((pat.visited = true), fc:0); examine(); prescribe(pat); }
        }
}

// The assistant in the doctor's pocket passes on what concerns others.
agent Assistant memberof Hearer {
    attributes:
        public boolean called;
    initial_beliefs:
        (current.called = false);
    activities:
        communicate order(Patient pat) { max_duration: 1; with: Robot; about: send(pat.medication); }
        communicate callTeam(Patient pat) { max_duration: 1; with: Doctor, Nurse, Robot; about: send(pat.heartAttack); }
    workframes:
        workframe wf_order {
            repeat: true;
            priority: 1;
            variables: forone(Patient) pat;
            when(known(pat.medication))
            do { order(pat); conclude((pat.medication = unknown), fc:0); }
        }
        workframe wf_callTeam {
            repeat: true;
            priority: 100;
            variables: forone(Patient) pat;
            when(knownval(pat.heartAttack = true) and knownval(current.called = false))
            do { conclude((current.called = true), fc:0); callTeam(pat); }
        }
    thoughtframes:
        thoughtframe tf_over {
            repeat: true;
            variables: forone(Patient) pat;
            when(knownval(pat.heartAttack = false) and knownval(current.called = true))
            do { conclude((current.called = false), fc:0); }
        }
}

agent Robot memberof Rescuer {
    location: store;
    activities:
        primitive_activity fetch() { max_duration: 400; }
        primitive_activity fill() { max_duration: 120; }
        primitive_activity turnOver() { max_duration: 240; }
        move goToStore() { location: store; }
    workframes:
        workframe wf_help {
            repeat: true;
            priority: 10;
            variables:
                forone(Patient) pat;
                forone(Bed) bed;
            when(knownval(pat.turned = false) and knownval(pat.location = bed))
            do { goTo(bed); conclude((pat.robotReady = true)); turnOver(); conclude((pat.turned = true), fc:0); }
        }
        workframe wf_fill {
            repeat: true;
            priority: 2;
            variables:
                forone(Patient) pat;
                forone(Bed) bed;
            when(knownval(pat.water < 201) and knownval(pat.location = bed))
            do { goToStore(); fill(); goTo(bed); conclude((pat.water = 1000)); }
        }
        workframe wf_fetch {
            repeat: true;
            priority: 1;
            variables:
                forone(Patient) pat;
                forone(Bed) bed;
            when(known(pat.medication) and knownval(pat.location = bed))
            do { goToStore(); fetch(); goTo(bed); conclude((pat.medication = unknown), fc:0); }
        }
}

// An object: it sees the facts of the ward.
class WardMonitor {
    activities:
        communicate reportWater(Patient pat) { max_duration: 1; with: Robot; about: send(pat.water); }
        primitive_activity awaitRefill() { max_duration: 600; }
        communicate reportTurning(Patient pat) { max_duration: 1; with: Nurse; about: send(pat.turned = false); }
        communicate raiseAlarm(Patient pat) { max_duration: 1; with: Assistant; about: send(pat.heartAttack); }
        primitive_activity heartStandsStill() { max_duration: 299; }
    workframes:
        workframe wf_water {
            repeat: true;
            priority: 1;
            variables: forone(Patient) pat;
            detectables:
                detectable refilled {
                    when(whenever)
                    detect((pat.water > 200), dc:100)
                    then abort;
                }
            when(knownval(pat.water < 201))
            do { reportWater(pat); awaitRefill(); }
        }
        workframe wf_turning {
            repeat: false;
            priority: 2;
            variables: collectall(Patient) pat;
            when(knownval(Clock.hour = 8) and knownval(pat.bedridden = true))
            do { reportTurning(pat); }
        }
        // Five minutes without help, and the patient is dead.
        workframe wf_attack {
            repeat: true;
            priority: 100;
            variables: forone(Patient) pat;
            detectables:
                detectable revived {
                    when(whenever)
                    detect((pat.heartAttack = false), dc:100)
                    then abort;
                }
            when(knownval(pat.heartAttack = true) and knownval(pat.alive = true))
            do { conclude((pat.heartAttack = true), fc:0); raiseAlarm(pat); heartStandsStill(); conclude((pat.alive = false)); }
        }
        workframe wf_revived {
            repeat: true;
            priority: 101;
            variables: forone(Patient) pat;
            when(knownval(pat.heartAttack = true) and knownval(Nurse.helped = true) and
                 knownval(Doctor.helped = true) and knownval(Robot.helped = true))
            do {
                conclude((pat.heartAttack = false));
                conclude((Nurse.helped = false));
                conclude((Doctor.helped = false));
                conclude((Robot.helped = false));
                raiseAlarm(pat);
            }
        }
}

object Monitor instanceof WardMonitor { }
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_patient_has_a_bed_and_everybody_knows_it() {
        let text = ward(12);
        for mark in ["BEDS", "VISITS", "MEDICINE"] {
            assert!(!text.contains(mark), "{mark}");
        }
        assert_eq!(text.matches("instanceof Bed partof Ward").count(), 12);
        assert_eq!(text.matches("area1: corridor; area2: bed").count(), 12);
        assert_eq!(text.matches(" memberof Bedridden {").count(), 3);
        assert_eq!(text.matches(" memberof Convalescent {").count(), 8);
        assert_eq!(text.matches("(Patient12.location = bed12);").count(), 1);
        assert_eq!(text.matches(" memberof WeakHeart {").count(), 1);
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }
}

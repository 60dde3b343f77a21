//! What things are called: entities, keys, values, frames, places in the text, points and lengths of time.

use motet_source::{Sources, Span};

use crate::program::{ActivityId, ActorId, EntityId, FrameId, Key, KeyId, Program, Value};
use crate::semantics::record::Bound;

/// A name of the program.
pub(crate) fn entity(program: &Program, id: EntityId) -> &str {
    &program.entities[id.index()].name
}

/// The name of whoever acts.
pub(crate) fn actor(program: &Program, id: ActorId) -> &str {
    entity(program, program.actors[id.index()].entity)
}

/// The name of a frame.
pub(crate) fn frame(program: &Program, id: FrameId) -> &str {
    &program.frames[id.index()].name
}

/// The name of an activity.
pub(crate) fn activity(program: &Program, id: ActivityId) -> &str {
    &program.activities[id.index()].name
}

/// `Bob.location`, `Bob.floors(3)`, `Nurse_one hasDN Digital_Nurse_one`
pub(crate) fn key(program: &Program, id: KeyId) -> String {
    let attribute = |id: crate::program::AttributeId| program.attributes[id.index()].name.as_str();
    match program.keys.get(id) {
        Key::Attribute(of, name) => format!("{}.{}", entity(program, of), attribute(name)),
        Key::Entry(of, name, index) => {
            format!("{}.{}({})", entity(program, of), attribute(name), value(program, index))
        }
        Key::Pair(of, relation, to) => {
            format!("{} {} {}", entity(program, of), attribute(relation), entity(program, to))
        }
    }
}

/// A value as the user writes it.
pub(crate) fn value(program: &Program, of: Value) -> String {
    match of {
        Value::Bool(truth) => truth.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Double(bits) => f64::from_bits(bits).to_string(),
        Value::Text(text) => program.texts[text.index()].clone(),
        Value::Entity(of) => entity(program, of).to_owned(),
    }
}

/// A value that may be missing.
pub(crate) fn known(program: &Program, of: Option<Value>) -> String {
    of.map_or_else(|| "none".to_owned(), |of| value(program, of))
}

/// Something that is so: `Bob.location = chair`, `Nurse_one hasDN Digital_Nurse_one`.
pub(crate) fn statement(program: &Program, id: KeyId, of: Value) -> String {
    match (program.keys.get(id), of) {
        (Key::Pair(..), Value::Bool(true)) => key(program, id),
        (Key::Pair(..), _) => format!("{} is {}", key(program, id), value(program, of)),
        _ => format!("{} = {}", key(program, id), value(program, of)),
    }
}

/// The values of a frame's variables: `pat = Patient_two, b = bedTwo`. Variables without a value are left out.
pub(crate) fn binding(program: &Program, id: FrameId, bound: &[Bound]) -> String {
    let variables = &program.frames[id.index()].variables;
    let part = |(variable, bound): (&crate::program::Variable, &Bound)| match bound {
        Bound::Nothing => None,
        Bound::One(of) => Some(format!("{} = {}", variable.name, value(program, *of))),
        Bound::Many(all) => {
            let all: Vec<String> = all.iter().map(|of| value(program, *of)).collect();
            Some(format!("{} = {}", variable.name, all.join(", ")))
        }
    };
    variables.iter().zip(bound).filter_map(part).collect::<Vec<_>>().join("; ")
}

/// A priority in tenths as the user writes it: `20`, `20.3`.
pub(crate) fn priority(tenths: i64) -> String {
    let (whole, rest) = (tenths / 10, (tenths % 10).abs());
    let sign = if tenths < 0 && whole == 0 { "-" } else { "" };
    if rest == 0 { whole.to_string() } else { format!("{sign}{whole}.{rest}") }
}

/// `care.b:88`
pub(crate) fn line(sources: &Sources, span: Span) -> String {
    let path = &sources.file(span.file).path;
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    format!("{name}:{}", sources.place(span).line)
}

/// A text of the model on one line.
pub(crate) fn quoted(sources: &Sources, span: Span) -> String {
    sources.text(span).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A point of time: `13:30:00`, `1d 02:00:00`.
pub(crate) fn instant(milliseconds: u64) -> String {
    let seconds = milliseconds / 1_000;
    let (days, hours) = (seconds / 86_400, seconds / 3_600 % 24);
    let day = if days > 0 { format!("{days}d ") } else { String::new() };
    format!("{day}{hours:02}:{:02}:{:02}", seconds / 60 % 60, seconds % 60)
}

/// A length of time: `40 s`, `2 min 05 s`, `2 h 10 min`.
pub(crate) fn length(seconds: u32) -> String {
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let parts = [(hours, "h"), (minutes, "min"), (rest, "s")];
    let mut text = String::new();
    for (amount, unit) in parts.into_iter().filter(|(amount, _)| *amount > 0) {
        if text.is_empty() {
            text = format!("{amount} {unit}");
        } else {
            text += &format!(" {amount:02} {unit}");
        }
    }
    if text.is_empty() { "0 s".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priorities_and_times_read_as_people_write_them() {
        assert_eq!(
            [priority(200), priority(203), priority(-5), priority(-31)],
            ["20", "20.3", "-0.5", "-3.1"]
        );
        assert_eq!(
            [instant(0), instant(48_600_000), instant(93_600_000)],
            ["00:00:00", "13:30:00", "1d 02:00:00"]
        );
        assert_eq!(
            [length(0), length(40), length(125), length(7_800)],
            ["0 s", "40 s", "2 min 05 s", "2 h 10 min"]
        );
    }
}

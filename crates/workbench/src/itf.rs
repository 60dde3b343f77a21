//! A run as a file in the Informal Trace Format (Apalache, ADR 015): one variable per agent, a record of what it has in
//! mind. Under `#meta` stand the step ordinals, which are the run, and where it comes from; a viewer may ignore them.

use std::collections::BTreeMap;

use motet_evidence::Evidence;
use motet_model::{Options, Snapshot};
use motet_render::Tale;
use serde_json::{Map, Value, json};

use crate::trace::{Saved, TraceOrigin};

/// The version of what stands under `#meta`.
const FORM: &str = "motet.trace/1";

/// The file.
pub(crate) fn write(origin: &TraceOrigin, evidence: &Evidence, tale: &Tale, minds: &[Snapshot]) -> String {
    let ordinals: Vec<Value> =
        evidence.run.steps.iter().map(|taken| json!([taken.ordinal, taken.branch])).collect();
    let names: Vec<&str> =
        minds.first().map_or(&[][..], |first| &first.minds).iter().map(|mind| mind.name.as_str()).collect();
    let states: Vec<Value> = minds.iter().enumerate().map(|(at, mind)| state(at, mind, tale)).collect();
    let mut file = json!({
        "#meta": {
            "format": "ITF",
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "source": origin.model,
            "description": format!("made by motet {}", origin.command.join(" ")),
            "motet": {
                "form": FORM,
                "version": env!("CARGO_PKG_VERSION"),
                "command": origin.command,
                "model": origin.model,
                "sha256": origin.sha256,
                "language": origin.language,
                "parameters": origin.options.parameters,
                "mode": origin.options.mode,
                "bounds": origin.options.bounds,
                "claim": origin.claim.as_ref().map(|(name, text)| json!({ "name": name, "text": text })),
                "initial": evidence.run.initial,
                "steps": ordinals,
            },
        },
        "params": [],
        "vars": names,
        "states": states,
    });
    if let Some(start) = evidence.loop_start {
        file["loop"] = json!(start);
    }
    let text = serde_json::to_string_pretty(&file).expect("a value of texts and numbers can be written");
    format!("{text}\n")
}

fn state(at: usize, snapshot: &Snapshot, tale: &Tale) -> Value {
    let mut state = Map::new();
    let mut meta = json!({ "index": at });
    if let Some(beat) = at.checked_sub(1).and_then(|step| tale.beats.get(step)) {
        meta["agent"] = json!(tale.processes.get(beat.process));
        meta["action"] = json!(beat.text);
        if let Some((to, label)) = &beat.to {
            meta["message"] = json!({ "to": tale.processes.get(*to), "text": label });
        }
        let causes: Vec<Value> =
            beat.changes.iter().map(|change| json!({ "atom": change.atom, "holds": change.now })).collect();
        if !causes.is_empty() {
            meta["causes"] = Value::Array(causes);
        }
    }
    state.insert("#meta".to_string(), meta);
    for mind in &snapshot.minds {
        let sections: Map<String, Value> =
            mind.sections.iter().map(|section| (section.title.clone(), json!(section.items))).collect();
        state.insert(mind.name.clone(), Value::Object(sections));
    }
    Value::Object(state)
}

/// Opens a file; the words say what is missing.
pub(crate) fn read(text: &str) -> Result<Saved, String> {
    let file: Value = serde_json::from_str(text).map_err(|error| format!("no JSON, {error}"))?;
    let meta = &file["#meta"]["motet"];
    if meta["form"] != FORM {
        return Err(format!("it lacks the form {FORM}"));
    }
    let missing = |name: &str| format!("its {name} is missing or wrong");
    let string = |value: &Value| value.as_str().map(String::from);
    let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
    let step = |value: &Value| Some((number(&value[0])?, number(&value[1])?));
    let steps = meta["steps"].as_array().ok_or_else(|| missing("list of steps"))?;
    let steps: Option<Vec<(u32, u32)>> = steps.iter().map(step).collect();
    let texts = |value: &Value| -> BTreeMap<String, String> {
        let entries = value.as_object().into_iter().flatten();
        entries.filter_map(|(name, value)| Some((name.clone(), string(value)?))).collect()
    };
    let numbers = |value: &Value| -> BTreeMap<String, u32> {
        let entries = value.as_object().into_iter().flatten();
        entries.filter_map(|(name, value)| Some((name.clone(), number(value)?))).collect()
    };
    let claim = &meta["claim"];
    let origin = TraceOrigin {
        command: meta["command"].as_array().into_iter().flatten().filter_map(string).collect(),
        model: string(&meta["model"]).ok_or_else(|| missing("model"))?,
        sha256: string(&meta["sha256"]).unwrap_or_default(),
        language: string(&meta["language"]),
        options: Options {
            parameters: texts(&meta["parameters"]),
            mode: string(&meta["mode"]),
            bounds: numbers(&meta["bounds"]),
        },
        claim: string(&claim["name"]).zip(string(&claim["text"])),
    };
    Ok(Saved {
        origin,
        initial: number(&meta["initial"]).ok_or_else(|| missing("initial state"))?,
        steps: steps.ok_or_else(|| missing("list of steps"))?,
        loop_start: file["loop"].as_u64().and_then(|start| usize::try_from(start).ok()),
    })
}

//! Writes the models of chance in the corpus, and the vessel, as tasks for `cargo xtask bench chance`: each in a folder of
//! its own below the one that is named, as sources for Motet and as a text with questions in the PRISM language for others.
//!
//! A folder holds `title`, `arguments` (of `motet check`, one in a line), `model.prism` and `questions` (one in a line).
#![expect(clippy::disallowed_methods, reason = "this program is a host: it writes files")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use motet_model::AtomId;
use motet_property::{Claim, Moments, PrismNames, prism_formula};
use motet_source::Sources;
use motet_suite::folder;
use motet_suite::markdown::{Check, Example, read};
use motet_workbench::{Loaded, Options, Project, load};

fn main() {
    let target = PathBuf::from(std::env::args().nth(1).expect("the folder to write to is the argument"));
    let root = folder::root();
    let mut number = 0;
    let mut write = |task: &Task| {
        task.write(&target.join(format!("{number:03}")));
        number += 1;
    };
    for (path, text) in folder::pages(&root, "corpus/prism") {
        for example in read(&text).expect("the page is well formed") {
            for check in example.checks.iter().filter(|check| check.has_mark("storm")) {
                write(&Task::of_page(&root, &path, &example, check));
            }
        }
    }
    for example in ["examples/asv", "examples/asv-dtmc"] {
        let sources = folder::sources(&root, example).expect("the example can be read");
        write(&Task {
            title: example.to_owned(),
            sources,
            settings: BTreeMap::new(),
            model: example.to_owned(),
        });
    }
}

/// One model with its claims.
struct Task {
    title: String,
    sources: Sources,
    /// Parameters of the model.
    settings: BTreeMap<String, String>,
    /// What `motet check` is given: a folder of the project, or one of the sources.
    model: String,
}

impl Task {
    fn of_page(root: &Path, path: &str, example: &Example, check: &Check) -> Self {
        let mut sources = Sources::new();
        if let Some(path) = &example.folder {
            sources = folder::sources(root, path).expect("the folder can be read");
        }
        for (name, text) in &example.programs {
            sources.add(name.as_str(), text.as_str());
        }
        if let Some(claims) = &example.claims {
            sources.add("example.props", claims.as_str());
        }
        let page = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".md");
        let values: Vec<String> =
            check.settings.iter().map(|(name, value)| format!(" {name}={value}")).collect();
        let title = format!("{page}:{}{}", example.line, values.concat());
        Self { title, sources, settings: check.settings.clone(), model: String::new() }
    }

    fn write(&self, folder: &Path) {
        let put = |name: &str, text: &str| {
            std::fs::create_dir_all(folder.join("model")).expect("a folder can be made");
            std::fs::write(folder.join(name), text).expect("a file can be written");
        };
        let mut arguments = self.model.clone();
        if arguments.is_empty() {
            for (_, file) in self.sources.iter() {
                let name = file.path.rsplit('/').next().unwrap_or(&file.path);
                put(&format!("model/{name}"), &file.text);
            }
            arguments = folder.join("model").display().to_string();
        }
        for (name, value) in &self.settings {
            arguments += &format!("\n-D\n{name}={value}");
        }
        let options = Options { parameters: self.settings.clone(), ..Options::default() };
        let sources = self.sources.clone();
        let project = Project { path: self.title.clone(), sources, options, ..Project::default() };
        let (model, questions) = questions(&load(project));
        put("title", &self.title);
        put("arguments", &arguments);
        put("model.prism", &model);
        put("questions", &questions.join("\n"));
    }
}

/// The model and its questions in the PRISM language.
fn questions(loaded: &Loaded) -> (String, Vec<String>) {
    let ready = loaded.ready.as_ref().unwrap_or_else(|| panic!("{:?}", loaded.problems));
    let text = ready.system.export.prism().expect("the language has a translation");
    let text = text.unwrap_or_else(|problem| panic!("{}", problem.message));
    let rewards = &ready.system.model.signature().rewards;
    let reward = |name: Option<&str>| {
        let number = name.map_or(Some(0), |name| rewards.iter().position(|reward| reward.name == name))?;
        text.rewards.get(number).cloned()
    };
    let names = PrismNames {
        atom: &|atom| text.atoms[atom.index()].clone(),
        reward: &reward,
        per_step: text.steps,
        per_unit: Some(text.steps),
        moments: text.moments.as_ref().map(|expression| Moments { expression, wavering: &text.wavering }),
    };
    let question = |claim: &Claim<AtomId>| {
        let formula = prism_formula(&claim.formula, &names);
        formula.unwrap_or_else(|refused| panic!("{}: {refused}", claim.name)).replace('\n', " ")
    };
    (text.text.clone(), ready.claims.iter().map(question).collect())
}

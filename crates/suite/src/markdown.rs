//! Reads a page of the specification or the corpus into examples: a heading, the texts of a model, and what checking it
//! must give. `spec/README.md` describes the form.

use std::collections::BTreeMap;

use crate::expectation::{Expected, parse_line};

/// One section with a model and its expected results.
#[derive(Clone, Debug, Default)]
pub struct Example {
    /// The heading it stands under.
    pub title: String,
    /// The 1-based line of its first block.
    pub line: usize,
    /// Agent programs, files of a Brahms model: name with extension, and text.
    pub programs: Vec<(String, String)>,
    /// The team file.
    pub team: Option<String>,
    /// The claims file.
    pub claims: Option<String>,
    /// The claims file's extension: `props`, or what follows the word `claims`.
    pub extension: Option<String>,
    /// A model that lies elsewhere in the repository, instead of the texts.
    pub folder: Option<String>,
    /// What must come out; one entry per ` ```check ` block.
    pub checks: Vec<Check>,
}

/// One way to check an example, and what must come out.
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// The 1-based line of the block.
    pub line: usize,
    /// `fair=none`, `LAST=3` and the like, from the block's first line.
    pub settings: BTreeMap<String, String>,
    /// Words such as `release` and `spin`, from the block's first line.
    pub marks: Vec<String>,
    /// What must come out.
    pub expected: Vec<Expected>,
    /// Where the numbers come from.
    pub origins: Vec<String>,
}

impl Check {
    /// Whether the block's first line holds a word.
    #[must_use]
    pub fn has_mark(&self, mark: &str) -> bool {
        self.marks.iter().any(|known| known == mark)
    }
}

/// All examples of a page.
///
/// # Errors
/// Messages with line numbers for blocks that cannot be understood and for models without expectations: silence is
/// never a pass.
pub fn read(page: &str) -> Result<Vec<Example>, Vec<String>> {
    let mut reader = Reader::default();
    let mut block: Option<Block> = None;
    for (number, line) in page.lines().enumerate().map(|(at, line)| (at + 1, line)) {
        match (&mut block, line.strip_prefix("```")) {
            (Some(open), Some("")) => {
                reader.close(open);
                block = None;
            }
            (Some(open), _) => {
                open.text.push_str(line);
                open.text.push('\n');
            }
            (None, Some(info)) => {
                block = Some(Block { info: info.to_owned(), line: number, text: String::new() })
            }
            (None, None) if line.starts_with('#') => reader.heading(line.trim_start_matches('#').trim()),
            (None, None) => {}
        }
    }
    if let Some(open) = block {
        reader.errors.push(format!("line {}: the block is never closed", open.line));
    }
    reader.finish();
    if reader.errors.is_empty() { Ok(reader.examples) } else { Err(reader.errors) }
}

struct Block {
    info: String,
    line: usize,
    text: String,
}

#[derive(Default)]
struct Reader {
    examples: Vec<Example>,
    errors: Vec<String>,
    current: Example,
}

impl Reader {
    fn heading(&mut self, title: &str) {
        self.finish();
        self.current.title = title.to_owned();
    }

    /// Ends the section: a model must have expectations, and expectations a model.
    fn finish(&mut self) {
        let example = std::mem::take(&mut self.current);
        let has_model = example.claims.is_some()
            || example.folder.is_some()
            || example.team.is_some()
            || !example.programs.is_empty();
        if example.folder.is_some()
            && (example.claims.is_some() || example.team.is_some() || !example.programs.is_empty())
        {
            return self
                .error(example.line, "a folder brings its own texts; others beside it would not be read");
        }
        match (has_model, example.checks.is_empty()) {
            (true, false) => self.examples.push(example),
            (true, true) => self.error(example.line, "the model has no ```check block"),
            (false, false) => self.error(example.checks[0].line, "the ```check block has no model"),
            (false, true) => {}
        }
    }

    fn error(&mut self, line: usize, message: &str) {
        self.errors.push(format!("line {line}: {message}"));
    }

    fn close(&mut self, block: &Block) {
        let mut words = block.info.split_whitespace();
        let kind = words.next().unwrap_or("");
        let text = block.text.clone();
        if kind != "text" && kind != "check" && self.current.line == 0 {
            self.current.line = block.line;
        }
        let doubled = match kind {
            "agentspeak" => {
                self.current.programs.push((format!("{}.asl", words.next().unwrap_or("agent")), text));
                false
            }
            "brahms" => {
                self.current.programs.push((format!("{}.b", words.next().unwrap_or("model")), text));
                false
            }
            "prism" => {
                self.current.programs.push((format!("{}.prism", words.next().unwrap_or("model")), text));
                false
            }
            "nets" => {
                self.current.programs.push((format!("{}.npn", words.next().unwrap_or("model")), text));
                false
            }
            "pnml" => {
                self.current.programs.push((format!("{}.pnml", words.next().unwrap_or("model")), text));
                false
            }
            "senglish" => {
                self.current.programs.push((words.next().unwrap_or("agent.sej").to_owned(), text));
                false
            }
            "settings" => {
                self.current.programs.push(("motet.toml".to_owned(), text));
                false
            }
            "team" => self.current.team.replace(text).is_some(),
            "claims" => {
                self.current.extension = words.next().map(str::to_owned);
                self.current.claims.replace(text).is_some()
            }
            "model" => self.current.folder.replace(text.trim().to_owned()).is_some(),
            "check" => {
                self.check(block);
                false
            }
            "text" | "sh" => false,
            _ => {
                self.error(block.line, "unknown kind of block; use text for what is not run");
                false
            }
        };
        if doubled {
            self.error(block.line, "a section holds one team, one claims and one model block");
        }
    }

    fn check(&mut self, block: &Block) {
        let mut check = Check { line: block.line, ..Check::default() };
        for word in block.info.split_whitespace().skip(1) {
            match word.split_once('=') {
                Some((name, value)) => {
                    check.settings.insert(name.to_owned(), value.to_owned());
                }
                None => check.marks.push(word.to_owned()),
            }
        }
        for (offset, line) in block.text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            if let Some(origin) = line.strip_prefix("ORIGIN:") {
                check.origins.push(origin.trim().to_owned());
                continue;
            }
            match parse_line(line) {
                Ok(expected) => check.expected.push(expected),
                Err(message) => self.error(block.line + 1 + offset, &message),
            }
        }
        if check.expected.is_empty() {
            self.error(block.line, "the block expects nothing");
        }
        self.current.checks.push(check);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expectation::Word;

    const PAGE: &str = "# Title\n\nProse.\n\n## One\n\n```agentspeak ag1\n+p <- act.\n```\n\n```claims\nproperty S: F p\n```\n\n```check LAST=3 release\nRESULT: holds S\nRESULT: 5401 states, 19403 transitions\nORIGIN: counted by hand\n```\n";

    #[test]
    fn a_section_becomes_an_example_with_its_expectations() {
        let examples = read(PAGE).expect("the page is well formed");
        assert_eq!(examples.len(), 1);
        let example = &examples[0];
        assert_eq!((example.title.as_str(), example.line), ("One", 7));
        assert_eq!(example.programs, [("ag1.asl".to_owned(), "+p <- act.\n".to_owned())]);
        let check = &example.checks[0];
        assert_eq!(check.settings["LAST"], "3");
        assert!(check.has_mark("release"));
        assert_eq!(check.origins, ["counted by hand"]);
        assert_eq!(check.expected[0], Expected::Verdict(Word::Holds, "S".to_owned()));
        assert_eq!(
            check.expected[1],
            Expected::Size { states: 5401, transitions: Some(19403), choices: None }
        );
    }

    #[test]
    fn a_model_without_expectations_is_an_error() {
        let page = "## One\n\n```agentspeak\n+p <- act.\n```\n";
        assert_eq!(read(page).expect_err("no check block"), ["line 3: the model has no ```check block"]);
    }

    #[test]
    fn texts_beside_a_folder_are_an_error() {
        let page =
            "## One\n\n```model\nexamples/x\n```\n\n```claims\n```\n\n```check\nRESULT: holds S\n```\n";
        let errors = read(page).expect_err("the claims would not be read");
        assert!(errors[0].contains("a folder brings its own texts"), "{errors:?}");
    }

    #[test]
    fn an_unreadable_expectation_and_an_empty_one_are_errors() {
        let page = "## One\n\n```claims\n```\n\n```check\nRESULT: perhaps S\n```\n";
        assert_eq!(read(page).expect_err("bad line").len(), 2);
    }

    #[test]
    fn an_unknown_kind_of_block_is_an_error_and_text_is_not() {
        assert!(read("```rust\n```\n").is_err());
        assert!(read("```text\nanything\n```\n").expect("prose only").is_empty());
    }
}

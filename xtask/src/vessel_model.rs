//! The mine hunter of `examples/asv` at larger sizes: longer counts, and sensors that report something nobody asks for. A
//! state holds the counts of all sensors, so each one multiplies the states.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};

/// How a sensor counts: so many cycles without what it looks for, then so many with it.
pub(crate) type Counts = (u32, u32);

/// A size of the vessel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Vessel {
    pub(crate) title: String,
    /// By how much the counts for the sea and for turning points are longer than in the example.
    stretch: u32,
    /// Further sensors, at most as many as there are [`SENSORS`].
    more: Vec<Counts>,
}

/// What further sensors report. No plan reads it, so no chance depends on it.
const SENSORS: [&str; 3] = ["The water is shallow", "A ship is near", "The light is poor"];

/// The probability of the example that the mission ends with no error noted, whatever is chosen at best: table 6.2 of
/// Izzo (2016).
pub(crate) const COMPLETE: f64 = 0.447_030;

/// The questions; the first is about [`COMPLETE`].
const CLAIMS: &str = "\
query Complete \"the mission ends with no error noted\":
  Pmax=? [F (error=0 & mission_complete=1)]
query Soon \"the mission is complete within 50 cycles\":
  Pmin=? [F<=50 cycles \"Mission complete\"]
";

impl Vessel {
    /// The example with longer counts and more sensors.
    pub(crate) fn new(title: &str, stretch: u32, more: &[Counts]) -> Self {
        Self { title: title.to_owned(), stretch, more: more.to_vec() }
    }

    /// Whether its counts are those of the example, so that its chances are known.
    pub(crate) fn is_known(&self) -> bool {
        self.stretch == 1
    }

    /// Writes it into a folder, after the example.
    ///
    /// # Errors
    /// When the example is not as expected, or files cannot be written.
    pub(crate) fn write(&self, example: &Path, folder: &Path) -> Result<()> {
        if folder.exists() {
            std::fs::remove_dir_all(folder)?;
        }
        std::fs::create_dir_all(folder)?;
        for entry in std::fs::read_dir(example).with_context(|| format!("reading {}", example.display()))? {
            let path = entry?.path();
            let name = path.file_name().context("files have names")?;
            if ["sep", "ont"].iter().any(|kind| path.extension().is_some_and(|found| found == *kind)) {
                std::fs::copy(&path, folder.join(name))?;
            }
        }
        let agent = std::fs::read_to_string(example.join("asv.sej")).context("reading asv.sej")?;
        std::fs::write(folder.join("asv.sej"), self.agent(&agent)?)?;
        std::fs::write(folder.join("asv.props"), CLAIMS)?;
        Ok(())
    }

    /// The agent after that of the example.
    fn agent(&self, example: &str) -> Result<String> {
        let by = self.stretch;
        let sensors: String = (self.more.iter().zip(SENSORS))
            .map(|((without, with), name)| format!("{name}. {{[],[0.05,{without},0],[0.5,{with},0]}}\n"))
            .collect();
        let changes = [
            ("[0.01,10,0],[0.5,3,0]", format!("[0.01,{},0],[0.5,{},0]", 10 * by, 3 * by)),
            ("[0.9,10,0],[1,3,0]", format!("[0.9,{},0],[1,{},0]", 10 * by, 3 * by)),
            ("// What actions report\n", format!("{sensors}// What actions report\n")),
        ];
        let mut text = example.to_owned();
        for (old, new) in changes {
            ensure!(text.matches(old).count() == 1, "`{}` is not once in the example", old.trim());
            text = text.replace(old, &new);
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = include_str!("../../examples/asv/asv.sej");

    #[test]
    fn a_vessel_of_the_size_of_the_example_is_the_example() {
        assert_eq!(Vessel::new("as it is", 1, &[]).agent(EXAMPLE).unwrap(), EXAMPLE);
    }

    #[test]
    fn a_larger_vessel_has_longer_counts_and_more_sensors() {
        let text = Vessel::new("larger", 4, &[(10, 3), (6, 2)]).agent(EXAMPLE).unwrap();
        assert!(text.contains("The sea is too rough. {[],[0.01,40,0],[0.5,12,0]}\n"), "{text}");
        assert!(text.contains("A turning point is reached. {[],[0.9,40,0],[1,12,0]}\n"), "{text}");
        assert!(
            text.contains("A ship is near. {[],[0.05,6,0],[0.5,2,0]}\n// What actions report\n"),
            "{text}"
        );
        assert!(Vessel::new("other", 1, &[]).agent("nothing of this").is_err());
    }
}

//! `cargo xtask bench advise`: how long advice takes. The suite knows how to read the example and how to serve it, so the
//! measuring is one of its programs; here its page is kept.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

/// Where the result is kept.
const PAGE: &str = "docs/benchmarks/advise.md";

/// Measures, writes the page and returns it.
///
/// # Errors
/// When the program cannot be built or fails.
pub fn advise(root: &Path) -> Result<String> {
    let cargo = option_env!("CARGO").unwrap_or("cargo");
    let arguments = ["run", "--release", "--quiet", "-p", "motet-suite", "--example", "advise"];
    let output = Command::new(cargo).current_dir(root).args(arguments).output().context("starting cargo")?;
    if !output.status.success() {
        bail!("the measuring failed:\n{}", String::from_utf8_lossy(&output.stderr));
    }
    let page = String::from_utf8(output.stdout).context("a page is a text")?;
    let path = root.join(PAGE);
    std::fs::create_dir_all(path.parent().unwrap_or(root))?;
    std::fs::write(&path, &page).with_context(|| format!("writing {PAGE}"))?;
    Ok(page)
}

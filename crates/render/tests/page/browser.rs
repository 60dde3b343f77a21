//! A real browser for tests: Chromium without a window.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where Chromium is: `MOTET_CHROMIUM`, or the first of its usual names on the path. `None` skips a test with a message;
/// with `MOTET_REQUIRE_CHROMIUM` set a missing browser is a failure.
#[expect(clippy::disallowed_methods, reason = "tests are told by the environment which browser to use")]
fn chromium() -> Option<PathBuf> {
    if let Ok(path) = std::env::var("MOTET_CHROMIUM") {
        return Some(PathBuf::from(path));
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders)
        .flat_map(|folder| ["chromium", "chromium-browser", "google-chrome"].map(|name| folder.join(name)))
        .find(|path| path.is_file());
    if found.is_none() {
        let missing = "no Chromium: install it, or name it in MOTET_CHROMIUM";
        assert!(std::env::var("MOTET_REQUIRE_CHROMIUM").is_err(), "{missing}");
        let _ = writeln!(std::io::stderr(), "skipped, {missing}");
    }
    found
}

/// The document after its scripts have run, as HTML. `address` is what follows the file's name: `#t=0`.
#[allow(dead_code, reason = "pages that are served are no files")]
pub(crate) fn dom(name: &str, page: &str, address: &str) -> Option<String> {
    chromium()?;
    let file = saved(name, page);
    dom_at(name, &format!("file://{}{address}", file.display()))
}

/// The document at an address after its scripts have run. `name` keeps its browser apart from others.
pub(crate) fn dom_at(name: &str, address: &str) -> Option<String> {
    let browser = chromium()?;
    let output = run(&browser, name, &["--dump-dom"], address);
    let text = String::from_utf8_lossy(&output.stdout).to_string();
    assert!(
        text.contains("</html>"),
        "{browser:?} gave no document: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(text)
}

#[allow(dead_code, reason = "pages that are served are no files")]
#[expect(clippy::disallowed_methods, reason = "the browser reads the page from a file")]
fn saved(name: &str, page: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.html"));
    std::fs::write(&file, page).expect("the folder for temporary files of tests can be written");
    file
}

#[expect(clippy::disallowed_methods, reason = "the browser is another program")]
fn run(browser: &Path, name: &str, arguments: &[&str], address: &str) -> std::process::Output {
    let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.profile"));
    Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .args(["--no-first-run", "--disable-extensions", "--window-size=1280,800"])
        .args(["--virtual-time-budget=4000", "--timeout=30000"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .args(arguments)
        .arg(address)
        .output()
        .expect("the browser starts")
}

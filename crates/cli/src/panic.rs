//! A bug in the tool ends with a report file and exit code 70, not with a wall of text.

use std::backtrace::Backtrace;
use std::io::Write;
use std::path::PathBuf;

use crate::deliver::write_whole;
use crate::scratch::is_unreadable;

/// Writes a report file for every panic.
pub(crate) fn install(command: Vec<String>) {
    std::panic::set_hook(Box::new(move |info| {
        if is_unreadable() {
            return;
        }
        let words = info
            .payload()
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| info.payload().downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no message");
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let report = format!(
            "motet {} broke a promise of its own\n\ncommand: motet {}\nmessage: {words}\nplace: {place}\n\n{}\n",
            env!("CARGO_PKG_VERSION"),
            command.join(" "),
            Backtrace::force_capture()
        );
        let path = PathBuf::from(format!(".motet/bug-{}.txt", std::process::id()));
        let mut out = anstream::stderr();
        let _ = writeln!(out, "\nthis is a bug in the tool, not in your model: {words} ({place})");
        let _ = match write_whole(&path, report.as_bytes()) {
            Ok(()) => writeln!(out, "please report it together with {}", path.display()),
            Err(_) => writeln!(out, "{report}"),
        };
    }));
}

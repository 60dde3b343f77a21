//! What `motet explain CODE` knows of a problem's code.

/// The manual entry of one code. Each crate that raises problems publishes a `CODES` table of these.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The code, `M0210`.
    pub code: &'static str,
    /// What it catches, in half a line, lower case.
    pub title: &'static str,
    /// Why it is a problem and the way out, with a small example; Markdown.
    pub text: &'static str,
}

//! Exit codes. Unknown has its own, and so has a bug in the tool.

use motet_render::Ending;

/// How the program ends. When several apply, 70 outranks 3, then 5, then 6, then 1, then 4, then 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitCode {
    /// Every selected claim has its expected verdict.
    AsExpected = 0,
    /// At least one claim has another verdict.
    NotAsExpected = 1,
    /// The command line is wrong.
    Usage = 2,
    /// A model or claims file has errors.
    BrokenInput = 3,
    /// A limit stopped the run and nothing was violated.
    Inconclusive = 4,
    /// A requested engine is missing, crashed or disagrees.
    Engine = 5,
    /// A result or a report could not be delivered.
    Lost = 6,
    /// A bug in the tool; a report file is written.
    Internal = 70,
    /// The user stopped it.
    Interrupted = 130,
}

impl ExitCode {
    /// The number.
    pub(crate) fn number(self) -> u8 {
        self as u8
    }
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::AsExpected => Self::AsExpected,
            Ending::NotAsExpected => Self::NotAsExpected,
            Ending::Inconclusive => Self::Inconclusive,
            Ending::BrokenInput => Self::BrokenInput,
            Ending::Engine => Self::Engine,
            Ending::Internal => Self::Internal,
            Ending::Interrupted => Self::Interrupted,
        }
    }
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> Self {
        Self::from(code.number())
    }
}

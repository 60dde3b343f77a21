//! `motet vocab`

use motet_render::vocabulary;

use crate::arguments::ModelArguments;
use crate::exit::ExitCode;
use crate::host::Host;
use crate::verbs::{load_model, refuse};

/// Lists the words that claims may use. Errors in claims files do not matter here, so they are not read.
pub(crate) fn vocab(host: &Host, arguments: &ModelArguments) -> ExitCode {
    let loaded = load_model(arguments, None);
    match &loaded.vocabulary {
        Some(words) => {
            host.say(&vocabulary(words, &host.view));
            ExitCode::AsExpected
        }
        None => refuse(host, &loaded),
    }
}

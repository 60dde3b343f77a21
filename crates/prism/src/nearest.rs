//! Did you mean.

/// Names longer than this are no slips of the pen, and comparing them takes long.
const LIMIT_LENGTH: usize = 60;

/// The known name nearest to this one.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LIMIT_LENGTH {
        return None;
    }
    motet_source::suggest(name, known.into_iter().filter(|known| known.len() <= LIMIT_LENGTH))
}

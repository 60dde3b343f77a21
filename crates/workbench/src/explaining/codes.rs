//! What codes mean.

use motet_source::{Entry, suggest};

/// The manual entry of a code, whichever crate raises it; else the nearest code.
///
/// # Errors
/// The nearest known code, if there is one.
pub fn explain(code: &str) -> Result<&'static Entry, Option<&'static str>> {
    let wanted = code.trim().to_ascii_uppercase();
    match tables().find(|entry| entry.code == wanted) {
        Some(entry) => Ok(entry),
        None => Err(suggest(&wanted, tables().map(|entry| entry.code))),
    }
}

/// All manual entries, in the order of codes.
#[must_use]
pub fn entries() -> Vec<&'static Entry> {
    let mut all: Vec<&Entry> = tables().collect();
    all.sort_by_key(|entry| entry.code);
    all
}

fn tables() -> impl Iterator<Item = &'static Entry> {
    let tables = [
        crate::CODES,
        crate::CHECKPOINT_CODES,
        crate::SPILL_CODES,
        crate::DELIVERY_CODES,
        crate::RUN_CODES,
        crate::ADVICE_CODES,
        motet_property::CODES,
        motet_agentspeak::CODES,
        motet_agentspeak::ATOM_CODES,
        motet_agentspeak::NOTICE_CODES,
        motet_agentspeak::EXPORT_CODES,
        motet_brahms::CODES,
        motet_brahms::EXPORT_CODES,
        motet_prism::CODES,
        motet_senglish::CODES,
        motet_nets::CODES,
        motet_nets::plain::CODES,
        motet_pnml::CODES,
        motet_external::CODES,
    ];
    tables.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_explained_once() {
        let all = entries();
        assert!(all.windows(2).all(|pair| pair[0].code < pair[1].code), "a code occurs twice");
        for entry in all {
            assert!(entry.text.trim().len() > 40, "{} has no explanation", entry.code);
            assert_eq!(explain(&entry.code.to_lowercase()).map(|found| found.code), Ok(entry.code));
        }
    }

    #[test]
    fn an_unknown_code_gets_the_nearest() {
        assert!(explain("M0O01").unwrap_err().is_some());
        assert_eq!(explain("nonsense").unwrap_err(), None);
    }
}

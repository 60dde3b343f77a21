//! The token of a session: whoever started the program knows it, and nobody else can guess it.

use std::fmt;
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::Read;

/// 128 bits that cannot be guessed, in hexadecimal digits.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// Another one each time.
    pub(crate) fn fresh() -> Self {
        let mut bytes = [0; 16];
        let from_system = File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut bytes));
        if from_system.is_err() {
            // The keys of the standard library's hash tables are the system's random numbers, too, where it has no such file.
            let keys = RandomState::new();
            let half = |number: u64| u128::from(keys.hash_one(number));
            bytes = (half(0) << 64 | half(1)).to_be_bytes();
        }
        Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Whether this is the token. It takes as long wherever the first difference is, so that time tells nothing of it.
    pub(crate) fn is(&self, shown: &str) -> bool {
        let pairs = self.0.bytes().zip(shown.bytes());
        self.0.len() == shown.len() && pairs.fold(0, |differs, (own, other)| differs | (own ^ other)) == 0
    }

    /// Its digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A token is told where it has to be, and not in what is written about a program.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_itself_and_nothing_else() {
        let (one, other) = (Token::fresh(), Token::fresh());
        assert!(one.is(one.as_str()) && !one.is(other.as_str()) && !one.is(""));
        assert_eq!(one.as_str().len(), 32);
        assert!(!one.is(&one.as_str()[..31]) && !one.is(&format!("{one}0")));
        assert_eq!(format!("{one:?}"), "Token");
    }
}

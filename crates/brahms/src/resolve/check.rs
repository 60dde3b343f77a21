//! What is certainly odd once everything is known.

use super::Resolver;

impl Resolver<'_> {
    /// Looks at the finished program.
    pub(crate) fn check(&mut self) {}

    /// Activities that nobody calls.
    pub(crate) fn uncalled(&mut self) {}
}

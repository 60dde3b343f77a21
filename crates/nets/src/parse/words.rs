//! The words of the language.

use motet_source::suggest;

/// Words that mean something wherever they stand; they are no names.
pub(crate) const RESERVED: &[&str] = &[
    "agent",
    "alt",
    "and",
    "bool",
    "cell",
    "class",
    "const",
    "def",
    "else",
    "enum",
    "exists",
    "false",
    "forall",
    "if",
    "in",
    "inhib",
    "int",
    "let",
    "minus",
    "new",
    "not",
    "notin",
    "or",
    "out",
    "pick",
    "place",
    "port",
    "read",
    "set",
    "sync",
    "system",
    "then",
    "token",
    "transition",
    "true",
    "type",
    "union",
    "up",
    "when",
    "where",
    "with",
];

/// Words that mean something in one position and are free elsewhere.
const IN_PLACE: &[&str] = &[
    "advice",
    "agents",
    "also",
    "aspect",
    "capacity",
    "chan",
    "from",
    "goal",
    "interchangeable",
    "limit",
    "mediator",
    "operation",
    "permits",
    "pointcut",
    "role",
    "says",
    "starts",
    "using",
    "weave",
];

/// Words of the language that other languages of nets and agents use.
const FOREIGN: &[(&str, &str)] = &[
    ("guard", "a guard is written `when e;`"),
    ("input", "an arc from a place is written `in p(x);`"),
    ("output", "an arc to a place is written `out p(e);`"),
    ("var", "variables are bound by the arcs that name them and need no declaration"),
    ("sort", "a sort is declared with `type`, or with `enum` if its values are names"),
    ("trans", "a transition is written `transition t { ... }`"),
    ("net", "a net is written `system net N() { ... }` or `agent net N() { ... }`"),
    ("include", "give all texts of a model to the tool; they are read as one"),
];

/// The word that was probably meant by this one.
pub(crate) fn meant(word: &str) -> Option<String> {
    if let Some((_, help)) = FOREIGN.iter().find(|(foreign, _)| *foreign == word) {
        return Some((*help).to_owned());
    }
    let known = RESERVED.iter().chain(IN_PLACE).copied();
    if word.len() < 3 || known.clone().any(|one| one == word) {
        return None;
    }
    suggest(word, known.filter(|one| one.len() > 3)).map(|near| format!("did you mean `{near}`"))
}

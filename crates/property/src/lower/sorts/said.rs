//! What is said of a value of another sort: what the one is, what the other is, and what to write instead.

use motet_model::{Expr, Operator, Sort};
use motet_source::{Problem, suggest};

use super::super::atom::listed;
use super::super::places::Origin;
use super::Checker;
use super::fit::{Fit, is_truth, meet};

impl<'a> Checker<'a> {
    /// Holds a value against the sort of what it is compared with.
    pub(super) fn fits(&mut self, term: &'a Expr, sort: &Sort, value: &'a Expr) {
        if let (Sort::Record(sorts), Expr::Tuple(parts)) = (sort.plain(), value)
            && sorts.len() == parts.len()
        {
            for ((name, sort), part) in sorts.iter().zip(parts) {
                let whose = if name.is_empty() { format!("a part of `{term}`") } else { format!("`{name}`") };
                let write = Some(name).filter(|name| !name.is_empty());
                self.judge(&format!("{whose} is {}", describe(sort)), write, sort, part);
            }
            return;
        }
        self.judge(&format!("`{term}` is {}", describe(sort)), Some(&term.to_string()), sort, value);
    }

    /// An argument, which stands alone.
    pub(super) fn argument_fits(&mut self, name: &str, sort: &Sort, value: &'a Expr) {
        self.judge(&format!("`{name}` takes {}", describe(sort)), None, sort, value);
    }

    /// The elements of a collection, or the members of a sort, by name.
    pub(super) fn element_fits(&mut self, of: &'a Expr, sort: &Sort, value: &'a Expr) {
        if let (Sort::Record(_), Expr::Tuple(parts)) = (sort.plain(), value)
            && parts.len() > 1
        {
            self.fits(of, sort, value);
            return;
        }
        self.judge(&format!("in `{of}` each is {}", describe(sort)), None, sort, value);
    }

    /// `subject` says what is expected: `Bob.fallen` is true or false.
    fn judge(&mut self, subject: &str, write: Option<&String>, sort: &Sort, value: &'a Expr) {
        let fit = self.fit(sort, value);
        let (span, origin) = self.place(value);
        let sort = sort.plain();
        let problem = match fit {
            Fit::Good => return,
            Fit::Outside if origin == Origin::Member => return,
            Fit::Outside if *sort == Sort::Text => {
                let message = format!("no state of the model holds the text `{value}`");
                let texts = self.vocabulary.terms.texts.iter().flat_map(|texts| texts.iter());
                let word = value.to_string();
                let near = suggest(word.trim_matches('"'), texts.map(String::as_str));
                let help = near.map_or("`motet vocab` lists what the model speaks of".to_owned(), |near| {
                    format!("did you mean `\"{near}\"`?")
                });
                Problem::warning("M0311", span, message, help)
            }
            Fit::Outside => {
                let message = format!("{subject}, and never `{value}`");
                let help = "a comparison with a value outside of the range is the same in every state";
                Problem::warning("M0311", span, message, help).label("outside of the range")
            }
            Fit::Other => {
                let found = self.described(value);
                let message = format!("{subject}, and `{value}` is {found}: they are never equal");
                Problem::error("M0233", span, message, self.instead(write, sort, value))
            }
            Fit::Nobody => {
                let message = match kind(sort) {
                    Some(kind) => format!("{subject}, and there is no {kind} `{value}`"),
                    None => format!("{subject}, and never `{value}`"),
                };
                Problem::error("M0234", span, message, self.instead(write, sort, value))
            }
            Fit::Parts => {
                let message = format!("{subject}, and `{value}` has another number of parts");
                Problem::error("M0235", span, message, self.instead(write, sort, value))
            }
        };
        self.problems.push(problem);
    }

    /// Two things that the model computes.
    pub(super) fn agree(&mut self, left: (&'a Expr, &Sort), right: (&'a Expr, &Sort)) {
        let (one, other) = (describe(left.1.plain()), describe(right.1.plain()));
        let (span, _) = self.place(right.0);
        let both = format!("`{}` is {one}, and `{}` is {other}", left.0, right.0);
        match meet(left.1, right.1) {
            Fit::Good => {}
            Fit::Outside => {
                let help = "a comparison of values that never meet is the same in every state";
                self.problems.push(Problem::warning("M0311", span, both, help));
            }
            _ => {
                let message = format!("{both}: they are never equal");
                let help = "compare values of one sort";
                self.problems.push(Problem::error("M0233", span, message, help));
            }
        }
    }

    /// Something that the model computes, and a collection without such elements.
    pub(super) fn not_among(&mut self, left: (&'a Expr, &Sort), right: (&'a Expr, &Sort)) {
        let (one, other) = (describe(left.1.plain()), describe(right.1.plain()));
        let message = format!("`{}` is {one}, and in `{}` each is {other}", left.0, right.0);
        let (span, _) = self.place(right.0);
        self.problems.push(match meet(left.1, right.1) {
            Fit::Outside => {
                let help = "values that never meet are never among each other";
                Problem::warning("M0311", span, message, help)
            }
            _ => Problem::error("M0233", span, message, "look among values of the same sort"),
        });
    }

    /// Whether something cannot be more or less than anything, which is told.
    pub(super) fn has_no_order(&mut self, expr: &'a Expr, sort: &Sort) -> bool {
        let plain = sort.plain();
        if matches!(plain, Sort::Open | Sort::Whole(..) | Sort::Number | Sort::Many(_)) {
            return false;
        }
        let message = format!("`{expr}` is {}, and cannot be more or less", describe(plain));
        let help = match plain {
            Sort::Truth => format!("write `{expr} = true` or `{expr} = false`"),
            _ => "compare it with `=` or `!=`".to_owned(),
        };
        let (span, _) = self.place(expr);
        self.problems.push(Problem::error("M0236", span, message, help));
        true
    }

    pub(super) fn no_number(&mut self, expr: &'a Expr, sort: &Sort, operator: Operator) {
        let message =
            format!("`{expr}` is {}, and `{}` takes numbers", describe(sort.plain()), operator.symbol());
        let (span, _) = self.place(expr);
        self.problems.push(Problem::error("M0233", span, message, "calculate with numbers"));
    }

    pub(super) fn no_quotient(&mut self, expr: &'a Expr, operator: Operator) {
        let message = format!("`{expr} {} 0` has no value in any state", operator.symbol());
        let (span, _) = self.place(expr);
        self.problems.push(Problem::error("M0240", span, message, "divide by another number"));
    }

    pub(super) fn wrong_number(&mut self, expr: &'a Expr, name: &str, wanted: usize, given: usize) {
        let (span, _) = self.place(expr);
        let message = format!("`{name}` is asked for {}, and here for {given}", arguments(wanted));
        self.problems.push(Problem::error("M0235", span, message, "give one for each"));
    }

    /// What a value is, in words.
    fn described(&self, value: &Expr) -> String {
        match value {
            Expr::Int(_) | Expr::Decimal(_) => "a number".to_owned(),
            Expr::Text(_) => "a text".to_owned(),
            Expr::Tuple(_) => "a tuple".to_owned(),
            Expr::List(_) => "a list".to_owned(),
            _ => {
                let word = super::dotted(value).unwrap_or_default();
                match self.kind_of(&word) {
                    Some(words @ ("true or false" | "no value")) => words.to_owned(),
                    Some(kind) => with_article(kind),
                    None if self.is_value(&word) => "a name".to_owned(),
                    None => "something else".to_owned(),
                }
            }
        }
    }

    /// What to write in the place of a value.
    fn instead(&self, write: Option<&String>, sort: &Sort, value: &Expr) -> String {
        match sort {
            Sort::Truth => match write {
                Some(term) => format!("write `{term} = true` or `{term} = false`"),
                None => "write `true` or `false`".to_owned(),
            },
            Sort::Whole(..) | Sort::Number => "write a number".to_owned(),
            Sort::Text => "write a text in quotes".to_owned(),
            Sort::Member(members) => {
                let word = value.to_string();
                let word = word.trim_matches('"');
                let all = match members.names.as_slice() {
                    [] => "the model has none".to_owned(),
                    [only] => format!("it is `{only}`"),
                    names => format!("it is one of {}", listed(names)),
                };
                if members.names.iter().any(|name| name == word) {
                    return format!("write `{word}` without quotes; {all}");
                }
                match suggest(word, members.names.iter().map(String::as_str)) {
                    Some(near) => format!("did you mean `{near}`? {all}"),
                    None => all,
                }
            }
            Sort::Record(parts) => {
                let names: Vec<&str> =
                    parts.iter().map(|(name, _)| if name.is_empty() { "_" } else { name }).collect();
                format!("write `<{}>`, with a value or `_` for each part", names.join(", "))
            }
            Sort::Open | Sort::Many(_) | Sort::Beside(..) => "compare values of one sort".to_owned(),
        }
    }
}

/// What something of a sort is, in words.
fn describe(sort: &Sort) -> String {
    match sort {
        Sort::Open => "anything".to_owned(),
        Sort::Truth => "true or false".to_owned(),
        Sort::Whole(Some(low), Some(high)) => format!("a whole number from {low} to {high}"),
        Sort::Whole(Some(0), None) => "a whole number, 0 or more".to_owned(),
        Sort::Whole(..) => "a whole number".to_owned(),
        Sort::Number => "a number".to_owned(),
        Sort::Text => "a text".to_owned(),
        Sort::Member(members) if members.kind.is_empty() => format!("one of {}", listed(&members.names)),
        Sort::Member(members) => with_article(&members.kind),
        Sort::Record(parts) if parts.len() == 1 => "a tuple of one part".to_owned(),
        Sort::Record(parts) => format!("a tuple of {} parts", parts.len()),
        Sort::Many(_) => "a collection".to_owned(),
        Sort::Beside(sort, _) => describe(sort),
    }
}

fn kind(sort: &Sort) -> Option<&str> {
    match sort {
        Sort::Member(members) if !members.kind.is_empty() => Some(&members.kind),
        _ => None,
    }
}

fn with_article(kind: &str) -> String {
    debug_assert!(!is_truth(kind), "a truth is no kind of thing");
    let vowel = kind.starts_with(['a', 'e', 'i', 'o', 'A', 'E', 'I', 'O']);
    format!("{} {kind}", if vowel { "an" } else { "a" })
}

fn arguments(count: usize) -> String {
    match count {
        0 => "nothing".to_owned(),
        1 => "one thing".to_owned(),
        count => format!("{count} things"),
    }
}

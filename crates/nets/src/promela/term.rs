//! Promela expressions of one number: what is known already is worked out.

/// A number, a truth value, a member, a template or an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    text: String,
    known: Option<i64>,
}

impl Term {
    /// A constant.
    pub(crate) fn number(number: i64) -> Self {
        let text = if number < 0 { format!("({number})") } else { number.to_string() };
        Self { text, known: Some(number) }
    }

    /// A truth value.
    pub(crate) fn truth(truth: bool) -> Self {
        Self::number(i64::from(truth))
    }

    /// A constant that has a name.
    pub(crate) fn named(name: &str, number: i64) -> Self {
        Self { text: name.to_owned(), known: Some(number) }
    }

    /// Something to look up: a variable, or an expression in brackets.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), known: None }
    }

    pub(crate) fn known(&self) -> Option<i64> {
        self.known
    }

    pub(crate) fn show(&self) -> &str {
        &self.text
    }

    pub(crate) fn is(&self, truth: bool) -> bool {
        self.known == Some(i64::from(truth))
    }

    /// All hold.
    pub(crate) fn all(terms: impl IntoIterator<Item = Self>) -> Self {
        join(terms, "&&", true)
    }

    /// Some holds.
    pub(crate) fn any(terms: impl IntoIterator<Item = Self>) -> Self {
        join(terms, "||", false)
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self::all([self, other])
    }

    pub(crate) fn not(&self) -> Self {
        match self.known {
            Some(number) => Self::truth(number == 0),
            None => Self::text(format!("(!{})", self.text)),
        }
    }

    /// Two numbers, compared or computed; `None` as a result if that overflows.
    pub(crate) fn with(&self, sign: &str, other: &Self) -> Self {
        if let (Some(left), Some(right)) = (self.known, other.known)
            && let Some(number) = computed(left, sign, right)
        {
            return Self::number(number);
        }
        match (sign, self.known, other.known) {
            ("+" | "|", Some(0), _) => return other.clone(),
            ("+" | "-" | "|", _, Some(0)) => return self.clone(),
            ("==" | "<=" | ">=", ..) if self == other => return Self::truth(true),
            ("!=" | "<" | ">", ..) if self == other => return Self::truth(false),
            _ => {}
        }
        Self::text(format!("({} {sign} {})", self.text, other.text))
    }

    pub(crate) fn equals(&self, other: &Self) -> Self {
        self.with("==", other)
    }

    /// One or the other.
    pub(crate) fn choose(condition: &Self, then: &Self, otherwise: &Self) -> Self {
        match condition.known {
            Some(0) => otherwise.clone(),
            Some(_) => then.clone(),
            None if then == otherwise => then.clone(),
            None => Self::text(format!("({} -> {} : {})", condition.text, then.text, otherwise.text)),
        }
    }

    /// The sum.
    pub(crate) fn sum(terms: impl IntoIterator<Item = Self>) -> Self {
        terms.into_iter().fold(Self::number(0), |sum, term| sum.with("+", &term))
    }
}

fn computed(left: i64, sign: &str, right: i64) -> Option<i64> {
    Some(match sign {
        "==" => i64::from(left == right),
        "!=" => i64::from(left != right),
        "<" => i64::from(left < right),
        "<=" => i64::from(left <= right),
        ">" => i64::from(left > right),
        ">=" => i64::from(left >= right),
        "+" => left.checked_add(right)?,
        "-" => left.checked_sub(right)?,
        "*" => left.checked_mul(right)?,
        "|" => left | right,
        _ => return None,
    })
}

fn join(terms: impl IntoIterator<Item = Term>, sign: &str, neutral: bool) -> Term {
    let mut open: Vec<Term> = Vec::new();
    for term in terms {
        match term.known {
            Some(number) if (number != 0) == neutral => {}
            Some(_) => return Term::truth(!neutral),
            None if open.contains(&term) => {}
            None => open.push(term),
        }
    }
    match open.len() {
        0 => Term::truth(neutral),
        1 => open.remove(0),
        _ => {
            let texts: Vec<&str> = open.iter().map(Term::show).collect();
            Term::text(format!("({})", texts.join(&format!(" {sign} "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_worked_out() {
        let open = Term::text("x");
        assert_eq!(Term::all([Term::truth(true), open.clone()]), open);
        assert!(Term::all([open.clone(), Term::number(2).with("<", &Term::number(1))]).is(false));
        assert_eq!(open.with("+", &Term::number(0)), open);
        assert_eq!(open.equals(&Term::number(-1)).show(), "(x == (-1))");
        assert_eq!(Term::choose(&open, &Term::number(1), &Term::number(2)).show(), "(x -> 1 : 2)");
        assert!(open.equals(&open).is(true));
    }
}

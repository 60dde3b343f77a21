//! Who was taken to be interchangeable, for people and programs.

use serde::Serialize;

/// What symmetry made of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SymmetryReport {
    /// Members that were interchangeable.
    pub interchangeable: Vec<Interchangeable>,
    /// What stood in the way of others.
    pub obstacles: Vec<Obstruction>,
    /// Claims that were explored apart from the others. Their runs are runs of a model that was built for them.
    pub apart: Vec<String>,
}

/// Members that were interchangeable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Interchangeable {
    /// `Patient`.
    pub kind: String,
    /// Their names.
    pub members: Vec<String>,
    /// What changes places with each of them: `Bed`.
    pub with: Vec<String>,
    /// For which claims; empty means for all.
    pub claims: Vec<String>,
}

/// What stood in the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Obstruction {
    /// `Patient`.
    pub kind: String,
    /// Why.
    pub reason: String,
    /// For which claims; empty means for all.
    pub claims: Vec<String>,
}

impl SymmetryReport {
    /// `Counters: 7 are interchangeable (Counter2, Counter3, ...)`, and what stood in the way.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let of = |claims: &[String]| match claims {
            [] => String::new(),
            claims => format!(" for {}", claims.join(", ")),
        };
        let mut lines: Vec<String> = Vec::new();
        for Interchangeable { kind, members, with, claims } in &self.interchangeable {
            let names = match members.as_slice() {
                [first, second, .., last] if members.len() > 4 => format!("{first}, {second} ... {last}"),
                all => all.join(", "),
            };
            let with = match with.as_slice() {
                [] => String::new(),
                with => format!(", each with its {}", with.join(" and ")),
            };
            let (count, claims) = (members.len(), of(claims));
            lines.push(format!("{kind}: {count} are interchangeable{with}{claims} ({names})"));
        }
        for Obstruction { kind, reason, claims } in &self.obstacles {
            lines.push(format!("{kind}{}: {reason}", of(claims)));
        }
        if lines.is_empty() {
            lines.push("nobody is interchangeable".to_owned());
        }
        lines
    }

    /// Takes in what was found for other claims.
    pub fn extend(&mut self, other: Self) {
        for more in other.interchangeable {
            let same =
                |known: &&mut Interchangeable| known.kind == more.kind && known.members == more.members;
            match self.interchangeable.iter_mut().find(same) {
                Some(known) => known.claims.extend(more.claims),
                None => self.interchangeable.push(more),
            }
        }
        for more in other.obstacles {
            let same = |known: &&mut Obstruction| known.kind == more.kind && known.reason == more.reason;
            match self.obstacles.iter_mut().find(same) {
                Some(known) => known.claims.extend(more.claims),
                None => self.obstacles.push(more),
            }
        }
        self.apart.extend(other.apart);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_members_are_told_by_their_ends_and_what_stands_in_the_way_is_said() {
        let members = ["P1", "P2", "P3", "P4", "P5"].map(str::to_owned).to_vec();
        let kind = || "Patient".to_owned();
        let report = SymmetryReport {
            interchangeable: vec![Interchangeable {
                kind: kind(),
                members,
                with: vec!["Bed".to_owned()],
                claims: Vec::new(),
            }],
            obstacles: vec![Obstruction {
                kind: kind(),
                reason: "named by a claim: P6".to_owned(),
                claims: vec!["Alarm".to_owned()],
            }],
            apart: Vec::new(),
        };
        assert_eq!(
            report.lines(),
            [
                "Patient: 5 are interchangeable, each with its Bed (P1, P2 ... P5)",
                "Patient for Alarm: named by a claim: P6"
            ]
        );
        assert_eq!(SymmetryReport::default().lines(), ["nobody is interchangeable"]);
    }
}

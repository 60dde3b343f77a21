//! Claims about places and sets, whose members change from state to state. The vocabulary is that of a filling station and
//! of a portal with roles, both told in the literature on nested nets.

mod support;

use motet_model::{AtomText, Expr, Vocabulary};
use motet_property::{format_file, print_formula};
use support::{Read, read_as, vocabulary};

fn nets() -> Vocabulary {
    let names = ["parked", "waiting", "p1", "p3", "Sessions", "RAs", "Place", "A", "B", "users.inbox"];
    let members = ["david", "alice"].map(str::to_owned).to_vec();
    let sorts = vec![("User".to_owned(), members)];
    Vocabulary { collections: names.map(str::to_owned).to_vec(), sorts, ..vocabulary() }
}

fn asked(text: &str) -> Read {
    read_as(&format!("property x: {text}"), None, &nets())
}

/// The formula of a claim without problems, printed with every parenthesis.
fn formula(text: &str) -> String {
    let read = asked(text);
    assert!(read.problems.is_empty(), "{text}\n{}", read.problems.lines(&read.sources));
    print_formula(&read.lowered.claims[0].formula, &read.lowered.atoms)
}

fn atoms(text: &str) -> Vec<AtomText> {
    asked(text).lowered.atoms.into_iter().map(|atom| atom.node).collect()
}

#[test]
fn a_quantifier_over_a_collection_is_one_atom() {
    let text = "always (forall a in parked: nonempty(a.net.ToPump))";
    assert_eq!(formula(text), "G ((forall a in parked: nonempty(a.net.ToPump)))");
    assert_eq!(atoms(text).len(), 1);
    let AtomText::Fact(Expr::Quantified(_, variable, domain, _)) = &atoms(text)[0] else {
        panic!("{:?}", atoms(text));
    };
    assert_eq!((variable.as_str(), domain.to_string().as_str()), ("a", "parked"));
}

#[test]
fn what_a_collection_is_can_be_computed() {
    let cases = [
        ("exists m in p1 union p3: m.user = david", "(exists m in p1 union p3: m.user = david)"),
        (
            "forall m in (p1 union p3) minus parked: free(m)",
            "(forall m in (p1 union p3) minus parked: free(m))",
        ),
        ("forall m in users.inbox: m.read", "(forall m in users.inbox: m.read)"),
        // Two variables are two quantifiers, and an implication stays what it is.
        (
            "forall a in parked, b in waiting: a != b -> a.user != b.user",
            "(forall a in parked: (forall b in waiting: (a != b) -> (a.user != b.user)))",
        ),
        // Attributes of tokens are collections too: the net that a token is has places of its own.
        (
            "forall a in parked: exists x in a.net.ToPump union a.net.standby: x.st = 1",
            "(forall a in parked: (exists x in a.net.ToPump union a.net.standby: x.st = 1))",
        ),
        // Inside the atom a quantifier over a list is written out.
        ("exists s in Sessions: exists k in {1, 2}: s = k", "(exists s in Sessions: (s = 1) or (s = 2))"),
        (
            "forall s in Sessions: exists r in RAs: r.user = s",
            "(forall s in Sessions: (exists r in RAs: r.user = s))",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(formula(text), expected, "{text}");
    }
}

#[test]
fn a_quantifier_over_a_sort_stays_outside() {
    let text = "forall n in {david, alice}: whenever (exists m in p1 union p3: m.user = n), \
                eventually (forall m in p1 union p3: m.user != n)";
    assert_eq!(atoms(text).len(), 4);
    let pending = "forall n in {david, alice}: whenever pending(n), eventually not pending(n)";
    assert_eq!(
        formula(pending),
        "(G ((pending(david)) -> (F (!(pending(david)))))) & (G ((pending(alice)) -> (F (!(pending(alice))))))"
    );
    assert_eq!(formula("forall u in User: always (#Place <= 1)"), "(G (#Place <= 1)) & (G (#Place <= 1))");
}

#[test]
fn definitions_of_a_claims_file_name_collections() {
    let text = "define cars = parked union waiting\n\
                define busy(of) = exists x in of.net.ToPump: x > 0\n\
                property x: always (forall a in cars: busy(a))";
    let read = read_as(text, None, &nets());
    assert!(read.problems.is_empty(), "{}", read.problems.lines(&read.sources));
    assert_eq!(
        read.lowered.atoms[0].node.to_string(),
        "(forall a in parked union waiting: (exists x in a.net.ToPump: x > 0))"
    );
}

#[test]
fn a_variable_is_not_caught_by_one_of_the_same_name() {
    let text = "define alone(x) = forall a in parked: a != x\nproperty x: exists a in waiting: alone(a)";
    let read = read_as(text, None, &nets());
    assert_eq!(
        read.lowered.atoms[0].node.to_string(),
        "(exists a in waiting: (forall a_2 in parked: a_2 != a))"
    );
    // Nor by a place of its name.
    let text = "property x: exists A in waiting: A in B";
    let read = read_as(text, None, &nets());
    assert_eq!(read.lowered.atoms[0].node.to_string(), "(exists A_2 in waiting: A_2 in B)");
}

#[test]
fn temporal_operators_and_attitudes_stay_outside() {
    let cases = [
        ("forall a in parked: eventually nonempty(a.net.ToPump)", "put the operator outside"),
        ("forall a in parked: whenever free(a), eventually not free(a)", "put the operator outside"),
        ("exists a in parked: Bel(bob, free(a))", "quantify over a sort or a list"),
    ];
    for (text, help) in cases {
        let read = asked(text);
        let problem = read.problems.iter().next().expect(text);
        assert_eq!(problem.code, "M0227", "{text}");
        assert!(problem.help.contains(help), "{text}: {}", problem.help);
    }
    let unknown = asked("forall a in parkd: free(a)");
    let problem = unknown.problems.iter().next().unwrap();
    assert_eq!((problem.code, problem.help.as_str()), ("M0224", "did you mean `parked`"));
}

#[test]
fn atoms_about_tokens_and_firings_are_read() {
    let cases = [
        ("always (<u, r> in Place)", "G (<u, r> in Place)"),
        ("always <u, _> in Place", "G (<u, _> in Place)"),
        ("never (<_, r> in Place)", "G (!(<_, r> in Place))"),
        ("always (#Place <= 1)", "G (#Place <= 1)"),
        ("always #A + #B = 2", "G ((#`A` + #B) = 2)"),
        ("eventually (count(Place, <u, _>) >= 1)", "F (count(Place, <u, _>) >= 1)"),
        ("always (enabled(T) -> F fires(T))", "G ((enabled(T)) -> (F (fires(T))))"),
        ("F fires(T, david)", "F (fires(T, david))"),
        ("G !deadlock", "G (!(deadlock))"),
        ("F (<u> in A union B)", "F (<u> in (`A` union B))"),
    ];
    for (text, expected) in cases {
        assert_eq!(formula(text), expected, "{text}");
    }
}

/// What is printed is read back as the same atoms.
#[test]
fn printed_quantifiers_are_read_back() {
    let texts = [
        "always (forall a in parked: nonempty(a.net.ToPump) and #a.net.standby <= 1)",
        "forall a in parked, b in waiting: a != b -> (exists x in a.net.q minus b.net.q: <x, _> in Place)",
        "exists m in (p1 union p3) minus parked: not (m in waiting)",
    ];
    for text in texts {
        let printed = formula(text);
        assert_eq!(formula(&printed), printed, "{text}");
        assert_eq!(atoms(&printed), atoms(text), "{text}");
        let laid_out = format_file(&asked(text).file);
        let again = read_as(&laid_out, None, &nets());
        assert_eq!(again.lowered.atoms[0].node, atoms(text)[0], "{laid_out}");
    }
}

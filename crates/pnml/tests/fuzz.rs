//! Any text is read or refused: no panic, no hang, and every problem has a place and a way out.

mod lab;

use lab::{document, net, philosophers, read};
use motet_pnml::contest::{Atoms, Logic, read_properties};
use motet_pnml::tina;
use motet_source::fuzz::{Corpus, check_linear, check_problems, each_seed};
use motet_source::{Problems, Sources};

const PIECES: &[&str] = &[
    "<place id=\"p\">",
    "</place>",
    "<arc source=\"think\" target=\"one\">",
    "<page id=\"x\">",
    "</page>",
    "<subterm>",
    "</subterm>",
    "<add>",
    "<all>",
    "<tuple>",
    "</tuple>",
    "<usersort declaration=\"P\"/>",
    "<not>",
    "<dot/>",
    "<numberconstant value=\"99999999999\"/>",
    "<finiteintrange start=\"-9223372036854775808\" end=\"9223372036854775807\"/>",
    "<productsort>",
    "</productsort>",
    "<subtract>",
    "é",
    "\u{0}",
    "&lt;",
    "&#x10FFFF;",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<referencePlace id=\"think2\" ref=\"think2\"/>",
    "\"",
    ">",
    "<variable refvariable=\"x\"/>",
    "4294967295",
    "-1",
];

#[test]
fn any_pnml_is_read_or_refused() {
    let plain = document(
        "ptnet",
        "<place id=\"p\"><initialMarking><text>2</text></initialMarking></place><transition id=\"t\"/>\
         <arc id=\"a\" source=\"p\" target=\"t\"><inscription><text>2</text></inscription></arc>",
    );
    let texts = [plain, philosophers(2), philosophers(3)];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let corpus = Corpus { texts: &texts, pieces: PIECES };
    each_seed(1_500, |_, random| {
        read(&corpus.mutant(random));
        read(&document("symmetricnet", &corpus.soup(random)));
    });
}

#[test]
fn any_tina_net_is_read_or_refused() {
    let texts = [
        "net n\npl p (3)\ntr t [0,w[ p*2 q?1 r?-1 -> s\n",
        "pl {a b} : l (2K) t -> u*2\ntr u : {x\\}} {a b} -> {a b}*3\n",
    ];
    let pieces = [
        "tr ",
        "pl ",
        "net ",
        "->",
        "*",
        "?-",
        "?",
        "(",
        ")",
        "{",
        "}",
        "\\",
        "[0,w[",
        "]1,2]",
        "\n",
        "# ",
        "4294967295",
        "9K",
        "9999M",
        ":",
        "é",
        "-",
    ];
    let corpus = Corpus { texts: &texts, pieces: &pieces };
    each_seed(3_000, |_, random| {
        for text in [corpus.mutant(random), corpus.soup(random)] {
            let mut sources = Sources::new();
            let file = sources.add("n.net", text.as_str());
            let mut problems = Problems::new();
            let found = tina::read(file, &text, &mut problems);
            check_problems(&problems, &sources);
            assert_eq!(found.is_none(), problems.has_errors());
            if let Some(found) = found {
                let again = tina::write(&found.net);
                let mut problems = Problems::new();
                let again = tina::read(file, &again, &mut problems).expect("what is written can be read");
                assert_eq!(again.net.places.len(), found.net.places.len());
            }
        }
    });
}

#[test]
fn any_set_of_properties_is_read_or_refused() {
    let text = "<property-set><property><id>a</id><formula><all-paths><globally><integer-le><tokens-count><place>eat\
                </place></tokens-count><integer-constant>1</integer-constant></integer-le></globally></all-paths></formula>\
                </property><property><id>b</id><formula><exists-path><until><before><is-fireable><transition>end\
                </transition></is-fireable></before><reach><negation><conjunction/></negation></reach></until></exists-path>\
                </formula></property></property-set>";
    let pieces = [
        "<negation>",
        "</negation>",
        "<conjunction>",
        "<next>",
        "</next>",
        "<place>eat</place>",
        "<integer-constant>7",
        "<all-paths>",
        "</all-paths>",
        "<deadlock/>",
        "<integer-sum>",
        "é",
        "<place-bound>",
    ];
    let corpus = Corpus { texts: &[text], pieces: &pieces };
    let net = net(&philosophers(2));
    each_seed(1_500, |_, random| {
        let text = corpus.mutant(random);
        let mut sources = Sources::new();
        let file = sources.add("a.xml", text.as_str());
        let mut problems = Problems::new();
        let mut atoms = Atoms::new();
        let found = read_properties(file, &text, &net, Logic::Branching, &mut atoms, &mut problems);
        check_problems(&problems, &sources);
        assert_eq!(found.is_none(), problems.has_errors());
    });
}

#[test]
fn deep_and_long_texts_take_a_few_steps_for_each_byte() {
    let nested = |open: &str, close: &str, n: usize| format!("{}{}", open.repeat(n), close.repeat(n));
    let deep = |open: &str, close: &str| document("ptnet", &nested(open, close, 20_000));
    let x = |n: usize| {
        format!(
            "<condition><structure>{}</structure></condition>",
            nested("<not><subterm>", "</subterm></not>", n)
        )
    };
    let texts = [
        deep("<page>", "</page>"),
        deep("<toolspecific>", "</toolspecific>"),
        document("symmetricnet", &format!("<transition id=\"t\">{}</transition>", x(20_000))),
        document("ptnet", &"<place id=\"p\"/>".repeat(50_000)),
        document("ptnet", &(0..50_000).map(|n| format!("<place id=\"p{n}\"/>")).collect::<String>()),
        document(
            "ptnet",
            &(0..20_000)
                .map(|n| format!("<referencePlace id=\"p{n}\" ref=\"p{}\"/>", n + 1))
                .collect::<String>(),
        ),
        "<".repeat(100_000),
        "<a>".repeat(100_000),
    ];
    check_linear(&texts, 100, |text| {
        read(text);
    });
}

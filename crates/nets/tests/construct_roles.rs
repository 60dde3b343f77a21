//! Roles and operations become the nets that were written by hand (Chang 2011, 6.3 and appendices A3 and A4).

use motet_nets::construct::construct;
use motet_nets::parse::parse;
use motet_nets::print::{format, format_net};
use motet_nets::syntax::{Item, Member, Net, Text};
use motet_source::Sources;

fn constructed(text: &str) -> (Text, Vec<String>) {
    let mut sources = Sources::new();
    let file = sources.add("m", text);
    let (tree, mut problems) = parse(file, text);
    assert!(problems.is_empty(), "{}", problems.lines(&sources));
    let made = construct(vec![tree], &mut problems);
    let told = problems
        .iter()
        .map(|problem| format!("{} {} {}", sources.locate(problem.span), problem.code, problem.message));
    (made, told.collect())
}

fn nets(text: &Text) -> Vec<&Net> {
    text.items.iter().filter_map(|item| if let Item::Net(net) = item { Some(net) } else { None }).collect()
}

#[test]
fn the_roles_of_the_network_are_the_four_nets_written_by_hand() {
    let (by_hand, _) = constructed(include_str!("texts/bcin.npn"));
    let (expanded, told) = constructed(include_str!("texts/bcin_roles.npn"));
    assert_eq!(told, Vec::<String>::new());
    let (by_hand, expanded) = (nets(&by_hand), nets(&expanded));
    assert_eq!(by_hand.len(), 5);
    for (one, other) in by_hand.iter().zip(&expanded).take(4) {
        assert_eq!(format_net(one), format_net(other));
    }
}

#[test]
fn the_operations_of_the_network_are_the_groups_written_by_hand() {
    // By hand the request has another name in each operation; here it is always `r`.
    let by_hand = include_str!("texts/bcin.npn");
    let (start, end) = (by_hand.find("  // operation sendM"), by_hand.find("def live"));
    let (start, end) = (start.expect("it is there"), end.expect("it is there"));
    let mut renamed = by_hand[..start].to_owned();
    for line in by_hand[start..end].lines() {
        // In the last group `r` is taken by a member of `RAs`.
        let line = line.replace("pick r in RAs where r.user", "pick a in RAs where a.user");
        let line = line.replace("forall r in RAs: r.user", "forall a in RAs: a.user");
        let line = line.replace("minus {r}) union {r with", "minus {a}) union {a with");
        let line = line.replace("(w", "(r").replace("w.", "r.").replace("(q", "(r").replace("q.", "r.");
        renamed += &format!("{line}\n");
    }
    let (by_hand, _) = constructed(&renamed);
    let (expanded, told) = constructed(include_str!("texts/bcin_roles.npn"));
    assert_eq!(told, Vec::<String>::new());
    assert_eq!(format_net(nets(&by_hand)[4]), format_net(nets(&expanded)[4]));
}

#[test]
fn nothing_is_left_of_roles_and_operations() {
    let (made, _) = constructed(include_str!("texts/bcin_roles.npn"));
    for item in &made.items {
        assert!(!matches!(item, Item::Role(_) | Item::Aspect(_)));
        if let Item::Net(net) = item {
            assert!(!net.members.iter().any(|member| matches!(member, Member::Operation(_))));
        }
    }
    let (again, problems) = parse(motet_source::FileId(0), &format(&made));
    assert!(problems.is_empty());
    assert_eq!(format(&again), format(&made));
}

const ENOUGH: &str = "enum W = {read_, quit, none}; type Op = (who: W, action: W, content: W);
port request(op: Op); port reply(op: Op);
";

#[test]
fn an_operation_without_an_output_answers_with_the_request_as_the_work_left_it() {
    let system = |work: &str| {
        let text = format!(
            "{ENOUGH} system net S() {{ place agents, busy : (who: W, a: agent); place asked, done : Op;
               operation lookup on read_ agents agents using busy, asked -> done {{ {work} }} }}"
        );
        let (made, mut told) = constructed(&text);
        told.retain(|line| !line.contains("M1056"));
        assert_eq!(told, Vec::<String>::new());
        format_net(nets(&made)[0])
    };
    let changed = system("r'.content = none;");
    assert_eq!(
        changed,
        "system net S() {
  place agents, busy : (who: W, a: agent);
  place asked, done : Op;

  transition lookup_in {
    in agents(m);
    sync m.a ? request(op);
    when op.action = read_;
    out busy(m), asked(op);
  }
  transition lookup_work { in asked(r); r'.content = none; out done(r'); }
  transition lookup_out {
    in busy(m), done(r);
    when m.who = r.who;
    sync m.a ! reply(r);
    out agents(m);
  }
}
"
    );
    assert!(system("when r.who = read_;").contains("in asked(r); when r.who = read_; out done(r);"));
    assert!(system("alt { out done(r); }").matches("out done").count() == 1);
}

#[test]
fn a_role_without_what_it_speaks_through_is_told() {
    let role = "role R(me: W) permits read_;";
    assert_eq!(
        constructed(role).1,
        ["m:1:6 M1070 roles and operations speak through the port `request`, which is missing"]
    );
    let flat = format!("enum W = {{a}}; port request(x: W); port reply(x: W); {role}");
    assert_eq!(
        constructed(&flat).1,
        ["m:1:58 M1070 the port `request` must carry one record with the fields `action` and `content`"]
    );
    let mute = ENOUGH.replace(", quit, none", "") + role;
    assert_eq!(
        constructed(&mute).1,
        [
            "m:3:6 M1071 roles end their sessions with `quit`, which is not declared",
            "m:3:6 M1071 roles end their sessions with `none`, which is not declared"
        ]
    );
    let twice = format!("{ENOUGH}role R(me: W) permits read_, Read, quit;");
    assert_eq!(
        constructed(&twice).1,
        [
            "m:3:30 M1072 `Read` would make a second transition `Read`",
            "m:3:36 M1072 `quit` would make a second transition `Quit`"
        ]
    );
}

#[test]
fn an_operation_on_the_wrong_place_is_told() {
    let told = |places: &str| {
        let text = format!(
            "{ENOUGH}system net S() {{ {places} operation lookup on read_ agents here using busy, asked -> done {{ }} }}"
        );
        constructed(&text)
            .1
            .iter()
            .map(|line| line.split_once(' ').expect("a place").1.to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(told("place hera : Op;"), ["M1073 there is no place `here` here"]);
    assert_eq!(told("place here : Op;"), ["M1073 the tokens of `here` are not records with an agent"]);
    assert_eq!(
        told("place here : (name: W, net: agent);"),
        ["M1074 nothing tells which request belongs to which agent of `here`"]
    );
}

/// What is said about one operation on `read_` whose record has the fields `who`, `action`, `content` and `level`.
fn warned(work: &str) -> Vec<String> {
    let text = format!(
        "enum W = {{read_, quit, none, a, b}}; type Op = (who: W, action: W, content: W, level: int 1..3);
         port request(op: Op); port reply(op: Op); type Row = (key: W, value: W);
         system net S() {{ place agents, busy : (who: W, a: agent); place asked, done : Op;
           cell Rows : set of Row = {{}}; cell open : bool = true;
           operation find on read_ agents agents using busy, asked -> done {{ {work} }} }}"
    );
    let (_, told) = constructed(&text);
    told.iter().map(|line| line.split_once(' ').expect("a place").1.to_owned()).collect()
}

#[test]
fn an_operation_that_answers_every_request_gets_no_warning() {
    for work in [
        "",
        "out done(r with {content = none});",
        "alt { when r.content = a; } alt { when r.content != a; }",
        "alt { when r.action = read_; }",
        "alt { when r.level < 2; } alt { when r.level = 2; } alt { when 3 = r.level; }",
        "alt { when r.content in {a, b, none}; } alt { when r.content = read_ or r.content = quit; }",
        "alt { pick d in Rows where d.key = r.content; } alt { when forall e in Rows: r.content != e.key; }",
        "alt { pick d in Rows; when d.key = r.content; } alt { when not (exists e in Rows: e.key = r.content); }",
        "alt { when open; } alt { when not open; }",
        "alt { when size(Rows) > 2; } alt { when size(Rows) <= 2; }",
        "let k = r.content; alt { when (k, k) in Rows; } alt { when (r.content, r.content) notin Rows; }",
        "alt { when open and r.content = a; } alt { when not open or r.content notin {a}; }",
    ] {
        // `let` stands for its value in brackets, so only the spelling with `k` on both sides is the same.
        let work = work.replace("(r.content, r.content) notin", "(k, k) notin");
        assert_eq!(warned(&work), [""; 0], "{work}");
    }
}

#[test]
fn an_operation_that_leaves_a_case_out_is_told_which() {
    for (work, case) in [
        ("when r.content = a;", "a request `r` with r.content = read_"),
        ("alt { when r.level < 2; } alt { when r.level > 2; }", "a request `r` with r.level = 2"),
        ("when r.action != read_;", "any request"),
        ("when false;", "any request"),
        (
            "pick d in Rows where d.key = r.content;",
            "a request `r` with not (exists x in Rows: r.content = x.key)",
        ),
        (
            "alt { when open and r.content = a; } alt { when not open; }",
            "a request `r` with open and r.content = read_",
        ),
        (
            "alt { pick d in Rows where d.key = r.content; } alt { when forall d in Rows: d.value != r.content; }",
            "a request `r` with not (exists x in Rows: r.content = x.key) and (exists x in Rows: r.content = x.value)",
        ),
        ("read agents(m);", "a request `r` with not (agents(m))"),
    ] {
        assert_eq!(warned(work), [format!("M1056 `find_work` has no case for {case}")], "{work}");
    }
}

#[test]
fn a_role_that_starts_with_something_it_does_not_permit_is_told() {
    let role = |starts: &str| constructed(&format!("{ENOUGH}role R(me: W) permits read_ starts {starts};")).1;
    assert_eq!(role("(me, read_, none)"), [""; 0]);
    assert_eq!(role("(me, me, none)"), [""; 0], "whether it is permitted is not known before");
    assert_eq!(
        role("(me, quit, none)"),
        ["m:3:41 M1057 `R` starts with a request for `quit`, which it does not permit"]
    );
}

//! Evidence that is a tree, as text, as an outline, as JSON and as a page.

#[path = "page/browser.rs"]
mod browser;
#[expect(dead_code, reason = "other tests use the rest")]
mod care;
mod fire;
#[expect(dead_code, reason = "other tests use the rest")]
mod shop;

use browser::dom;
use expect_test::expect;
use fire::{
    FIRE, GONE, HOUSE, elsewhere, eventually, grove, ignorance, knows, onward, rest, run, runs, search, told,
};
use motet_evidence::{Evidence, Over, Verdict};
use motet_property::{Expect, Formula, Knowledge, Path, Quantifier};
use motet_render::{
    ClaimReport, Extent, Letters, Report, Telling, View, check, claim_page, json, run_of, tale, tree_branch,
    tree_outline, tree_story,
};
use motet_source::Sources;
use shop::{claim, report};

/// Without the margin of all lines, which an expected text cannot have.
fn flush(text: &str) -> String {
    text.lines().map(|line| format!("{}\n", line.strip_prefix("  ").unwrap_or(line))).collect()
}

fn failing(evidence: &Evidence) -> ClaimReport {
    ClaimReport {
        words: Some("Bob hears of a fire".to_string()),
        english: "always, if House.fire = true, then Bob knows that House.fire = true".to_string(),
        tale: Some(told(evidence)),
        trace: Some(".motet/traces/K1.itf.json".to_string()),
        ..claim("K1", Verdict::Fails, Expect::Holds)
    }
}

fn reported(evidence: &Evidence) -> Report {
    report(vec![failing(evidence)])
}

fn text(evidence: &Evidence) -> String {
    check(&reported(evidence), &Sources::new(), &View::default())
}

#[test]
fn ignorance_is_told_by_another_run_that_looks_the_same() {
    expect![[r#"
        shop/ · AgentSpeak(F) · 2 agents · shop.props

          ✗ K1    Bob hears of a fire
                  always, if House.fire = true, then Bob knows that House.fire = true

          Shortest counterexample: 2 steps

               House               Bob
            1  a fire breaks out ●
            2                      cooks

          1.1  after step 2, Bob does not know that House.fire = true:
               Bob cannot tell this situation from the one after another run, where it is false

               The other run: 1 step

                    Bob
                 1  cooks

               Bob sees the same in both situations
                 beliefs       cooking; alarm = off

               What differs  here                                    after the other run
               House facts   fire = true                             fire = false

          Next  motet trace step .motet/traces/K1.itf.json

        1 of 1 not as expected · complete: 230 864 states · 2.9 s (79.6 k/s) · 61 MiB
    "#]]
    .assert_eq(&text(&ignorance()));
}

#[test]
fn a_tree_is_told_branch_by_branch() {
    expect![[r#"
        shop/ · AgentSpeak(F) · 2 agents · shop.props

          ✗ K1    Bob hears of a fire
                  always, if House.fire = true, then Bob knows that House.fire = true

          Shortest counterexample: 2 steps

               House               Bob
            1  a fire breaks out ●
            2                      cooks

          1.1  after step 2, on some run from here eventually gone(Bob):
               here is one

               It goes on: 2 steps

                    House                      Bob
                 3  alarm ──rings────────────▶
                 4                             leaves ●
                    nothing can happen any more

               1.1.1  after step 4, on all runs from here eventually gone(Bob):
                      every continuation gets there (complete search)

          1.2  after step 2, it is not common knowledge among Bob and House that House.fire = true:
               House cannot tell this situation from the one after another run, where it is not common
               knowledge either

               The other run: 2 steps

                    House               Bob
                 1                      cooks
                 2  a fire breaks out ●

               House sees the same in both situations
                 facts         fire = true

               1.2.1  after step 2, it is not common knowledge among Bob and House that House.fire = true:
                      Bob cannot tell this situation from the one after another run, where it is false

                      The other run is this one up to step 1

                      Bob sees the same in both situations
                        beliefs       cooking; alarm = off

                      What differs  here                                 after the other run
                      House facts   fire = true                          fire = false

          1.3 to 1.5  at the start and after steps 1 to 2, on some run from here eventually House.fire =
                      true:
                      some continuation gets there (complete search)

          1 more branch in the tree: motet trace show .motet/traces/K1.itf.json --tree

          Next  motet trace step .motet/traces/K1.itf.json

        1 of 1 not as expected · complete: 230 864 states · 2.9 s (79.6 k/s) · 61 MiB
    "#]]
    .assert_eq(&text(&grove()));
}

#[test]
fn an_outline_numbers_every_branch() {
    expect![[r#"

          K1: 8 branches

          1      the run: 2 steps
          1.1      after step 2, on some run from here eventually gone(Bob): here is one (2 steps)
          1.1.1      after step 4, on all runs from here eventually gone(Bob): every continuation gets there
                     (complete search)
          1.2      after step 2, it is not common knowledge among Bob and House that House.fire = true:
                   House cannot tell this situation from the one after another run, where it is not common
                   knowledge either (2 steps)
          1.2.1      after step 2, it is not common knowledge among Bob and House that House.fire = true:
                     Bob cannot tell this situation from the one after another run, where it is false (1
                     step)
          1.3      at the start, on some run from here eventually House.fire = true: some continuation gets
                   there (complete search)
          1.4      after step 1, on some run from here eventually House.fire = true: some continuation gets
                   there (complete search)
          1.5      after step 2, on some run from here eventually House.fire = true: some continuation gets
                   there (complete search)
          1.6      after step 2, it is false that on some run from here in the next state nothing can happen
                   any more: no continuation is like that (complete search)

          Next  motet trace show K1.itf.json --branch 1.1   shows one of them in full
    "#]]
    .assert_eq(&flush(&format!(
        "\n{}",
        tree_outline(&told(&grove()), "K1", "K1.itf.json", &View::default())
    )));
}

#[test]
fn one_branch_is_told_in_full() {
    let full = View { extent: Extent::Full, ..View::default() };
    let tale = told(&grove());
    let one = |number: &str, view: &View| tree_branch(&tale, "K1", number, view).unwrap_or_default();
    expect![[r#"
          1.1  after step 2, on some run from here eventually gone(Bob): here is one (2 steps)
          E [ F (gone(Bob)) ]

          The run from step 3 on: 2 steps

               House                      Bob
            3  alarm ──rings────────────▶
            4                             leaves ●
               nothing can happen any more

          1 branch
          1.1.1  after step 4, on all runs from here eventually gone(Bob): every continuation gets there
                 (complete search)
        ----
          1.1  after step 2, on some run from here eventually gone(Bob): here is one (2 steps)
          E [ F (gone(Bob)) ]

          The run: 4 steps

               House                      Bob
            1  a fire breaks out ●
            2                             cooks
            3  alarm ──rings────────────▶
            4                             leaves ●
               nothing can happen any more

          1 branch
          1.1.1  after step 4, on all runs from here eventually gone(Bob): every continuation gets there
                 (complete search)
        ----
          1.2.1  after step 2, it is not common knowledge among Bob and House that House.fire = true: Bob
                 cannot tell this situation from the one after another run, where it is false (1 step)
          CK[{Bob, House}](House.fire = true)

          The other run: 1 step

               Bob
            1  cooks

          The other run is this one up to step 1

          Bob sees the same in both situations
            beliefs       cooking; alarm = off

          What differs  here                                       after the other run
          House facts   fire = true                                fire = false
        ----
          1.6  after step 2, it is false that on some run from here in the next state nothing can happen any
               more: no continuation is like that (complete search)
          E [ X (deadlock) ]

          there is no run to show: a complete search is behind this
    "#]]
    .assert_eq(&format!(
        "{}----\n{}----\n{}----\n{}",
        one("1.1", &View::default()),
        one("1.1", &full),
        one("1.2.1", &View::default()),
        one("1.6", &full)
    ));
}

#[test]
fn numbers_that_no_branch_has_are_none() {
    let tale = told(&grove());
    for number in ["2", "1.0", "1.7", "1.6.1", "", "1.", "1.x", "-1", "1.99999999999999999999"] {
        assert_eq!(tree_branch(&tale, "K1", number, &View::default()), None, "{number}");
        assert_eq!(run_of(&grove(), number), None, "{number}");
    }
    assert_eq!(run_of(&grove(), "1.6"), None, "a search has no run");
}

#[test]
fn a_run_that_goes_on_is_a_whole_run_of_the_model() {
    let whole = run(&[HOUSE, 1, HOUSE, 0]);
    let mut evidence = Evidence::finite(run(&[HOUSE]));
    let mut middle = Evidence::finite(rest(run(&[HOUSE, 1]), 1));
    middle.branches.push(onward(
        1,
        runs(Quantifier::Some, eventually(GONE)),
        true,
        Evidence::finite(rest(whole.clone(), 2)),
    ));
    evidence.branches.push(onward(1, runs(Quantifier::Some, eventually(GONE)), true, middle));
    let (found, from) = run_of(&evidence, "1.1.1").expect("there is such a run");
    assert_eq!((found.run, from), (whole, 2));
}

#[test]
fn a_tree_without_branches_says_so() {
    expect![[r#"
          K1

          this is a single run without branches: motet trace show K1.itf.json
    "#]]
    .assert_eq(&flush(&tree_outline(
        &told(&Evidence::finite(run(&[HOUSE]))),
        "K1",
        "K1.itf.json",
        &View::default(),
    )));
}

#[test]
fn knowledge_is_told_in_the_words_of_each_operator() {
    let fire = || Formula::Atom(FIRE);
    let here = || Evidence::finite(run(&[HOUSE, 1]));
    let other = || Evidence::finite(run(&[1]));
    let both = ["Bob", "House"];
    let mut evidence = here();
    evidence.branches = vec![
        elsewhere(2, knows(Knowledge::Everyone, &both, fire()), &[1], other()),
        elsewhere(2, knows(Knowledge::Distributed, &both, fire()), &[0, 1], other()),
        elsewhere(0, knows(Knowledge::One, &["Bob"], fire()), &[1], Evidence::finite(run(&[]))),
        search(2, knows(Knowledge::One, &["House"], fire()), true),
        search(2, knows(Knowledge::Everyone, &both, fire()), true),
        search(2, knows(Knowledge::Common, &both, fire()), true),
        search(2, knows(Knowledge::Distributed, &both, fire()), true),
        search(2, runs(Quantifier::All, Path::Always(Default::default(), Box::new(Path::Now(fire())))), true),
        search(2, runs(Quantifier::Some, eventually(GONE)), false),
        onward(
            2,
            runs(Quantifier::All, eventually(GONE)),
            false,
            Evidence::finite(rest(run(&[HOUSE, 1, 0]), 2)),
        ),
    ];
    expect![[r#"
          K1: 10 branches

          1     the run: 2 steps
          1.1     after step 2, not each of Bob and House knows that House.fire = true: Bob cannot tell this
                  situation from the one after another run, where it is false (1 step)
          1.2     after step 2, Bob and House together do not know that House.fire = true: neither House nor
                  Bob can tell this situation from the one after another run, where it is false (1 step)
          1.3     at the start, Bob does not know that House.fire = true: Bob cannot tell this situation
                  from another one at the start, where it is false
          1.4     after step 2, House knows that House.fire = true: it is so in every situation that House
                  cannot tell from this one (complete search)
          1.5     after step 2, each of Bob and House knows that House.fire = true: it is so in every
                  situation that one of Bob and House cannot tell from this one (complete search)
          1.6     after step 2, it is common knowledge among Bob and House that House.fire = true: it is so
                  in every situation that a chain of doubts of Bob and House leads to (complete search)
          1.7     after step 2, Bob and House together know that House.fire = true: it is so in every
                  situation that Bob and House together cannot tell from this one (complete search)
          1.8     after step 2, on all runs from here always House.fire = true: every continuation is like
                  that (complete search)
          1.9     after step 2, it is false that on some run from here eventually gone(Bob): no continuation
                  gets there (complete search)
          1.10    after step 2, it is false that on all runs from here eventually gone(Bob): not on this one
                  (1 step)

          Next  motet trace show K1.itf.json --branch 1.1   shows one of them in full
    "#]]
    .assert_eq(&flush(&tree_outline(&told(&evidence), "K1", "K1.itf.json", &View::default())));
}

#[test]
fn another_run_is_told_from_where_it_parts_and_only_once() {
    let mut evidence = Evidence::finite(run(&[HOUSE, 1]));
    let burns = || knows(Knowledge::One, &["House"], Formula::Atom(FIRE));
    let gone = || knows(Knowledge::One, &["House"], Formula::Atom(GONE));
    evidence.branches = vec![
        elsewhere(2, burns(), &[0], Evidence::finite(run(&[HOUSE, HOUSE]))),
        elsewhere(2, gone(), &[0], Evidence::finite(run(&[HOUSE, HOUSE]))),
        elsewhere(2, gone(), &[0], Evidence::finite(run(&[HOUSE]))),
    ];
    let text = text(&evidence);
    let (_, told) = text.split_once("  1.1  ").expect("there is a first branch");
    expect![[r#"
        after step 2, House does not know that House.fire = true:
               House cannot tell this situation from the one after another run, where it is false

               The other run begins with the same step, then 1 step

                    House                      Bob
                 2  alarm ──rings────────────▶

               House sees the same in both situations
                 facts         fire = true

               What differs  here                                    after the other run
               Bob beliefs   cooking                                 resting
                             alarm = off                             alarm = on

          1.2  after step 2, House does not know that gone(Bob):
               House cannot tell this situation from the one after another run, where it is false
               the same as 1.1 shows it

          1.3  after step 2, House does not know that gone(Bob):
               House cannot tell this situation from the one after another run, where it is false

               The other run is this one up to step 1

               House sees the same in both situations
                 facts         fire = true

               What differs  here                                    after the other run
               Bob beliefs   cooking                                 resting

    "#]]
    .assert_eq(told.split("  Next").next().unwrap_or_default());
}

#[test]
fn a_run_with_a_clock_goes_on_at_its_time() {
    let care = care::Care::new();
    let mut evidence = care::afternoon();
    let mut onward = care::afternoon();
    onward.run = rest(onward.run, 4);
    evidence.run.states.truncate(5);
    evidence.run.steps.truncate(4);
    let there = runs(Quantifier::Some, eventually(care::THERE));
    evidence.branches = vec![
        fire::onward(4, there, true, onward),
        search(4, runs(Quantifier::All, eventually(care::THERE)), true),
    ];
    let sources = Sources::new();
    let atoms = [care::WORRIED, care::THERE];
    let telling =
        Telling { model: &care, words: &care, sources: &sources, atoms: &atoms, names: &fire::names() };
    let mut tale = tale(&evidence, &care, &care, &sources, &atoms);
    tale.branches = telling.branches(&evidence);
    expect![[r#"

          1.1  after step 4 (01:00:00), on some run from here eventually gone(Bob):
               here is one

               It goes on: 2 steps, 01:00:00 to 03:27:00

                                 03:00                    03:10                   03:20
               Bob          ▒ watchTelevision (4 h) ▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒▒
               Care_Worker  ▒▒▒▒▒▓ moveToBob (27 min) ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓
                 at         Office ──────────────────────────────────────────────────────────────── BobChair
               3 others

                1  03:00:00  Care_Worker  detects bell         continue
                2  03:00:00  Care_Worker  does wf_attendBob    (priority 20)
                3  03:00:00  Care_Worker  moves                to BobChair (27 min)
                4  03:27:00  Care_Worker  arrives            ● Care_Worker.location  Office → BobChair
                5  03:27:00  Care_Worker  notes                good afternoon
                   3 more events, --full to see all
                   nothing happens any more

          1.2  after step 4 (01:00:00), on all runs from here eventually gone(Bob):
               every continuation gets there (complete search)
    "#]]
    .assert_eq(&flush(&tree_story(&tale, None, &View::default())));
    let mut claim = failing(&ignorance());
    claim.tale = Some(tale);
    let page = claim_page(&claim, &reported(&ignorance())).expect("a run with a clock has a page");
    let Some(dom) = dom("clocked-tree", &page, "") else { return };
    assert!(dom.contains("after step 4 (01:00:00),") && dom.contains("<g class=\"lane"), "{dom}");
}

/// Moments at which a search says the same are one entry, so that a loop does not fill a report.
#[test]
fn a_large_tree_is_cut_and_says_how_much_is_left() {
    let mut evidence = Evidence::finite(run(&[HOUSE, 1, 0]));
    for at in [0, 2, 3] {
        evidence.branches.push(search(at, runs(Quantifier::Some, eventually(GONE)), false));
    }
    let mut link = Evidence::finite(run(&[1]));
    for _ in 0..30 {
        let mut next = Evidence::finite(run(&[HOUSE, 1]));
        let at = link.run.steps.len();
        next.branches.push(elsewhere(2, knows(Knowledge::Common, &["Bob"], Formula::Atom(FIRE)), &[1], link));
        link = next;
        assert!(at <= 2);
    }
    evidence.branches.extend(link.branches);
    let text = text(&evidence);
    assert!(text.lines().count() < 75, "{text}");
    assert!(text.contains("1.1 to 1.3  at the start and after steps 2 to 3, it is false that"), "{text}");
    assert!(text.contains("28 more branches in the tree: motet trace show .motet/traces/K1.itf.json --tree"));
    let view = View { extent: Extent::Full, ..View::default() };
    let full = check(&reported(&evidence), &Sources::new(), &view);
    assert!(!full.contains("more branches") && full.contains(&"1.4".to_string()), "{full}");
}

#[test]
fn ascii_trees_hold_no_other_letter() {
    let view = View { letters: Letters::Ascii, ..View::default() };
    let tale = told(&grove());
    let pages = [
        check(&reported(&grove()), &Sources::new(), &view),
        tree_outline(&tale, "K1", "K1.itf.json", &view),
        tree_branch(&tale, "K1", "1.2.1", &view).unwrap_or_default(),
    ];
    for page in pages {
        assert!(page.is_ascii(), "{page}");
    }
}

#[test]
fn narrow_pages_hold_trees() {
    for width in [20, 40, 60] {
        let view = View { width, ..View::default() };
        let page = check(&reported(&grove()), &Sources::new(), &view);
        assert!(page.contains("Bob cannot tell"), "{page}");
    }
}

#[test]
fn json_carries_the_tree() {
    let value =
        serde_json::to_value(json(&reported(&grove()), &Sources::new(), 1)).expect("a report is JSON");
    let branches = &value["claims"][0]["branches"];
    assert_eq!(branches.as_array().map(Vec::len), Some(6));
    let onward = &branches[0];
    assert_eq!(
        (&onward["at"], &onward["shown"], &onward["truth"]),
        (&2.into(), &"onward".into(), &true.into())
    );
    assert_eq!(onward["formula"], "E [ F (gone(Bob)) ]");
    assert_eq!(onward["run"]["from"], 2);
    assert_eq!(
        onward["run"]["steps"][0],
        serde_json::json!({ "agent": "House", "action": "alarm rings to Bob" })
    );
    assert_eq!(onward["run"]["branches"][0]["shown"], "search");
    let link = &branches[1]["run"]["branches"][0];
    assert_eq!(link["agents"], serde_json::json!(["Bob"]));
    let same =
        serde_json::json!({ "agent": "Bob", "section": "beliefs", "items": ["cooking", "alarm = off"] });
    assert_eq!(link["same"], serde_json::json!([same]));
    let differs = serde_json::json!({
        "agent": "House", "section": "facts", "here": ["fire = true"], "there": ["fire = false"],
    });
    assert_eq!(link["differs"], serde_json::json!([differs]));
}

#[test]
fn the_page_folds_branches_and_puts_two_situations_side_by_side() {
    let claim = failing(&grove());
    let page = claim_page(&claim, &reported(&grove())).expect("a tree has a page");
    assert!(!page.contains("<script"), "nothing here needs one");
    let Some(dom) = dom("tree", &page, "") else { return };
    let count = |what: &str| dom.matches(what).count();
    // Two runs of the main run and one of a branch fold; five branches are searches, three of which say the same.
    assert_eq!((count("<details"), count("<p class=\"branch")), (3, 3), "{dom}");
    assert_eq!((count("what could also have been"), count("<h3>the same in both</h3>")), (2, 2));
    assert_eq!(count("<table class=\"differs\">"), 1, "the first link of the chain differs in nothing");
}

/// A claim that compares a chance may be shown by a run beside numbers of other claims.
#[test]
fn the_page_of_a_run_says_which_strategies_numbers_are_over() {
    let page = |over| {
        claim_page(&failing(&grove()), &Report { over, ..reported(&grove()) }).expect("a tree has a page")
    };
    assert!(page(Some(Over::WeaklyFair)).contains("numbers over weakly fair strategies"));
    assert!(!page(Some(Over::One)).contains("strategies"), "nobody chooses");
}

#[test]
fn no_text_of_the_user_becomes_a_part_of_the_page() {
    let evil = "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>{{TREE}}";
    let mut claim = failing(&grove());
    claim.name = evil.to_string();
    let tale = claim.tale.as_mut().expect("the claim has a run");
    tale.processes[0] = evil.to_string();
    tale.beats[0].text = evil.to_string();
    for branch in &mut tale.branches {
        branch.said = evil.to_string();
        branch.formula = evil.to_string();
    }
    let page = claim_page(&claim, &reported(&grove())).expect("a tree has a page");
    assert!(!page.contains("<script") && !page.contains("<img"), "{page}");
    assert_eq!(page.matches("<h2>What the run alone does not show</h2>").count(), 1);
}

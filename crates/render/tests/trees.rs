//! Evidence that is a tree, as text, as an outline, as JSON and as a page.

#[path = "page/browser.rs"]
mod browser;
#[expect(dead_code, reason = "other tests use the rest")]
mod care;
mod fire;
#[expect(dead_code, reason = "other tests use the rest")]
mod shop;

use expect_test::expect;
use fire::{FIRE, Fire, GONE, HOUSE, elsewhere, eventually, grove, ignorance, knows, onward, rest, run, runs, search, told};
use motet_evidence::{Evidence, Verdict, rebuild};
use motet_property::{Expect, Formula, Knowledge, Path, Quantifier};
use motet_render::{
    ClaimReport, Extent, Letters, Report, View, check, claim_page, json, run_of, tree_branch, tree_outline,
};
use motet_source::Sources;
use shop::{claim, report};

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

          1.1  after step 2 Bob does not know that House.fire = true:
               Bob cannot tell this situation from the one after another run, where it is false

               The other run: 1 step

                    Bob
                 1  cooks

               Bob sees the same in both situations
                 beliefs       cooking
                               alarm = off

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

          1.1  after step 2 on some run from here eventually gone(Bob):
               here is one

               It goes on: 2 steps

                    House                      Bob
                 3  alarm ──rings────────────▶
                 4                             leaves ●
                    nothing can happen any more

               1.1.1  after step 4 on all runs from here eventually gone(Bob):
                      every continuation gets there (complete search)

          1.2  after step 2 it is not common knowledge among Bob and House that House.fire = true:
               House cannot tell this situation from the one after another run, where it is not common
               knowledge either

               The other run: 2 steps

                    House               Bob
                 1  a fire breaks out ●
                 2                      cooks

               House sees the same in both situations
                 facts         fire = true

               1.2.1  after step 2 it is not common knowledge among Bob and House that House.fire = true:
                      Bob cannot tell this situation from the one after another run, where it is false

                      The other run: 1 step

                           Bob
                        1  cooks

                      Bob sees the same in both situations
                        beliefs       cooking
                                      alarm = off

                      What differs  here                                 after the other run
                      House facts   fire = true                          fire = false

          1.3 to 1.5  at the start and after steps 1 to 2 on some run from here eventually House.fire =
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
          1.1      after step 2 on some run from here eventually gone(Bob): here is one (2 steps)
          1.1.1      after step 4 on all runs from here eventually gone(Bob): every continuation gets there
                     (complete search)
          1.2      after step 2 it is not common knowledge among Bob and House that House.fire = true: House
                   cannot tell this situation from the one after another run, where it is not common
                   knowledge either (2 steps)
          1.2.1      after step 2 it is not common knowledge among Bob and House that House.fire = true: Bob
                     cannot tell this situation from the one after another run, where it is false (1 step)
          1.3      at the start on some run from here eventually House.fire = true: some continuation gets
                   there (complete search)
          1.4      after step 1 on some run from here eventually House.fire = true: some continuation gets
                   there (complete search)
          1.5      after step 2 on some run from here eventually House.fire = true: some continuation gets
                   there (complete search)
          1.6      after step 2 it is false that on some run from here in the next state nothing can happen
                   any more: no continuation is like that (complete search)

          Next  motet trace show K1.itf.json --branch 1.1   shows one of them in full
    "#]]
    .assert_eq(&format!("\n{}", tree_outline(&told(&grove()), "K1", "K1.itf.json", &View::default())));
}

#[test]
fn one_branch_is_told_in_full() {
    let full = View { extent: Extent::Full, ..View::default() };
    let tale = told(&grove());
    let one = |number: &str, view: &View| tree_branch(&tale, "K1", number, view).unwrap_or_default();
    expect![[r#"
          1.1  after step 2 on some run from here eventually gone(Bob): here is one (2 steps)
          E [ F (gone(Bob)) ]

          The run from step 3 on: 2 steps

               House                      Bob
            3  alarm ──rings────────────▶
            4                             leaves ●
               nothing can happen any more

          1 branch
          1.1.1  after step 4 on all runs from here eventually gone(Bob): every continuation gets there
                 (complete search)
        ----
          1.1  after step 2 on some run from here eventually gone(Bob): here is one (2 steps)
          E [ F (gone(Bob)) ]

          The run: 4 steps

               House                      Bob
            1  a fire breaks out ●
            2                             cooks
            3  alarm ──rings────────────▶
            4                             leaves ●
               nothing can happen any more

          1 branch
          1.1.1  after step 4 on all runs from here eventually gone(Bob): every continuation gets there
                 (complete search)
        ----
          1.2.1  after step 2 it is not common knowledge among Bob and House that House.fire = true: Bob
                 cannot tell this situation from the one after another run, where it is false (1 step)
          CK[{Bob, House}](House.fire = true)

          The other run: 1 step

               Bob
            1  cooks

          Bob sees the same in both situations
            beliefs       cooking
                          alarm = off

          What differs  here                                       after the other run
          House facts   fire = true                                fire = false
        ----
          1.6  after step 2 it is false that on some run from here in the next state nothing can happen any
               more: no continuation is like that (complete search)
          E [ X (deadlock) ]

          there is no run to show: a complete search is behind this
    "#]]
    .assert_eq(&format!("{}----\n{}----\n{}----\n{}", one("1.1", &View::default()), one("1.1", &full), one("1.2.1", &View::default()), one("1.6", &full)));
}

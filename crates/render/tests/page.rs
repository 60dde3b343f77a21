//! The page for browsers, looked at by a real one.

#[path = "page/browser.rs"]
mod browser;
#[expect(dead_code, reason = "other tests use the rest")]
mod care;
#[path = "page/ward.rs"]
mod ward;

use browser::dom;
use care::{Care, afternoon, care_tale};
use motet_render::{Chronicle, Cover, Happening, html_page};
use ward::ward;

fn cover() -> Cover {
    Cover {
        title: "M4".to_string(),
        verdict: "late by 27 min".to_string(),
        claim: "whenever Care_Worker believes Bob.tookMedication = false, within 2 h, \
                Care_Worker.location = BobChair"
            .to_string(),
        why: vec!["Care_Worker is inside otherDuties (priority 50), wf_attendBob has to wait".to_string()],
        about: "homecare/ · motet check homecare/ -p M4".to_string(),
    }
}

fn chronicle() -> Chronicle {
    let mut chronicle = care_tale().chronicle.expect("the household has a clock");
    chronicle.explain(&afternoon(), &Care::new());
    chronicle
}

/// The document without its scripts, which hold the same words.
fn without_scripts(dom: &str) -> String {
    let mut rest = dom;
    let mut shown = String::new();
    while let Some((before, script)) = rest.split_once("<script") {
        shown.push_str(before);
        rest = script.split_once("</script>").map_or("", |(_, after)| after);
    }
    shown + rest
}

/// The page after some keys were pressed in its chart.
fn with_keys(page: &str, keys: &[&str]) -> String {
    let pressed: Vec<String> = keys
        .iter()
        .enumerate()
        .map(|(at, key)| {
            format!(
                "setTimeout(() => document.getElementById('chart').dispatchEvent(\
                 new KeyboardEvent('keydown', {{ key: {key:?}, bubbles: true }})), {});",
                100 + 50 * at
            )
        })
        .collect();
    page.replace("</body>", &format!("<script>{}</script></body>", pressed.concat()))
}

#[test]
fn the_page_shows_lanes_bars_messages_places_atoms_and_the_deadline() {
    let Some(dom) = dom("care", &html_page(&chronicle(), cover()), "") else { return };
    let dom = without_scripts(&dom);
    let count = |what: &str| dom.matches(what).count();
    // The clock does nothing, so four of the five lanes are drawn.
    assert_eq!(count("<g class=\"lane"), 4, "{dom}");
    // Robot 2, House 2, Bob 4, Care_Worker 4.
    assert_eq!(count("data-bar=\""), 12, "{dom}");
    assert_eq!(count("<g class=\"arrow"), 1);
    // Robot, Bob, and Care_Worker at two places.
    assert_eq!(count("<rect class=\"place"), 4);
    assert_eq!(count("<g class=\"strip\""), 2);
    assert_eq!(count("<g class=\"deadline missed\""), 1);
    // Both bars that were put aside have red edges and a sign.
    assert_eq!(
        (count("<path class=\"edge\""), count("<rect class=\"gap interrupted\"")),
        (1 + 2, 2),
        "and the legend"
    );
    assert_eq!(count("class=\"ending\""), 1, "one bar was aborted");
    for text in ["At 01:00:00", "step 4 of 6", "2 h allowed", "late by 27 min", "Bob: true"] {
        assert!(dom.contains(text), "{text} is missing in {dom}");
    }
    // At the trigger Bob believes what is not so.
    assert!(dom.contains("belief differs") && dom.contains("<tspan class=\"wrong\"> !</tspan>"), "{dom}");
}

#[test]
fn keys_step_zoom_and_select() {
    let page = html_page(&chronicle(), cover());
    let keys = ["+", "ArrowRight", "ArrowDown", "ArrowUp", "n"];
    let Some(dom) = dom("keys", &with_keys(&page, &keys), "#t=3600000&from=0&to=12916800") else { return };
    let dom = without_scripts(&dom);
    // From 01:00 one event on is 03:00; the selected lane is Bob's, whose next bar from there is his last.
    assert!(dom.contains("<b>listen</b>") && dom.contains("planned: 5 min"), "{dom}");
    assert!(dom.contains("At 00:30:00"), "a selected bar takes the cursor along: {dom}");
    assert!(dom.contains("<g class=\"bar primitive selected\""), "{dom}");
    assert!(!dom.contains(">03:30</text>"), "the window is narrower: {dom}");
}

#[test]
fn keys_find_the_changes_of_the_claim() {
    let page = html_page(&chronicle(), cover());
    let Some(dom) = dom("causes", &with_keys(&page, &["Home", "J", "J", "J"]), "") else { return };
    // The trigger at 01:00, the deadline at 03:00, the arrival at 03:27.
    assert!(without_scripts(&dom).contains("At 03:27:00"), "{dom}");
}

#[test]
fn no_text_of_the_user_becomes_a_part_of_the_page() {
    let evil = "</script><script>document.title='owned'</script><img src=x onerror=alert(1)>{{DATA}}";
    let mut chronicle = chronicle();
    chronicle.lanes[0].name = evil.to_string();
    chronicle.lanes[0].bars[0].name = evil.to_string();
    chronicle.lanes[2].stays[0].place = evil.to_string();
    chronicle.strips[0].atom = evil.to_string();
    for entry in &mut chronicle.entries {
        if let Happening::Believes(shift) = &mut entry.what {
            shift.subject = evil.to_string();
        }
    }
    let cover = Cover { title: evil.to_string(), why: vec![evil.to_string()], ..cover() };
    let page = html_page(&chronicle, &cover);
    assert_eq!(page.matches("<script").count(), 2, "the data and the script");
    let Some(dom) = dom("evil", &page, "") else { return };
    assert_eq!(dom.matches("<script").count(), page.matches("<script").count());
    assert!(!dom.contains("<img") && !dom.contains("<title>owned"), "{dom}");
}

#[test]
fn a_failing_claim_has_a_page_and_a_plain_title_is_enough_for_a_run() {
    let report = care::care_report(vec![care::late()]);
    let page = motet_render::claim_page(&report.claims[0], &report).unwrap();
    assert!(page.contains("<h1>M4 <span class=\"missed\">late by 27 min</span></h1>"), "{page}");
    assert!(page.contains("<b>Why</b> at 01:00:00"), "{page}");
    assert!(html_page(&chronicle(), "home.b").contains("<h1>home.b</h1>"));
}

#[test]
fn the_page_loads_nothing() {
    let page = html_page(&chronicle(), cover());
    for word in ["src=", "http:", "https:", "@import", "url(http", "fetch("] {
        assert!(!page.contains(word), "{word}");
    }
}

#[test]
fn a_long_day_of_a_large_team_is_drawn_with_few_elements() {
    let chronicle = ward(24, 120);
    assert!(chronicle.entries.len() > 10_000);
    let page = html_page(&chronicle, Cover { title: "ward".to_string(), ..Cover::default() });
    let Some(whole) = dom("ward", &page, "") else { return };
    let whole = without_scripts(&whole);
    let elements = whole.matches('<').count() / 2;
    assert!(whole.contains("data-ready=\"1\""), "{whole}");
    assert!((500..12_000).contains(&elements), "{elements} elements for 17 280 events and 8 640 bars");
    // Closer, the bars that can be seen stand alone, with their names.
    let Some(near) = dom("ward", &page, "#t=0&from=3000000&to=5400000") else { return };
    assert!(near.contains("✉ turnP") && !near.contains("dense many"), "{near}");
}

#[test]
fn the_functions_behind_the_page_obey_their_laws() {
    let page = html_page(&chronicle(), cover());
    let start = page.rfind("<script>").expect("the page has a script") + "<script>".len();
    let script = &page[start..page.rfind("(function start()").expect("the last part starts the page")];
    let laws = include_str!("page/laws.js");
    let page = format!("<!DOCTYPE html><html><body><script>{script}\n{laws}</script></body></html>");
    let Some(dom) = dom("laws", &page, "") else { return };
    // The script writes its result over the document, its own text included.
    assert!(dom.contains("<body>28 laws hold"), "{dom}");
}

//! Nets as pictures and pages, and the token game in words.

#[path = "page/browser.rs"]
mod browser;

use browser::dom;
use motet_model::{
    ArcKind, ArcPicture, MarkingPicture, NetPicture, PlacePicture, TokenPicture, TransitionPicture,
};
use motet_render::{Album, Frame, Offer, Turn, View, album_page, marking_changes, net_svg, offered, turns};

fn place(name: &str) -> PlacePicture {
    PlacePicture { name: name.to_owned(), sort: "token".to_owned(), cell: false }
}

fn arc(place: usize, transition: usize, kind: ArcKind, label: &str) -> ArcPicture {
    ArcPicture { place, transition, kind, label: label.to_owned() }
}

fn net(name: &str, places: &[&str], transition: &str) -> NetPicture {
    NetPicture {
        name: name.to_owned(),
        places: places.iter().map(|name| place(name)).collect(),
        transitions: vec![TransitionPicture { name: transition.to_owned(), ..TransitionPicture::default() }],
        arcs: vec![arc(0, 0, ArcKind::In, ""), arc(1, 0, ArcKind::Out, "x")],
        goals: Vec::new(),
    }
}

/// A yard with a truck, which is a net itself.
fn nets() -> Vec<NetPicture> {
    vec![net("Yard", &["outside", "inside"], "enter"), net("Truck", &["empty", "loaded"], "load")]
}

fn truck(loaded: u32) -> MarkingPicture {
    let black = |count| vec![TokenPicture { text: String::new(), count, agents: Vec::new() }];
    let places = if loaded > 0 { vec![vec![], black(loaded)] } else { vec![black(1), vec![]] };
    MarkingPicture { net: 1, title: "Truck(7)".to_owned(), places, goals: Vec::new() }
}

/// The truck is in this place of the yard.
fn yard(at: usize, truck: MarkingPicture) -> MarkingPicture {
    let mut places = vec![Vec::new(), Vec::new()];
    places[at] = vec![TokenPicture { text: "<1, Truck(7)>".to_owned(), count: 1, agents: vec![truck] }];
    MarkingPicture { net: 0, title: "Yard".to_owned(), places, goals: Vec::new() }
}

fn album() -> Album {
    let frame = |marking, fired: &[(usize, usize)], text: &str| Frame {
        marking,
        fired: fired.to_vec(),
        text: text.to_owned(),
    };
    let frames = vec![
        frame(yard(0, truck(0)), &[], ""),
        frame(yard(1, truck(0)), &[(0, 0)], "enter"),
        frame(yard(1, truck(1)), &[(1, 0)], "load"),
    ];
    Album { nets: nets(), frames, more: 0 }
}

/// The transitions that are drawn as having fired.
fn highlighted(svg: &str) -> usize {
    svg.matches("fill=\"#e0701a\"").count()
}

#[test]
fn every_place_and_transition_of_every_net_is_named() {
    let svg = net_svg(&nets(), None, &[]);
    let names = ["Yard", "outside", "inside", "enter", "Truck", "empty", "loaded", "load"];
    for name in names {
        assert!(svg.contains(&format!(">{name}<")), "{name}: {svg}");
    }
    assert_eq!(svg.matches("r=\"20\"").count(), 4, "without a marking all places are empty: {svg}");
    assert_eq!(highlighted(&svg), 0);
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count(), "{svg}");
}

#[test]
fn an_agent_is_framed_inside_its_place_and_what_fires_stands_out() {
    let empty = net_svg(&nets()[..1], None, &[]);
    let svg = net_svg(&nets(), Some(&yard(1, truck(3))), &[(1, 0)]);
    assert!(!empty.contains("Truck(7)") && svg.contains(">Truck(7)<"), "{svg}");
    // The agent's own places are drawn, its three black tokens as dots, inside a box in the place.
    for name in ["empty", "loaded", "load"] {
        assert!(svg.contains(&format!(">{name}<")), "{name}: {svg}");
    }
    assert_eq!(svg.matches("r=\"3.5\"").count(), 3, "{svg}");
    let frames = |svg: &str| svg.matches("stroke=\"#8a8fa3\"").count();
    assert_eq!((frames(&empty), frames(&svg)), (1, 2), "the yard, and the truck in it: {svg}");
    assert_eq!(svg.matches("r=\"20\"").count(), 3, "the place with the truck is a box now: {svg}");
    assert_eq!(highlighted(&svg), 1, "{svg}");
    let many = net_svg(&nets(), Some(&yard(1, truck(6))), &[]);
    assert!(many.contains(">6</text>") && !many.contains("r=\"3.5\""), "many tokens are a number: {many}");
}

#[test]
fn names_and_labels_cannot_break_out_of_a_picture() {
    let mut nets = nets();
    nets[0].places[0].name = "</svg><script>x</script>".to_owned();
    nets[0].arcs[1].label = "<a & \"b\">".to_owned();
    let svg = net_svg(&nets, None, &[]);
    assert!(!svg.contains("<script") && svg.matches("</svg>").count() == 1, "{svg}");
    assert!(svg.contains("&lt;a &amp; &quot;b&quot;&gt;"), "{svg}");
    let page = album_page(&Album { nets, ..album() }, "<script>t</script>", "a & b");
    assert_eq!(page.matches("<script").count(), 1, "only the page's own: {page}");
    let page = album_page(&album(), "a {{STEPS}} run", "of {{FRAMES}}");
    assert!(page.contains("<h1>a {{STEPS}} run</h1><p>of {{FRAMES}}</p>"), "{page}");
}

#[test]
fn a_page_has_a_frame_for_every_moment_and_loads_nothing() {
    let page = album_page(&album(), "a run", "of trucks");
    assert_eq!(page.matches("<section class=\"frame\">").count(), 3);
    for text in ["<li>start</li>", "<li>enter</li>", "<li>load</li>"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let page = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for word in ["src=", "http:", "https:", "@import", "fetch("] {
        assert!(!page.contains(word), "{word}");
    }
}

/// Which frame the browser shows, and which step it marks, after this script.
fn after(name: &str, script: &str) -> Option<(Vec<usize>, Vec<usize>)> {
    let page = album_page(&album(), "a run", "of trucks");
    let page = page.replace("</body>", &format!("<script>{script}</script></body>"));
    let dom = dom(name, &page, "")?;
    let marked = |open: &str, sign: &str| {
        let parts = dom.split(open).skip(1).enumerate();
        parts.filter(|(_, part)| part.starts_with(sign)).map(|(number, _)| number).collect::<Vec<_>>()
    };
    Some((marked("<section class=\"frame", " now\""), marked("<li", " class=\"now\"")))
}

#[test]
fn stepping_forward_shows_the_next_moment() {
    let click = |button: &str| format!("document.getElementById('{button}').click();");
    let Some(start) = after("album-start", "") else { return };
    assert_eq!(start, (vec![0], vec![0]));
    assert_eq!(after("album-next", &click("next")), Some((vec![1], vec![1])));
    let there_and_back = [click("last"), click("next"), click("back")].concat();
    assert_eq!(after("album-back", &there_and_back), Some((vec![1], vec![1])), "the end is the end");
    let key = "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }));";
    assert_eq!(after("album-key", &key.repeat(2)), Some((vec![2], vec![2])));
    let step = "document.querySelectorAll('nav li')[2].click();";
    assert_eq!(after("album-click", step), Some((vec![2], vec![2])));
}

#[test]
fn what_a_firing_changes_is_told_place_by_place() {
    let told = |before, after| {
        let text = marking_changes(&nets(), &before, &after, &View::default());
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
    };
    let entered = told(yard(0, truck(0)), yard(1, truck(0)));
    assert_eq!(entered, ["Yard.inside + <1, Truck(7)>", "Yard.outside - <1, Truck(7)>"]);
    assert_eq!(told(yard(1, truck(0)), yard(1, truck(2))), ["Truck(7).empty - 1", "Truck(7).loaded + 2"]);
    assert!(told(yard(1, truck(1)), yard(1, truck(1))).is_empty());
}

#[test]
fn steps_to_choose_from_are_numbered_and_the_taken_one_is_marked() {
    let offer = |text: &str, to: Option<(&str, &str)>| Offer {
        who: "Yard".to_owned(),
        text: text.to_owned(),
        to: to.map(|(who, what)| (who.to_owned(), what.to_owned())),
        bindings: to.map_or_else(Vec::new, |_| vec!["Yard: n = 1".to_owned()]),
    };
    let offers = vec![offer("enter (n = 1)", None), offer("call", Some(("Truck(7)", "come(1)")))];
    let view = View::default();
    let text = offered(&offers, &view);
    assert!(text.starts_with("  2 steps are enabled\n"), "{text}");
    assert!(text.contains("1  Yard: enter (n = 1)\n"), "{text}");
    assert!(
        text.contains("2  Yard: call ──come(1)──▶ Truck(7)\n") && text.contains("  Yard: n = 1\n"),
        "{text}"
    );
    assert_eq!(offered(&[], &view), "  nothing can happen any more\n");
    let text = turns(&[Turn { offers, taken: 1, changes: "changed\n".to_owned() }], &view);
    assert!(text.contains("▶    2  Yard: call") && !text.contains("▶    1"), "{text}");
    assert!(text.ends_with("changed\n"), "{text}");
}

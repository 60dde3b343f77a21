//! What files say, and what they say wrongly.

mod lab;

use lab::{document, net, net_size, read};
use motet_nets::plain::Arc;

const MARKED: &str = "<place id=\"p\"><name><text>idle</text></name><initialMarking><text>3</text></initialMarking></place>\
                      <place id=\"q\"/><transition id=\"t\"><name><text>go</text></name></transition>";

#[test]
fn weights_markings_names_and_ids_are_read() {
    let arcs = "<arc id=\"a\" source=\"p\" target=\"t\"><inscription><text> 2 </text></inscription></arc>\
                <arc id=\"b\" source=\"t\" target=\"q\"/><arc id=\"c\" source=\"t\" target=\"q\"/>";
    let found = net(&document("ptnet", &format!("{MARKED}{arcs}")));
    let plain = &found.net;
    assert_eq!((plain.places[0].name.as_str(), plain.places[0].initial), ("idle", 3));
    assert_eq!(plain.transitions[0].inputs, [Arc { place: 0, weight: 2 }]);
    assert_eq!(plain.transitions[0].outputs, [Arc { place: 1, weight: 2 }]);
    assert_eq!((found.places["p"].as_slice(), found.transitions["t"].as_slice()), (&[0][..], &[0][..]));
    let aliases: Vec<&str> = plain.place_families.iter().map(|family| family.name.as_str()).collect();
    assert_eq!(aliases, ["p"], "an id is a name too where it differs");
    assert_eq!(net_size(plain), (2, 1));
}

#[test]
fn a_name_that_could_be_mistaken_is_not_used() {
    let body = "<place id=\"p\"><name><text>q</text></name></place><place id=\"q\"/>\
                <place id=\"r\"><name><text>same</text></name></place><place id=\"s\"><name><text>same</text></name></place>";
    let names: Vec<String> =
        net(&document("ptnet", body)).net.places.into_iter().map(|place| place.name).collect();
    assert_eq!(names, ["p", "q", "r", "s"]);
}

#[test]
fn pages_nest_and_references_are_followed() {
    let inner = "<page id=\"inner\"><referencePlace id=\"r\" ref=\"s\"/><referencePlace id=\"s\" ref=\"p\"/>\
                 <referenceTransition id=\"u\" ref=\"t\"/><arc id=\"a\" source=\"r\" target=\"u\"/></page>";
    let found = net(&document("ptnet", &format!("{MARKED}{inner}")));
    assert_eq!(found.net.transitions[0].inputs, [Arc { place: 0, weight: 1 }]);
}

#[test]
fn pipe_is_read_too() {
    let text = "<pnml><net id=\"Net-One\" type=\"P/T net\"><token id=\"Default\"/>\
                <place id=\"P0\"><name><value>P0</value></name><initialMarking><value>Default,2</value></initialMarking>\
                <capacity><value>0</value></capacity></place><place id=\"P1\"><capacity><value>1</value></capacity></place>\
                <transition id=\"T0\"/><arc id=\"a\" source=\"P0\" target=\"T0\"><inscription><value>Default,1</value>\
                </inscription><type value=\"normal\"/></arc><arc id=\"b\" source=\"T0\" target=\"P1\"/>\
                <arc id=\"c\" source=\"P1\" target=\"T0\"><type value=\"inhibitor\"/></arc></net></pnml>";
    let found = net(text);
    assert_eq!((found.net.places[0].initial, found.net.places[0].capacity), (2, None));
    assert_eq!(found.net.places[1].capacity, Some(1));
    assert_eq!(found.net.transitions[0].inhibitors, [Arc { place: 1, weight: 1 }]);
    assert_eq!(net_size(&found.net), (2, 1));
}

#[test]
fn units_are_kept_aside() {
    let units = "<toolspecific tool=\"nupn\" version=\"1.1\"><structure units=\"2\" root=\"u0\" safe=\"true\">\
                 <unit id=\"u0\"><places>p</places><subunits>u1</subunits></unit>\
                 <unit id=\"u1\"><places>q</places><subunits/></unit></structure></toolspecific>";
    let nupn = net(&document("ptnet", &format!("{MARKED}{units}"))).nupn.unwrap();
    assert!(nupn.unit_safe && nupn.root == "u0");
    assert_eq!((nupn.units[1].id.as_str(), nupn.units[1].places.as_slice()), ("u1", &["q".to_owned()][..]));
}

/// Each line of a report, without the way out.
fn problems(text: &str) -> Vec<String> {
    let (found, lines) = read(text);
    assert!(found.is_none(), "this should be refused: {text}");
    lines.lines().map(|line| line.split(" (help").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn all_problems_are_told_at_once_with_their_places() {
    let body = "<place id=\"p\"><initialMarking><text>many</text></initialMarking></place>\n\
                <place id=\"p\"/>\n\
                <transition/>\n\
                <transition id=\"t\"/>\n\
                <arc id=\"a\" source=\"p\" target=\"u\"/>\n\
                <arc id=\"b\" source=\"p\" target=\"p\"/>\n\
                <arc id=\"c\" source=\"p\"/>\n\
                <arc id=\"d\" source=\"p\" target=\"t\"><type value=\"reset\"/></arc>\n\
                <referencePlace id=\"r\" ref=\"r\"/><arc id=\"e\" source=\"r\" target=\"t\"/>\n\
                <arc id=\"f\" source=\"p\" target=\"t\"><inscription><text>-1</text></inscription></arc>";
    assert_eq!(
        problems(&document("ptnet", body)),
        [
            "net.pnml:5:1: error[M1084]: the id `p` is used twice",
            "net.pnml:6:1: error[M1083]: `transition` has no attribute `id`",
            "net.pnml:8:1: error[M1085]: there is no place or transition `u`",
            "net.pnml:9:1: error[M1085]: this arc joins two places",
            "net.pnml:10:1: error[M1083]: `arc` has no attribute `target`",
            "net.pnml:11:35: error[M1082]: an arc of type `reset` is not known here",
            "net.pnml:12:33: error[M1085]: the reference `r` leads back to itself",
            "net.pnml:4:31: error[M1086]: `many` is no number of tokens",
            "net.pnml:13:48: error[M1086]: `-1` is no number of tokens",
        ]
    );
}

#[test]
fn texts_that_are_no_nets_are_refused() {
    for (text, code) in [
        ("<pnml>", "M1080"),
        ("", "M1080"),
        ("<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"c\">]><pnml>&b;</pnml>", "M1080"),
        ("<nets/>", "M1081"),
        ("<pnml/>", "M1081"),
        ("<pnml><net id=\"a\" type=\"ptnet\"/><net id=\"b\" type=\"ptnet\"/></pnml>", "M1081"),
        ("<pnml><net id=\"a\" type=\"http://example.org/timednet\"/></pnml>", "M1081"),
    ] {
        let found = problems(text);
        assert!(found.len() == 1 && found[0].contains(code), "{text}: {found:?}");
    }
}

#[test]
fn what_is_not_known_on_a_page_is_left_out_with_a_warning() {
    let (found, lines) = read(&document("ptnet", &format!("{MARKED}<ornament/>")));
    assert!(found.is_some());
    assert!(lines.contains("warning[M1082]: `ornament` is not part of a net and is left out"), "{lines}");
}

//! Texts that nobody would write: the resolver neither stops nor runs away.

use motet_model::Options;
use motet_source::fuzz::each_seed;
use motet_source::work::steps;

use crate::{problems, read_files};

/// A small model that uses most of the language.
const MODEL: &str = "package p; import p.*;
areadef Room { } area hall instanceof Room partof house { } area house instanceof World { } area yard instanceof Room { }
path w { area1: hall; area2: yard; distance: 4; }
conceptual_class Idea { attributes: public int worth; } conceptual_object plan instanceof Idea { }
class Lamp { attributes: public boolean on; public map hours; public symbol hue; initial_facts: (current.on = false);
  workframes: workframe burn { repeat: true; when((current.on = true)) do { println(\"on\"); } } }
object lamp instanceof Lamp partof plan { location: hall; initial_beliefs: (current.hours(1) = 3); }
group Staff { attributes: public int n; private double d; relations: public Staff likes;
  initial_beliefs: (current.n = 1); (current likes ann is false);
  activities: primitive_activity rest(int t) { random: true; min_duration: 1; max_duration: t; priority: 3; }
    move go(Room to) { location: to; detectArrivalIn: to; } communicate tell(Staff s) { with: s; about: send(current.n = current.n), receive(s.n); }
    broadcast shout() { to: hall; about: send(lamp.on); } get take() { items: lamp; } put leave() { items: lamp; destination: yard; }
    create_object buy(Lamp l) { action: new; source: Lamp; destination: l; location: hall; } java think(int v) { class: \"T\"; max_duration: 2; }
    composite_activity tour(Room to, int t) { end_condition: detectable; detectables: detectable d { detect((lamp.on = true)) then end_activity; }
      activities: primitive_activity look() { max_duration: t; } workframes: workframe in { when(knownval(current.location != to)) do { go(to); look(); } } }
  workframes: workframe a { repeat: once; priority: 2.5; variables: foreach(Staff) s; collectall(Room) r; forone(int) v; forone(Lamp) l;
    detectables: detectable x { when(30) detect((<Lamp>.on = ?), dc:50) then impasse; } detectable y { detect((s likes ?)) then complete; }
    when(knownval(s.n > 0) and known(r.location) and not(s likes current) and unknown(current likes) and knownval(v = s.n + 2))
    do { rest(v); go(hall); tell(s); shout(); take(); leave(); buy(l); think(v); tour(yard, 3); conclude((l.hours(v) = v / 2), bc:50, fc:0);
         conclude((s likes current is unknown)); retractBelief(current.n); delete l; } }
  thoughtframes: thoughtframe t { repeat: true; when((current.n < 5)) do { conclude((current.n = current.n + 1)); } } }
agent ann memberof Staff { location: hall; } agent bob memberof Staff { location: yard; } external agent eve;
";

#[test]
fn the_model_that_is_changed_below_has_no_errors() {
    let (program, problems) = read_files(&[("m.b", MODEL)], &Options::default());
    assert!(program.is_some(), "{problems:#?}");
}

#[test]
fn changed_words_never_stop_the_resolver() {
    let words: Vec<&str> = MODEL.split_inclusive([' ', '\n', ';', '(', ')', '.']).collect();
    each_seed(150, |_, random| {
        let mut changed = words.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(changed.len());
            match random.below(3) {
                0 => changed[at] = random.pick(&words),
                1 => changed.insert(at, random.pick(&words)),
                _ => drop(changed.remove(at)),
            }
        }
        read_files(&[("m.b", &changed.concat())], &Options::default());
    });
}

/// The problems of a text that is read in a few looks at each of its tokens.
fn problems_soon(text: &str) -> Vec<String> {
    let (looks, found) = steps(|| problems(text));
    assert!(looks < 100 * text.len() as u64, "{looks} looks at {} bytes", text.len());
    found
}

#[test]
fn composite_activities_that_double_at_every_level_are_cut_off() {
    let mut activities = String::new();
    for level in 0..25 {
        let inner = if level == 24 { String::new() } else { format!("c{0}(); c{0}();", level + 1) };
        activities.push_str(&format!(
            "composite_activity c{level}() {{ workframes: workframe w{level} {{ do {{ {inner} }} }} }}\n"
        ));
    }
    let text = format!("agent a {{ activities: {activities} workframes: workframe w {{ do {{ c0(); }} }} }}");
    assert!(problems_soon(&text).iter().any(|line| line.contains("M0749")));
}

#[test]
fn relations_between_everybody_and_everybody_are_cut_off() {
    let agents: String = (0..1500).map(|number| format!("agent a{number} memberof G {{ }}\n")).collect();
    let text = format!("group G {{ relations: public G likes; initial_beliefs: (<G> likes <G>); }} {agents}");
    assert!(problems_soon(&text).iter().any(|line| line.contains("M0749")));
}

#[test]
fn a_long_line_of_ancestors_is_followed() {
    let groups: String =
        (1..2000).map(|number| format!("group g{number} memberof g{} {{ }}\n", number - 1)).collect();
    let text = format!("group g0 {{ }} {groups} agent a memberof g1999 {{ }}");
    assert_eq!(problems_soon(&text), Vec::<String>::new());
}

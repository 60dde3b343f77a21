//! What is printed is read back as the same claim: the same tree but for parentheses, over the whole grammar of every
//! dialect, whether the names in it mean anything or not.

mod support;

use motet_property::syntax::ItemNode;
use motet_property::{ClaimsFile, Dialect, format_file, parse};
use motet_source::fuzz::Random;
use motet_source::{Problems, Sources};
use support::rounds;

/// Rules of a grammar: a sign, and what `$sign` may stand for. The first of these ends a formula that is deep enough.
type Grammar = &'static [(char, &'static [&'static str])];

#[rustfmt::skip]
const MOTET: Grammar = &[
    ('S', &["$B", "$B", "$B", "globally, $S", "after $c, $S", "after $c until $c, $S", "before $c, $S", "while $c, $S",
        "between $c and $c, $S", "between $c & $c, $S", "$H"]),
    ('H', &["$n shall $d satisfy $p", "in $c mode, upon $p, the $n shall $d satisfy $p", "only during $c, shall the $n $d satisfy $p",
        "when not in $c, $n shall $d satisfy ($f)", "if ($f), $n shall $d, satisfy $p", "whenever $p $n shall $d satisfy $p"]),
    ('d', &["always", "never", "eventually", "immediately", "at the next timepoint", "until $p", "before ($f)", "within $l",
        "for $l", "after $l"]),
    ('B', &["$f", "$f", "$f", "whenever $f, $t $f", "whenever ($f), then $t ($f)", "each time $f, $t $f", "($f) precedes ($f)", "$f precedes $f",
        "forall $v in $D: $B", "exists $v in $D: $B", "∀ $v ∈ $D: $B", "exists $v in $D, $v in $D: $B"]),
    ('t', &["eventually", "immediately", "within $l,", "for $l,", "after $l,"]),
    ('f', &["$p", "$p", "$p", "$p & $p", "$p | $p & $p", "$p and $p or ($f)", "$p xor $p", "$p -> $p", "$p implies ($f)", "$p <-> $p",
        "$p iff $p", "$p U $p", "$p W $p", "$p R $p", "$p until $p", "$p unless $p", "$p releases $p", "$p since $p",
        "$p U$w ($f)", "$p W$w $p", "($f) & ($f) & ($f)", "($f) -> ($f)", "$p => $p & $p", "($B)", "($S)"]),
    ('p', &["$c", "$c", "$c", "!$p", "not $p", "¬($f)", "F $p", "G $p", "X $p", "[] $p", "<> ($f)", "always $p", "eventually ($f)",
        "never $p", "next $p", "F$w ($f)", "G$w $p", "X$w $p", "always for $l $p", "eventually within $l ($f)", "within $l $p", "for $l ($f)", "AG $p",
        "EF$w ($f)", "EX $p", "AF ($f)", "A [ $S ]", "E [ $f ]", "becomes $c", "becomes not $p", "at most $x $p", "at least $x ($f)",
        "exactly $x $p", "no more than $x ($c)", "never $c twice", "never ($f) more than $x", "never more than $x $p", "($f)", "($S)"]),
    ('x', &["once", "twice", "3 times", "$n times", "($s) times", "two times", "1 time"]),
    ('w', &["<=4min", "<3 steps", ">=2", ">$n", "<=$n steps", "<=($s)", "[1 h, 2 h]", "[$n, $n cycles]", "<= 1 h 30 min", "<=1.5e3"]),
    ('l', &["4 min", "1 h 30 min", "$n", "($s)", "2 cycles", "($n) steps", "1 minute", "2 hours", "5"]),
    ('c', &["$s", "$s", "$s = $s", "$s != $s", "$s <= $s < $s", "$s in $D", "$n believes $k", "$n desires $k", "$n intends $k", "$n does $k",
        "$n sends $m $k", "$n reads $k from $m", "$n tells $m $k", "$n has no belief about $o", "$n knows ($S)", "$s becomes $s",
        "$c again", "$c at most $x", "$c exactly $x", "$c never twice", "$c happens at least $x", "{$s, $s} knows ($f)"]),
    ('k', &["$s", "not $k", "!$k", "$s = $s", "$s in $D", "not ($f)", "($f)"]),
    ('s', &["$o", "$o", "$o", "$o + $o", "$o - $o", "$o * $o - $o", "$o / ($s)", "$o % $o", "$o union $o", "$o minus $o union $o",
        "$o +-$o", "-$o + $o"]),
    ('o', &["$m", "$m", "1", "2.50", "4 min", "1 h 30 min", "\"$q\"", "$n($f)", "$n($f, $f)", "$n()", "$n.$n", "$n.$n($p)", "$n[$m]", "$n[3].$n",
        "<$o, $o>", "<$o>", "[$s, $s]", "[]", "-$o", "#$o", "#($f)", "($f)", "Bel($s, $f)", "Des($n, $k)", "Int $m $o", "Does($n, $f)", "Did($n, $f)",
        "ItD($n, $p)", "Says($s, $s, $f)", "Sends($n, $n, $f)", "Reads($n, $n, $f)", "K[$D]($S)", "EK[$D]($f)", "CK[{$n, $n}]($f)", "DK[$n]($f)",
        "since($S)", "held($f)", "once($p)", "historically($f)", "previously($p)", "initially($S)", "P>=0.5 [ $S ]", "P=? [ $f ]", "Pmax=? [ F $p ]",
        "P min = ? [ $p ]", "S=? [ $f ]", "S<0.1 [ $p ]", "R{\"$q\"}max=? [ F $p ]", "R{$m}min<=$s [ C<=5 ]", "Rmin=? [ C ]", "R=? [ S ]",
        "R=? [ I=$n steps ]", "Rmax>=($s) [ $f ]", "filter(max, P=? [ $f ], $f)", "filter(forall, $f)", "filter(+, $p, $p)", "filter(print, $f)",
        "max time to ($S)", "min time from ($f) to ($f)"]),
    ('D', &["$m", "1..3", "$s..$s", "{$s, $s}", "{$m}", "$s"]),
    ('n', &["a", "b", "x", "Robot", "`a b`", "`G`"]),
    ('m', &["a", "b", "p", "q", "true", "false", "now", "deadlock", "_", "`until`", "`a-b`", "`in`", "time", "to", "max", "min", "filter", "mode",
        "once", "twice", "times", "again", "at", "becomes", "sends", "P", "R", "S", "C", "I", "K", "Bel", "since", "held", "s", "steps", "union",
        "shall", "the", "only", "each", "whenever", "possible", "property", "query", "expect", "infinity", "forall", "ensures", "after", "`é`", "ü", "`1`", "`a.b`", "`\"`",
        "`//`", "`\\`", "happens", "no", "more", "exactly", "reachable", "from", "A", "E", "minus", "globally", "when", "if", "satisfy", "reads", "is"]),
    ('v', &["v", "x", "`in`", "s", "min", "`a b`", "each", "in"]),
    ('q', &["Sea is high", "a", "", "\\\"", "\\\\", "//", "é", "`", "a  b", "\\n", "*/", ": ("]),
];

#[rustfmt::skip]
const PRISM: Grammar = &[
    ('S', &["$f", "$f", "P=? [ $f ]", "Pmin=? [ $f ]", "P>=$s [ $f ]", "R{\"$q\"}max=? [ F $p ]", "R=? [ C<=$b ]", "R{\"$q\"}<=$s [ I=$b ]", "S>0.5 [ $f ]",
        "R=? [ S ]", "filter(avg, P=? [ $f ], $f)", "filter(exists, $f)", "A [ $f ]", "E [ $f ]", "Rmin=? [ $f ]"]),
    ('f', &["$p", "$p & $p", "$p | $p", "$p => $p", "$p <=> $p", "$p U $p", "$p W $p", "$p R $p", "$p U<=$b $p", "$p & $p => $p | $p", "$p => $p => $p",
        "$p <=> $p <=> $p", "$p U[$b,$b] ($f)", "$p U>=$b ($f)"]),
    ('p', &["$c", "$c", "!$p", "F $p", "G $p", "X $p", "F<=$b $p", "G<$b ($f)", "F[$b,$b] $p", "($f)", "P>=0.5 [ $f ]", "A [ $f ]", "E [ F $p ]", "F $f", "G<=$b $f"]),
    ('b', &["3", "T", "T+1", "(T*2)", "2*T-1", "(T)", "T/(T+1)", "x1"]),
    ('c', &["$s", "$s=$s", "$s!=$s", "$s<$s", "$s>=$s", "\"$q\""]),
    ('s', &["$o", "$o+$o", "$o-$o*$o", "$o/$o", "-$o", "$o-($s)"]),
    ('o', &["x", "y", "2", "0.5", "1e-3", "true", "false", "min($s,$s)", "floor($s)", "mod($s, 3)", "pow(2,$s)", "($f)", "s", "steps", "again",
        "not", "and", "until", "in", "always", "max", "time", "Bel", "union", "since", "shall", "to", "property", "query", "once", "becomes", "never", "forall", "K", "each", "within"]),
    ('q', &["goal", "deadlock", "a b", "init", "property", "", "\\\"", "é", "G", "always"]),
];

#[rustfmt::skip]
const SPIN: Grammar = &[
    ('S', &["$f", "$f"]),
    ('f', &["$p", "$p && $p", "$p || $p", "$p -> $p", "$p <-> $p", "$p U $p", "$p V $p", "$p W $p", "$p R $p", "$p until $p", "$p weakuntil $p", "$p release $p", "$p implies $p",
        "$p equivalent $p", "$p U $p U $p", "$p -> $p -> $p", "$p && $p || $p", "$p <-> $p -> $p"]),
    ('p', &["$c", "$c", "!$p", "[] $p", "<> $p", "X $p", "always $p", "eventually $p", "next $p", "($f)", "! ($f)"]),
    ('c', &["$s", "$s == $s", "$s != $s", "$s < $s", "$s >= $s"]),
    ('s', &["$o", "$o + $o", "$o - $o", "$o * $o", "-$o"]),
    ('o', &["p", "q", "x", "1", "true", "false", "a[1]", "a[i]", "len(c)", "P.x", "($f)", "s", "again", "not", "and", "xor", "union", "F", "G", "A", "E", "P", "R2", "K", "Bel", "never", "at",
        "since", "once", "becomes", "max", "property", "shall", "forall", "timeout", "AG", "within", "for", "each", "possible", "deadlock", "globally", "infinity", "dialect"]),
];

#[rustfmt::skip]
const PSL: Grammar = &[
    ('S', &["$f"]),
    ('f', &["$p", "$p & $p", "$p || $p", "$p -> $p", "$p U $p", "$p R $p", "$p & $p || $p", "$p U $p U $p", "$p R $p U $p", "$p || $p || $p"]),
    ('p', &["$a", "$a", "[] $p", "<> $p", "A $p", "E $p", "X $p", "~ $p", "($f)", "~ ($f)"]),
    ('a', &["B(alice, $t)", "G($n, $t)", "I($n, $t)", "ItD($n, $t)", "D($n, $t)", "P($t)", "T", "F"]),
    ('t', &["$n", "$n", "$n($t)", "$n($t, $t)", "1", "2.5", "\"$q\"", "[]", "[$t, $t]", "$n.$n", "$n.$n.$n($t)"]),
    ('n', &["alice", "send", "not", "true", "in", "always", "once", "`a b`", "`until`", "K", "P", "Bel", "union", "s", "again", "held", "property", "shall", "forall", "U", "_", "now", "deadlock",
        "historically", "initially", "min", "F", "T", "G", "previously"]),
    ('q', &["badly", "", "\\\"", "a b"]),
];

/// A random text of this rule.
fn grown(grammar: Grammar, rule: char, random: &mut Random, depth: usize) -> String {
    let (_, choices) = grammar.iter().find(|(sign, _)| *sign == rule).expect("every sign has a rule");
    let leaf = choices.iter().all(|choice| !choice.contains('$'));
    let choice = if depth == 0 && !leaf { choices[0] } else { choices[random.below(choices.len())] };
    let mut out = String::new();
    let mut signs = choice.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '$' => {
                let rule = signs.next().expect("a sign stands behind each `$`");
                out += &grown(grammar, rule, random, depth.saturating_sub(1));
            }
            _ => out.push(sign),
        }
    }
    out
}

/// The trees of a file without places and parentheses.
fn shape(file: &ClaimsFile) -> Vec<String> {
    let item = |node: &ItemNode| match node {
        ItemNode::Dialect(_) => None,
        ItemNode::Model(path) => Some(path.node.clone()),
        ItemNode::Const(constant) => {
            let sort = constant.sort.as_ref().map(|sort| &sort.node);
            Some(format!("{} {sort:?} {}", constant.name.node, bare(&format!("{:?}", constant.value))))
        }
        ItemNode::Define(define) => {
            let parameters = bare(&format!("{:?}", define.parameters));
            Some(format!("{} {parameters} {}", define.name.node, bare(&format!("{:?}", define.body))))
        }
        ItemNode::Claim(claim) => Some(format!(
            "{:?} {} {:?} {} {}",
            claim.kind,
            claim.name.node,
            claim.words.as_ref().map(|words| &words.node),
            bare(&format!("{:?}", claim.body)),
            bare(&format!("{:?}", claim.expect))
        )),
    };
    file.items.iter().filter_map(|found| item(&found.node)).collect()
}

/// A node without its place and depth stands between two signs that occur nowhere else.
const ENDS: [char; 2] = ['\u{e000}', '\u{e001}'];

fn bare(tree: &str) -> String {
    let tree = cut(tree, "Span { file: FileId(", " }", "here");
    let tree = tree.replace("Node { tree: ", &ENDS[0].to_string());
    let tree = cut(&tree, ", span: here, depth: ", " }", &ENDS[1].to_string());
    let (mut out, mut groups) = (String::new(), Vec::new());
    let mut rest = tree.as_str();
    while let Some(sign) = rest.chars().next() {
        rest = &rest[sign.len_utf8()..];
        if sign == ENDS[0] {
            let inner = rest.strip_prefix("Group(");
            groups.push(inner.is_some());
            match inner {
                Some(inner) => rest = inner,
                None => out.push('{'),
            }
        } else if sign == ENDS[1] {
            let end = if groups.pop() == Some(true) { (out.pop(), ' ').1 } else { '}' };
            out.push(end);
        } else {
            out.push(sign);
        }
    }
    // `a believes !p` is laid out as `a believes not p`.
    out.replace(' ', "").replace("Not(Symbol,", "Not(Word,")
}

/// The text with another one for all that goes from `start` to the first `end` behind it.
fn cut(text: &str, start: &str, end: &str, with: &str) -> String {
    let mut parts = text.split(start);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (_, kept) = part.split_once(end).expect("a place has an end");
        out += with;
        out += kept;
    }
    out
}

fn errors(problems: &Problems, sources: &Sources) -> Option<String> {
    problems.has_errors().then(|| problems.lines(sources))
}

/// Whether the text can be read; then what is wrong with its canonical form.
fn fault(text: &str, dialect: Option<Dialect>) -> Option<Result<(), String>> {
    let mut sources = Sources::new();
    let id = sources.add("test.props", text);
    let (first, problems) = parse(id, text, dialect);
    if problems.has_errors() {
        return None;
    }
    let printed = format_file(&first);
    let id = sources.add("again.props", printed.as_str());
    let (second, problems) = parse(id, &printed, None);
    let (one, two) = (shape(&first), shape(&second));
    Some(match errors(&problems, &sources) {
        Some(lines) => Err(format!("{text}\n-->\n{printed}\n{lines}")),
        None if one != two => Err(format!("{text}\n-->\n{printed}\n{one:#?}\n{two:#?}")),
        None if format_file(&second) != printed => {
            Err(format!("{text}\n-->\n{printed}\n-->\n{}", format_file(&second)))
        }
        None => Ok(()),
    })
}

/// Random files of a dialect around the formulas of its grammar; all faults are told at once.
fn read_back(dialect: Dialect, grammar: Grammar, n: usize, file: fn(&str, usize) -> String) {
    let (mut n_read, mut faults) = (0, Vec::new());
    for seed in 0..n as u64 {
        let mut random = Random::new(seed);
        let depth = 1 + random.below(6);
        let text = file(&grown(grammar, 'S', &mut random, depth), random.below(8));
        match fault(&text, Some(dialect)) {
            None => {}
            Some(Ok(())) => n_read += 1,
            Some(Err(fault)) => faults.push(format!("seed {seed}: {fault}")),
        }
    }
    let shown = faults.iter().take(8).map(String::as_str).collect::<Vec<_>>().join("\n\n");
    assert!(faults.is_empty(), "{} of {n}\n{shown}", faults.len());
    assert!(n_read * 5 > n, "only {n_read} of {n} formulas were readable: the generator is broken");
}

#[test]
fn a_claim_of_our_own_is_printed_as_itself() {
    read_back(Dialect::Motet, MOTET, rounds(6000), |formula, form| match form {
        0 => format!("property `a b` \"words \\\" of it\": {formula} expect fails"),
        1 => format!("query q: {formula} expect = 0.5 +- 0.1"),
        2 => format!("define d(x, y) = {formula}\nconst c: int = 3 // tail"),
        3 => format!("possible r: // behind\n {formula} expect in [1 h, 2 h]"),
        4 => format!("const n: int = ({formula})"),
        _ => format!("property x: {formula}"),
    });
}

#[test]
fn a_claim_of_prism_is_printed_as_itself() {
    read_back(Dialect::Prism, PRISM, rounds(4000), |formula, form| match form {
        0 => format!("\"name\": {formula};\nlabel \"goal\" = x=1;"),
        1 => format!("const int N = {formula};"),
        2 => format!("label \"a b\" = {formula};\nP=? [ F \"a b\" ]"),
        3 => format!("// RESULT: 0.5\n{formula};\n\"always\": F x=1;"),
        _ => formula.to_owned(),
    });
}

#[test]
fn a_claim_of_spin_is_printed_as_itself() {
    read_back(Dialect::Spin, SPIN, rounds(4000), |formula, form| match form {
        0 => format!("ltl p1 {{ {formula} }}"),
        1 => format!("ltl always {{ {formula} }}\nltl {{ {formula} }}"),
        _ => formula.to_owned(),
    });
}

#[test]
fn a_claim_of_ajpf_is_printed_as_itself() {
    read_back(Dialect::Psl, PSL, rounds(4000), |formula, form| match form {
        0 => format!("# head: //\n`a b`: {formula}\n2: T"),
        1 => format!("always: {formula}"),
        _ => format!("x: {formula}"),
    });
}

//! Values in the language's notation: `<1, Diesel(1)>`, `{emily, david}`.

use std::fmt::Write as _;

use crate::program::Program;
use crate::semantics::firing::AgentName;
use crate::value::{Bag, Value};

/// A value.
pub(crate) fn value(program: &Program, value: &Value) -> String {
    let mut text = String::new();
    write(program, value, &mut text);
    text
}

/// `Diesel(1)`
pub(crate) fn agent_name(program: &Program, agent: &AgentName) -> String {
    let mut text = String::new();
    write_agent(program, agent.net, &agent.arguments, &mut text);
    text
}

/// `2 * <a, 1>, <b, 2>`; black tokens are their number.
pub(crate) fn bag(program: &Program, bag: &Bag) -> String {
    if let [(Value::Token, count)] = bag.tokens() {
        return count.to_string();
    }
    if bag.is_empty() {
        return "nothing".to_owned();
    }
    tokens(program, bag).join(", ")
}

/// One line for each different token.
pub(crate) fn tokens(program: &Program, bag: &Bag) -> Vec<String> {
    let line = |(token, count): &(Value, u32)| match count {
        1 => value(program, token),
        count => format!("{count} * {}", value(program, token)),
    };
    bag.tokens().iter().map(line).collect()
}

fn write(program: &Program, value: &Value, text: &mut String) {
    match value {
        Value::Token => text.push('•'),
        Value::Bool(truth) => text.push_str(if *truth { "true" } else { "false" }),
        Value::Int(number) => write!(text, "{number}").expect("a string takes everything"),
        Value::Member(enumeration, member) => {
            text.push_str(&program.enumerations[enumeration.0 as usize].members[*member as usize]);
        }
        Value::Class(net) => text.push_str(&program.nets[net.0 as usize].name),
        Value::Record(fields) => list(program, fields, ("<", ">"), text),
        Value::Set(members) => list(program, members, ("{", "}"), text),
        Value::Agent(agent) => write_agent(program, agent.net, &agent.arguments, text),
    }
}

fn write_agent(program: &Program, net: crate::value::NetId, arguments: &[Value], text: &mut String) {
    text.push_str(&program.nets[net.0 as usize].name);
    if !arguments.is_empty() {
        list(program, arguments, ("(", ")"), text);
    }
}

fn list(program: &Program, values: &[Value], (open, close): (&str, &str), text: &mut String) {
    text.push_str(open);
    for (at, value) in values.iter().enumerate() {
        if at > 0 {
            text.push_str(", ");
        }
        write(program, value, text);
    }
    text.push_str(close);
}

//! A skill process that behaves as the model says: it answers each cycle with what the modelled chances come to.

use std::io::{Read, Write};

use motet_engine::{Random, Seed};
use motet_model::{Order, World};
use serde_json::json;

use crate::lines::{Line, Lines};
use crate::protocol::{PROTOCOL, Told, line, news_text, told};

/// How the service of a world ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorldEnd {
    /// The agents said bye, or closed the conversation.
    Bye,
    /// The model cannot say what comes next.
    Fault(String),
    /// The agents speak another version of the protocol.
    Foreign(String),
}

/// Serves a world to agents until they end it. The same seed and the same orders make the same answers.
pub fn serve(world: &mut dyn World, input: impl Read, mut output: impl Write, seed: u64) -> WorldEnd {
    let mut random = Random::new(Seed { series: seed, run: 0 });
    let mut draw = || random.draw();
    let mut orders: Vec<Order> = Vec::new();
    for heard in Lines::new(input) {
        let text = match heard {
            Line::Text(text) => told(&text),
            Line::TooLong(_) | Line::NotText(_) => {
                say(&mut output, &[json!({ "log": "a line that cannot be read was left out" })]);
                continue;
            }
        };
        match text {
            Ok(Told::Hello(version)) if version == PROTOCOL => {
                say(&mut output, &[json!({ "ready": "modelled world" })]);
            }
            Ok(Told::Hello(version)) => return WorldEnd::Foreign(version),
            Ok(Told::Order(order)) => orders.push(order),
            Ok(Told::Tick(cycle, beliefs)) => {
                let news = match world.tick(&beliefs, &std::mem::take(&mut orders), &mut draw) {
                    Ok(news) => news,
                    Err(fault) => {
                        say(&mut output, &[json!({ "log": fault.message })]);
                        return WorldEnd::Fault(fault.message);
                    }
                };
                let mut page: String = news.iter().map(|news| line(&news_text(news))).collect();
                page.push_str(&line(&json!({ "done": cycle })));
                if output.write_all(page.as_bytes()).and_then(|()| output.flush()).is_err() {
                    return WorldEnd::Bye;
                }
            }
            Ok(Told::Bye(_)) => return WorldEnd::Bye,
            Err(nonsense) => say(&mut output, &[json!({ "log": nonsense.text })]),
        }
    }
    WorldEnd::Bye
}

/// That nobody listens any more is noticed by the end of the input.
fn say(output: &mut impl Write, messages: &[serde_json::Value]) {
    let page: String = messages.iter().map(line).collect();
    let _ = output.write_all(page.as_bytes()).and_then(|()| output.flush());
}

//! How a program is spelled. Brackets stand only where they are needed, what fits on a line stands on one.

use crate::expr::{Access, Binary, Connective, Expr, Message, Place, Unary};
use crate::promela::names::tame;
use crate::promela::{Branch, Channel, Define, Guard, Item, Meaning, Program, Statement, Variable};

/// A block that is longer gets lines of its own.
const WIDTH: usize = 100;

/// How strongly operators bind, by Spin's grammar. What stands alone binds most.
const ALONE: u8 = 12;
const TURNED: u8 = 11;

pub(super) fn program(program: &Program) -> String {
    let mut printer = Printer::default();
    program.items.iter().for_each(|one| printer.item(one));
    printer.out
}

pub(super) fn expr(expr: &Expr) -> String {
    let mut out = String::new();
    show(expr, 0, &mut out);
    out
}

fn binds(operator: Binary) -> u8 {
    match operator {
        Binary::BitOr => 3,
        Binary::BitXor => 4,
        Binary::BitAnd => 5,
        Binary::Equal | Binary::NotEqual => 6,
        Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => 7,
        Binary::ShiftLeft | Binary::ShiftRight => 8,
        Binary::Add | Binary::Subtract => 9,
        Binary::Multiply | Binary::Divide | Binary::Remainder => 10,
    }
}

fn sign(operator: Binary) -> &'static str {
    match operator {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "%",
        Binary::ShiftLeft => "<<",
        Binary::ShiftRight => ">>",
        Binary::BitAnd => "&",
        Binary::BitXor => "^",
        Binary::BitOr => "|",
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterEqual => ">=",
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
    }
}

/// Brackets around what binds less than is needed.
fn bracketed(open: bool, out: &mut String, inner: impl FnOnce(&mut String)) {
    if open {
        out.push('(');
    }
    inner(out);
    if open {
        out.push(')');
    }
}

fn show(expr: &Expr, needed: u8, out: &mut String) {
    match expr {
        Expr::Truth(truth) => out.push(if *truth { '1' } else { '0' }),
        // Two signs in a row would be another one.
        Expr::Number(number) => {
            bracketed(*number < 0 && needed > 0, out, |out| out.push_str(&number.to_string()));
        }
        Expr::Named(name, _) => out.push_str(name),
        Expr::Read(place) => show_place(place, out),
        // Whatever is put in its place has to stay together.
        Expr::Parameter(name) => bracketed(true, out, |out| out.push_str(name)),
        Expr::Unary(operator, of) => bracketed(needed > TURNED, out, |out| {
            out.push(match operator {
                Unary::Not => '!',
                Unary::Negative => '-',
                Unary::Complement => '~',
            });
            show(of, ALONE, out);
        }),
        Expr::Binary(operator, left, right) => {
            let own = binds(*operator);
            bracketed(needed > own, out, |out| {
                // Comparisons in a row mean something else to people.
                show(left, if operator.compares() { own + 1 } else { own }, out);
                out.push(' ');
                out.push_str(sign(*operator));
                out.push(' ');
                show(right, own + 1, out);
            });
        }
        Expr::Join(connective, parts) => {
            let (own, sign) = match connective {
                Connective::Any => (1, " || "),
                Connective::All => (2, " && "),
            };
            bracketed(needed > own, out, |out| {
                for (number, part) in parts.iter().enumerate() {
                    if number > 0 {
                        out.push_str(sign);
                    }
                    show(part, own, out);
                }
            });
        }
        Expr::Choose(parts) => {
            out.push('(');
            show(&parts.0, 1, out);
            out.push_str(" -> ");
            show(&parts.1, 1, out);
            out.push_str(" : ");
            show(&parts.2, 1, out);
            out.push(')');
        }
        Expr::Holds(message) => show_message(message, out),
        Expr::Call(name, arguments) => {
            out.push_str(name);
            if !arguments.is_empty() {
                out.push('(');
                show_list(arguments, out);
                out.push(')');
            }
        }
    }
}

/// `e[0]??[ADD_GOAL,_,p_go]`: fields without brackets, for a poll takes constants only.
fn show_message(message: &Message, out: &mut String) {
    show_place(&message.queue, out);
    out.push_str(if message.anywhere { "??[" } else { "?[" });
    for (number, field) in message.fields.iter().enumerate() {
        if number > 0 {
            out.push(',');
        }
        match field {
            Some(field) => show(field, 0, out),
            None => out.push('_'),
        }
    }
    out.push(']');
}

fn show_list(exprs: &[Expr], out: &mut String) {
    for (number, one) in exprs.iter().enumerate() {
        if number > 0 {
            out.push_str(", ");
        }
        show(one, 0, out);
    }
}

fn show_place(place: &Place, out: &mut String) {
    out.push_str(place.name());
    for access in place.way() {
        match access {
            Access::Index(index) => {
                out.push('[');
                show(index, 0, out);
                out.push(']');
            }
            Access::Field(name) => {
                out.push('.');
                out.push_str(name);
            }
        }
    }
}

fn place(place: &Place) -> String {
    let mut out = String::new();
    show_place(place, &mut out);
    out
}

fn list(exprs: &[Expr]) -> String {
    let mut out = String::new();
    show_list(exprs, &mut out);
    out
}

/// A statement that is one line anyway; `None` for blocks and remarks.
fn simple(statement: &Statement) -> Option<String> {
    Some(match statement {
        Statement::Skip => "skip".to_owned(),
        Statement::Break => "break".to_owned(),
        Statement::Wait(condition) => expr(condition),
        Statement::Assign(to, value) => format!("{} = {}", place(to), expr(value)),
        Statement::Goto(label) => format!("goto {label}"),
        Statement::Assert(condition) => format!("assert({})", expr(condition)),
        Statement::Check(flag, condition) => format!("CHECK({}, {})", place(flag), expr(condition)),
        Statement::Print(format, values) if values.is_empty() => format!("printf(\"{format}\")"),
        Statement::Print(format, values) => format!("printf(\"{format}\", {})", list(values)),
        Statement::Select(to, low, high) => {
            format!("select({} : {} .. {})", place(to), expr(low), expr(high))
        }
        Statement::Call(name, given) if given.is_empty() => name.clone(),
        Statement::Call(name, given) => format!("{name}({})", list(given)),
        Statement::Inline(name, given) => format!("{name}({})", list(given)),
        Statement::Run(process) => format!("run {process}()"),
        Statement::Send(queue, message) => format!("{}!{}", place(queue), list(message)),
        Statement::Receive(queue, message) => {
            let message: Vec<String> = message.iter().map(place).collect();
            format!("{}?{}", place(queue), message.join(","))
        }
        Statement::If(_)
        | Statement::Do(_)
        | Statement::Atomic(_)
        | Statement::Step(_)
        | Statement::Label(_)
        | Statement::Remark(_) => return None,
    })
}

/// A statement on one line with at most so many letters; `None` if it does not fit or has remarks or labels.
fn flat(statement: &Statement, room: usize) -> Option<String> {
    let text = match statement {
        Statement::If(branches) => format!("if{} fi", flat_branches(branches, room)?),
        Statement::Do(branches) => format!("do{} od", flat_branches(branches, room)?),
        Statement::Atomic(body) => format!("atomic {{ {} }}", flat_body(body, room)?),
        Statement::Step(body) => format!("d_step {{ {} }}", flat_body(body, room)?),
        other => simple(other)?,
    };
    (text.len() <= room).then_some(text)
}

fn flat_branches(branches: &[Branch], room: usize) -> Option<String> {
    let mut out = String::new();
    for branch in branches {
        let before = out.len();
        if branch.title.is_some() || before > room {
            return None;
        }
        out.push_str(&head(branch));
        if !branch.body.is_empty() {
            out.push_str(&flat_body(&branch.body, room - before)?);
        }
        out.truncate(out.trim_end().len());
    }
    Some(out)
}

/// ` :: condition -> `, ` :: ` or ` :: else`: what stands before the statements of a branch.
fn head(branch: &Branch) -> String {
    let arrow = if branch.body.is_empty() { "" } else { " -> " };
    match &branch.guard {
        Guard::When(condition) => format!(" :: {}{arrow}", expr(condition)),
        Guard::Open => " :: ".to_owned(),
        Guard::Else => format!(" :: else{arrow}"),
    }
}

fn flat_body(body: &[Statement], room: usize) -> Option<String> {
    let mut out = String::new();
    for (number, statement) in body.iter().enumerate() {
        if number > 0 {
            out.push_str(if is_guard(body, number - 1) { " -> " } else { "; " });
        }
        out.push_str(&flat(statement, room.checked_sub(out.len())?)?);
    }
    Some(out)
}

/// Whether a statement is the condition of those after it.
fn is_guard(body: &[Statement], number: usize) -> bool {
    number == 0 && matches!(body[0], Statement::Wait(_))
}

/// A text in the making.
#[derive(Default)]
struct Printer {
    out: String,
    depth: usize,
    /// What stands before the next line.
    before: &'static str,
}

impl Printer {
    fn line(&mut self, line: &str) {
        self.out.extend(std::iter::repeat_n("  ", self.depth));
        self.out.push_str(std::mem::take(&mut self.before));
        self.out.push_str(line);
        self.out.push('\n');
    }

    fn deeper(&mut self, inner: impl FnOnce(&mut Self)) {
        self.depth += 1;
        inner(self);
        self.depth -= 1;
    }

    fn remark(&mut self, text: &str) {
        self.line(&format!("/* {} */", tame(text)));
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Remark(text) => self.remark(text),
            Item::Gap => self.out.push('\n'),
            Item::Define(define) => self.define(define),
            Item::Variable(one) => self.line(&format!("{};", variable(one))),
            Item::Record(name, fields) => {
                let fields: Vec<String> = fields.iter().map(variable).collect();
                let line = format!("typedef {name} {{ {} }};", fields.join("; "));
                if line.len() <= WIDTH {
                    return self.line(&line);
                }
                self.line(&format!("typedef {name} {{"));
                self.deeper(|inner| fields.iter().for_each(|field| inner.line(&format!("{field};"))));
                self.line("};");
            }
            Item::Channel(one) => self.line(&channel(one)),
            Item::Inline { name, parameters, body } => {
                self.braces(&format!("inline {name}({})", parameters.join(", ")), body, "");
            }
            Item::Process { name, active, body } => {
                let active = if *active { "active " } else { "" };
                self.braces(&format!("{active}proctype {name}()"), body, "");
            }
            Item::Init(body) => self.braces("init", body, ""),
            Item::Claim(name, formula) => self.line(&format!("ltl {name} {{ {formula} }}")),
        }
    }

    fn define(&mut self, define: &Define) {
        let parameters = if define.parameters.is_empty() {
            String::new()
        } else {
            format!("({})", define.parameters.join(", "))
        };
        let body = match &define.body {
            Meaning::Expr(expr) => {
                let mut body = String::new();
                show(expr, ALONE, &mut body);
                body
            }
            // Remarks and labels have no place on one line; none of ours has any.
            Meaning::Statements(body) => flat_body(body, usize::MAX).unwrap_or_default(),
        };
        self.line(&format!("#define {}{parameters} {body}", define.name));
    }

    fn braces(&mut self, head: &str, body: &[Statement], stop: &str) {
        self.line(&format!("{head} {{"));
        self.deeper(|inner| inner.body(body, ""));
        self.line(&format!("}}{stop}"));
    }

    /// Statements line by line; `stop` stands behind the last.
    fn body(&mut self, body: &[Statement], stop: &str) {
        let last = body.iter().rposition(|one| !matches!(one, Statement::Remark(_)));
        for (number, statement) in body.iter().enumerate() {
            let stop = if Some(number) >= last { stop } else { ";" };
            let stop = if is_guard(body, number) && Some(number) < last { " ->" } else { stop };
            self.statement(statement, stop);
        }
    }

    fn statement(&mut self, statement: &Statement, stop: &str) {
        if let Some(text) = simple(statement).or_else(|| flat(statement, WIDTH)) {
            return self.line(&format!("{text}{stop}"));
        }
        match statement {
            Statement::If(branches) => self.branches("if", branches, &format!("fi{stop}")),
            Statement::Do(branches) => self.branches("do", branches, &format!("od{stop}")),
            Statement::Atomic(body) => self.braces("atomic", body, stop),
            Statement::Step(body) => self.braces("d_step", body, stop),
            // It stands out to the left, and something has to stand behind it.
            Statement::Label(name) => self.out.push_str(&format!("{name}:\n")),
            Statement::Remark(text) => self.remark(text),
            _ => {}
        }
    }

    fn branches(&mut self, open: &str, branches: &[Branch], close: &str) {
        self.line(open);
        for branch in branches {
            if let Some(title) = &branch.title {
                self.remark(title);
            }
            let head = head(branch);
            let head = head.trim();
            match flat_body(&branch.body, WIDTH) {
                _ if branch.body.is_empty() => self.line(head),
                Some(body) => self.line(&format!("{head} {body}")),
                None if branch.guard == Guard::Open && branch.body.len() == 1 => {
                    self.before = ":: ";
                    self.body(&branch.body, "");
                }
                None => {
                    self.line(head);
                    self.deeper(|inner| inner.body(&branch.body, ""));
                }
            }
        }
        self.line(close);
    }
}

fn variable(variable: &Variable) -> String {
    let hidden = if variable.hidden { "hidden " } else { "" };
    let room = variable.room.as_ref().map_or(String::new(), |room| format!("[{}]", expr(room)));
    let start = variable.start.as_ref().map_or(String::new(), |start| format!(" = {}", expr(start)));
    format!("{hidden}{} {}{room}{start}", variable.kind, variable.name)
}

fn channel(channel: &Channel) -> String {
    let room = channel.room.as_ref().map_or(String::new(), |room| format!("[{}]", expr(room)));
    format!(
        "chan {}{room} = [{}] of {{ {} }};",
        channel.name,
        expr(&channel.messages),
        channel.fields.join(", ")
    )
}

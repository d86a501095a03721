//! Orders as text: one line a level, the top level first.
//!
//! The variables of a merged block stand on one line, separated by spaces. A name with spaces,
//! quotes, backslashes or `#` in it is quoted, with the escapes `\"`, `\\`, `\n`, `\r`; `#` starts
//! a comment. What is read may merge other variables than the model's facts allow: the text says
//! which blocks it means, the caller that loads it checks that they may be merged.

use super::{Blocks, Order};
use rustc_hash::FxHashMap;
use std::fmt;
use symbolon_model::{Model, VariableId};

/// What a text of an order says: its blocks, and how they are ordered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderFile {
    /// The blocks, in the normal form of [`Blocks`].
    pub blocks: Blocks,
    /// Their order, top first.
    pub order: Order,
    /// The line of each block, as in `blocks`.
    pub lines: Vec<u32>,
}

/// All that is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderFileError {
    /// At least one problem, by line; variables that are missing come last.
    pub problems: Vec<OrderFileProblem>,
}

/// One thing that is wrong with a text. Lines and columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderFileProblem {
    /// A quoted name does not end on its line, or contains a wrong escape.
    BadQuote {
        /// Where.
        line: u32,
        /// Where in the line the quoted name starts.
        column: u32,
    },
    /// The model has no such variable.
    UnknownVariable {
        /// Where.
        line: u32,
        /// Where in the line.
        column: u32,
        /// What was written.
        name: String,
        /// The variable that was perhaps meant.
        did_you_mean: Option<String>,
    },
    /// A variable was named before.
    DuplicateVariable {
        /// Where.
        line: u32,
        /// Where in the line.
        column: u32,
        /// The variable.
        name: String,
        /// The line that named it first.
        first_line: u32,
    },
    /// Variables of the model that the text does not name.
    MissingVariables {
        /// The first few of them.
        names: Vec<String>,
        /// How many there are.
        count: usize,
    },
}

impl OrderFileProblem {
    /// The line it concerns, if it concerns one.
    pub fn line(&self) -> Option<u32> {
        match self {
            OrderFileProblem::BadQuote { line, .. }
            | OrderFileProblem::UnknownVariable { line, .. }
            | OrderFileProblem::DuplicateVariable { line, .. } => Some(*line),
            OrderFileProblem::MissingVariables { .. } => None,
        }
    }

    /// Where in the line, if it concerns one.
    pub fn column(&self) -> Option<u32> {
        match self {
            OrderFileProblem::BadQuote { column, .. }
            | OrderFileProblem::UnknownVariable { column, .. }
            | OrderFileProblem::DuplicateVariable { column, .. } => Some(*column),
            OrderFileProblem::MissingVariables { .. } => None,
        }
    }
}

impl fmt::Display for OrderFileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OrderFileProblem::BadQuote { .. } => {
                write!(
                    f,
                    "a quoted name must end with `\"` on its line and may escape only `\\\"`, `\\\\`, `\\n` and `\\r`"
                )
            }
            OrderFileProblem::UnknownVariable { name, did_you_mean, .. } => {
                write!(f, "the model has no variable `{name}`")?;
                match did_you_mean {
                    Some(known) => write!(f, "; did you mean `{known}`?"),
                    None => Ok(()),
                }
            }
            OrderFileProblem::DuplicateVariable { name, first_line, .. } => {
                write!(f, "`{name}` was already placed in line {first_line}")
            }
            OrderFileProblem::MissingVariables { names, count } => {
                write!(f, "no line names `{}`", names.join("`, `"))?;
                match count - names.len() {
                    0 => Ok(()),
                    more => write!(f, " and {more} more variables"),
                }
            }
        }
    }
}

impl fmt::Display for OrderFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                writeln!(f)?;
            }
            if let Some(line) = problem.line() {
                write!(f, "line {line}: ")?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for OrderFileError {}

/// How many missing variables are named.
const MOST_MISSING_NAMED: usize = 5;

/// Hints are not looked for beyond this number of unknown names: each costs a pass over the model.
const MOST_HINTS: usize = 20;

/// The text of `order`.
pub fn save(model: &Model, blocks: &Blocks, order: &Order) -> String {
    let mut text = String::new();
    for &block in &order.blocks {
        for (index, variable) in blocks.block(block).iter().enumerate() {
            if index > 0 {
                text.push(' ');
            }
            write_name(&mut text, &model.variables[variable.index()].name);
        }
        text.push('\n');
    }
    text
}

fn write_name(text: &mut String, name: &str) {
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '"' | '\\' | '#');
    if !name.is_empty() && name.chars().all(is_plain) {
        text.push_str(name);
        return;
    }
    text.push('"');
    for c in name.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            _ => text.push(c),
        }
    }
    text.push('"');
}

/// The order that `text` describes, or everything that is wrong with it.
pub fn load(model: &Model, text: &str) -> Result<OrderFile, OrderFileError> {
    let known: FxHashMap<&str, VariableId> =
        model.variable_ids().map(|id| (&*model.variables[id.index()].name, id)).collect();
    let mut problems = Vec::new();
    let mut first_lines = vec![0_u32; model.variables.len()];
    let mut top_down: Vec<(Vec<VariableId>, u32)> = Vec::new();
    let mut hints = 0;
    let mut quote_failed = false;
    for (line_text, line) in text.lines().zip(1_u32..) {
        let mut block = Vec::new();
        for token in tokens(line_text) {
            let (column, name) = match token {
                Ok(token) => token,
                Err(column) => {
                    problems.push(OrderFileProblem::BadQuote { line, column });
                    quote_failed = true;
                    break;
                }
            };
            match known.get(&*name) {
                Some(&variable) => {
                    let first_line = &mut first_lines[variable.index()];
                    if *first_line == 0 {
                        *first_line = line;
                        block.push(variable);
                    } else {
                        let first_line = *first_line;
                        problems.push(OrderFileProblem::DuplicateVariable { line, column, name, first_line });
                    }
                }
                None => {
                    hints += 1;
                    let did_you_mean = if hints <= MOST_HINTS { closest(model, &name) } else { None };
                    problems.push(OrderFileProblem::UnknownVariable { line, column, name, did_you_mean });
                }
            }
        }
        if !block.is_empty() {
            block.sort_unstable();
            top_down.push((block, line));
        }
    }
    let missing: Vec<VariableId> = model.variable_ids().filter(|id| first_lines[id.index()] == 0).collect();
    // After a broken quote the rest of its line was not read: what is missing may stand there.
    if !missing.is_empty() && !quote_failed {
        let names = missing.iter().take(MOST_MISSING_NAMED);
        problems.push(OrderFileProblem::MissingVariables {
            names: names.map(|id| model.variables[id.index()].name.clone()).collect(),
            count: missing.len(),
        });
    }
    if !problems.is_empty() {
        return Err(OrderFileError { problems });
    }
    let mut sorted: Vec<usize> = (0..top_down.len()).collect();
    sorted.sort_unstable_by(|&a, &b| top_down[a].cmp(&top_down[b]));
    let mut order = Order { blocks: vec![0; top_down.len()] };
    for (block, &place) in sorted.iter().enumerate() {
        order.blocks[place] = block as u32;
    }
    top_down.sort_unstable();
    let blocks = Blocks::from_lists(top_down.iter().map(|(block, _)| block));
    Ok(OrderFile { blocks, order, lines: top_down.into_iter().map(|(_, line)| line).collect() })
}

/// The names of a line with the columns where they start; a broken quote ends the line.
fn tokens(line: &str) -> impl Iterator<Item = Result<(u32, String), u32>> + '_ {
    let mut characters = line.chars().zip(1_u32..).peekable();
    std::iter::from_fn(move || {
        while characters.next_if(|(c, _)| c.is_whitespace()).is_some() {}
        let &(first, column) = characters.peek()?;
        if first == '#' {
            return None;
        }
        let mut name = String::new();
        if first != '"' {
            while let Some((c, _)) = characters.next_if(|&(c, _)| !c.is_whitespace() && c != '#' && c != '"')
            {
                name.push(c);
            }
            return Some(Ok((column, name)));
        }
        characters.next();
        loop {
            match characters.next() {
                Some(('"', _)) => return Some(Ok((column, name))),
                Some(('\\', _)) => match characters.next() {
                    Some((c @ ('"' | '\\'), _)) => name.push(c),
                    Some(('n', _)) => name.push('\n'),
                    Some(('r', _)) => name.push('\r'),
                    _ => return Some(Err(column)),
                },
                Some((c, _)) => name.push(c),
                None => return Some(Err(column)),
            }
        }
    })
}

/// The variable whose name is nearest to `name`, if it is near enough to be meant.
fn closest(model: &Model, name: &str) -> Option<String> {
    let wanted: Vec<char> = name.chars().collect();
    let allowed = (wanted.len() / 3).clamp(1, 4);
    let mut best: Option<(usize, &str)> = None;
    for variable in &model.variables {
        let limit = best.map_or(allowed + 1, |(distance, _)| distance);
        if let Some(distance) = distance_below(&wanted, &variable.name, limit) {
            best = Some((distance, &variable.name));
        }
    }
    best.map(|(_, name)| name.to_owned())
}

/// The edit distance between `wanted` and `name` without regard to case, if it is below `limit`.
fn distance_below(wanted: &[char], name: &str, limit: usize) -> Option<usize> {
    let length = name.chars().count();
    if length.abs_diff(wanted.len()) >= limit {
        return None;
    }
    let mut row: Vec<usize> = (0..=wanted.len()).collect();
    for (index, c) in name.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (place, w) in wanted.iter().enumerate() {
            let cost = diagonal + usize::from(!w.to_lowercase().eq(c.to_lowercase()));
            diagonal = row[place + 1];
            row[place + 1] = cost.min(diagonal + 1).min(row[place] + 1);
        }
    }
    let distance = row[wanted.len()];
    (distance < limit).then_some(distance)
}

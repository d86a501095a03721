//! A page in Markdown, as far as running it goes.
//!
//! Two kinds of fenced blocks matter. `console` holds commands behind `$ ` (continued behind `> `),
//! each followed by what it prints; `console,needs=PROGRAM` is skipped where that program is not
//! installed. A block whose info string says `file=NAME` is a file that the
//! commands after it find in their folder.

/// What a page does, from top to bottom.
pub(crate) struct Page {
    lines: Vec<String>,
    pub(crate) blocks: Vec<Block>,
    /// For each command, the lines of the page that hold its output.
    outputs: Vec<std::ops::Range<usize>>,
}

/// A file to write or a command to run.
pub(crate) enum Block {
    /// A file.
    File {
        /// Its name.
        name: String,
        /// What stands in it.
        text: String,
    },
    /// A command.
    Command {
        /// What is typed.
        line: String,
        /// What the page says it prints.
        output: String,
        /// Where it stands, counted from 1.
        number: usize,
    },
}

impl Page {
    /// Reads a page.
    pub(crate) fn parse(text: &str) -> Result<Page, String> {
        let lines: Vec<String> = text.lines().map(str::to_string).collect();
        let mut page = Page { lines: Vec::new(), blocks: Vec::new(), outputs: Vec::new() };
        let mut position = 0;
        while position < lines.len() {
            let Some(info) = lines[position].strip_prefix("```") else {
                position += 1;
                continue;
            };
            let start = position + 1;
            let end = (start..lines.len())
                .find(|&line| lines[line].trim_end() == "```")
                .ok_or(format!("the block that begins in line {start} has no end"))?;
            let name = info.split([',', ' ']).find_map(|word| word.strip_prefix("file="));
            if let Some(name) = name {
                let text = lines[start..end].iter().map(|line| format!("{line}\n")).collect();
                page.blocks.push(Block::File { name: name.to_string(), text });
            } else if info.split(',').next().map(str::trim) == Some("console") {
                let needs = info.split([',', ' ']).find_map(|word| word.strip_prefix("needs="));
                // What needs a program that is not there stays as it is.
                if needs.is_none_or(super::is_installed) {
                    page.add_commands(&lines, start..end)?;
                }
            }
            position = end + 1;
        }
        page.lines = lines;
        Ok(page)
    }

    fn add_commands(&mut self, lines: &[String], block: std::ops::Range<usize>) -> Result<(), String> {
        let mut position = block.start;
        while position < block.end {
            let number = position + 1;
            let first = lines[position].strip_prefix("$ ");
            let mut line = first.ok_or(format!("line {number} is no command: '$ ' expected"))?.to_string();
            position += 1;
            while let Some(more) = lines[position].strip_prefix("> ").filter(|_| position < block.end) {
                line = format!("{line}\n{more}");
                position += 1;
            }
            let start = position;
            while position < block.end && !lines[position].starts_with("$ ") {
                position += 1;
            }
            let output = lines[start..position].iter().map(|line| format!("{line}\n")).collect();
            self.blocks.push(Block::Command { line, output, number });
            self.outputs.push(start..position);
        }
        Ok(())
    }

    /// The page with other outputs. What changes from run to run stays blotted out.
    pub(crate) fn with_outputs(&self, outputs: &[String]) -> String {
        let mut text = String::new();
        let mut position = 0;
        let mut copy_until = |end: usize, text: &mut String| {
            self.lines[position..end].iter().for_each(|line| *text += &format!("{line}\n"));
            position = end;
        };
        for (range, found) in self.outputs.iter().zip(outputs) {
            copy_until(range.start, &mut text);
            let expected: String = self.lines[range.clone()].iter().map(|line| format!("{line}\n")).collect();
            if super::compare::matches(&expected, found) {
                copy_until(range.end, &mut text);
            } else {
                text += &super::compare::blotted(found);
                copy_until(range.end, &mut String::new());
            }
        }
        copy_until(self.lines.len(), &mut text);
        text
    }
}

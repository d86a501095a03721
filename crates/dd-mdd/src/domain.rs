//! What the numbers at a level stand for.
//!
//! Nodes speak of *codes*: 32-bit numbers that index windows. Mostly a code is the value itself.
//! Where values can be huge (a place with 2^60 tokens), codes are handed out in the order in which
//! values are met, so that windows stay narrow.

use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;

/// How codes and values of one level correspond.
#[derive(Clone, Debug, Default)]
pub enum Domain {
    /// A code is the value.
    #[default]
    Direct,
    /// Codes number the values in the order in which they were met.
    Table(Box<ValueTable>),
}

/// Values met so far, in both directions.
#[derive(Clone, Debug, Default)]
pub struct ValueTable {
    values: Vec<u64>,
    codes: FxHashMap<u64, u32>,
}

impl Domain {
    /// An empty table of values.
    pub fn table() -> Domain {
        Domain::Table(Box::default())
    }

    /// The code of a value; a table learns values it did not know.
    pub fn code(&mut self, value: u64) -> Result<u32, Interrupted> {
        match self {
            Domain::Direct => u32::try_from(value).map_err(|_| Interrupted::Overflow),
            Domain::Table(table) => {
                if let Some(&code) = table.codes.get(&value) {
                    return Ok(code);
                }
                let code = u32::try_from(table.values.len()).map_err(|_| Interrupted::Overflow)?;
                table.values.push(value);
                table.codes.insert(value, code);
                Ok(code)
            }
        }
    }

    /// The value of a code that was handed out.
    pub fn value(&self, code: u32) -> u64 {
        match self {
            Domain::Direct => u64::from(code),
            Domain::Table(table) => table.values[code as usize],
        }
    }
}

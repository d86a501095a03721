//! Values as words of nodes.
//!
//! Nodes speak of *codes* of 32 bits. A value below 2^31 is its own code; a larger one gets a number
//! in a table, in the order in which such values are met, with the highest bit set. One table serves the
//! whole manager, so that equal values have equal codes wherever they stand, and equal parts at
//! different places stay one node.

use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;

/// The bit that says that a code is a number in the table.
const IN_TABLE: u32 = 1 << 31;

/// Large values met so far, in both directions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    large: Vec<u64>,
    codes: FxHashMap<u64, u32>,
}

impl Values {
    /// The code of a value; a large value that was not known gets one.
    #[inline]
    pub(crate) fn code(&mut self, value: u64) -> Result<u32, Interrupted> {
        if value < u64::from(IN_TABLE) { Ok(value as u32) } else { self.code_of_large(value) }
    }

    /// The code of a value, if some node may speak of it.
    pub(crate) fn known_code(&self, value: u64) -> Option<u32> {
        if value < u64::from(IN_TABLE) { Some(value as u32) } else { self.codes.get(&value).copied() }
    }

    #[cold]
    fn code_of_large(&mut self, value: u64) -> Result<u32, Interrupted> {
        if value > i64::MAX as u64 {
            return Err(Interrupted::Overflow);
        }
        if let Some(&code) = self.codes.get(&value) {
            return Ok(code);
        }
        let number = u32::try_from(self.large.len()).map_err(|_| Interrupted::Overflow)?;
        if number >= IN_TABLE - 1 {
            return Err(Interrupted::Overflow);
        }
        self.large.push(value);
        self.codes.insert(value, IN_TABLE | number);
        Ok(IN_TABLE | number)
    }

    /// The value of a code that was handed out.
    #[inline]
    pub(crate) fn value(&self, code: u32) -> u64 {
        if code & IN_TABLE == 0 { u64::from(code) } else { self.large[(code & !IN_TABLE) as usize] }
    }
}

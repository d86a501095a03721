//! Values as words of nodes.
//!
//! Nodes speak of *codes* of 32 bits. A value below 2^31 is its own code; a larger one gets a
//! number in a table, in the order in which such values are met, with the highest bit set. One
//! table serves the whole manager, so that equal values have equal codes wherever they stand, and
//! equal parts at different places stay one node.
//!
//! A step may lead to a value that cannot be held. Whether it is taken at all may be decided by
//! another part of the state, which is looked at later. So such a value has a code, too, the same
//! for all of them ([`BEYOND`]): no step leads on from there, and an operation whose answer still
//! has it fails ([`crate::Hierarchy::without_beyond`]).

use rustc_hash::FxHashMap;
use symbolon_budget::Interrupted;

/// The bit that says that a code is a number in the table.
const IN_TABLE: u32 = 1 << 31;

/// The value that stands for all values that cannot be held.
pub(crate) const BEYOND: u64 = u64::MAX;

/// Large values met so far, in both directions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    large: Vec<u64>,
    /// The code of [`BEYOND`], once it was met.
    beyond: Option<u32>,
    codes: FxHashMap<u64, u32>,
}

impl Values {
    /// The code of a value; a large value that was not known gets one.
    #[inline]
    pub(crate) fn code(&mut self, value: u64) -> Result<u32, Interrupted> {
        if value < u64::from(IN_TABLE) { Ok(value as u32) } else { self.code_of_large(value) }
    }

    /// The code of what a step makes of a value, which may be more than can be held.
    #[inline]
    pub(crate) fn code_of_step(&mut self, value: Option<u64>) -> Result<u32, Interrupted> {
        match value {
            Some(value) if value <= i64::MAX as u64 => self.code(value),
            _ => self.code_of_beyond(),
        }
    }

    #[cold]
    fn code_of_beyond(&mut self) -> Result<u32, Interrupted> {
        match self.beyond {
            Some(code) => Ok(code),
            None => {
                let code = self.push_large(BEYOND)?;
                self.beyond = Some(code);
                Ok(code)
            }
        }
    }

    /// The code of values that cannot be held, if a step led to one.
    pub(crate) fn beyond(&self) -> Option<u32> {
        self.beyond
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
        let code = self.push_large(value)?;
        self.codes.insert(value, code);
        Ok(code)
    }

    fn push_large(&mut self, value: u64) -> Result<u32, Interrupted> {
        let number = u32::try_from(self.large.len()).map_err(|_| Interrupted::Overflow)?;
        if number >= IN_TABLE - 1 {
            return Err(Interrupted::Overflow);
        }
        self.large.push(value);
        Ok(IN_TABLE | number)
    }

    /// The value of a code that was handed out.
    #[inline]
    pub(crate) fn value(&self, code: u32) -> u64 {
        if code & IN_TABLE == 0 { u64::from(code) } else { self.large[(code & !IN_TABLE) as usize] }
    }
}

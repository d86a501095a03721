//! Writing coloured nets: PNML that our reader reads back to an equal net.

mod pnml;

pub use pnml::write_pnml;

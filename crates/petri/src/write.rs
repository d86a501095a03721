//! Writing nets: PNML that our reader reads back to an equal net, and the same net in another order.

mod pnml;
mod shuffle;

pub use pnml::write_pnml;

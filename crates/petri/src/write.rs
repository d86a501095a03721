//! Writing nets: PNML that our reader reads back to an equal net, `.ll_net`, and the same net in
//! another order.

mod ll_net;
mod pnml;
mod shuffle;
pub mod xml_text;

pub use ll_net::{Inexpressible, LlNetText, write_ll_net};
pub use pnml::{write_pnml, write_pnml_to};

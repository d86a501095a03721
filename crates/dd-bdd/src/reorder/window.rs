//! Window permutation: neighbouring groups try all orders among themselves.

use super::swap::Moving;
use crate::bdd::Bdd;
use symbolon_budget::Interrupted;

impl Bdd {
    /// One pass from the lowest window up.
    pub(super) fn permute_windows(&mut self, moving: &mut Moving, width: usize) -> Result<(), Interrupted> {
        assert!(width == 2 || width == 3, "windows have two or three groups");
        let mut blocks = self.blocks();
        // Exchanging at these places in turn meets every permutation once, and the last exchange
        // would close the circle.
        let way: &[usize] = if width == 2 { &[0] } else { &[0, 1, 0, 1, 0] };
        for base in 0..(blocks.len() + 1).saturating_sub(width) {
            let mut best = (self.store.live(), 0);
            for (done, place) in way.iter().enumerate() {
                self.swap_blocks(moving, &mut blocks, base + place)?;
                if self.store.live() < best.0 {
                    best = (self.store.live(), done + 1);
                }
            }
            for place in way[best.1..].iter().rev() {
                self.swap_blocks(moving, &mut blocks, base + place)?;
            }
        }
        Ok(())
    }
}

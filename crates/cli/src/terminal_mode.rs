//! The mode of the terminal, which a line editor changes while it reads: kept when editing begins,
//! and put back before anything else is printed, however the process ends.

use std::sync::{Mutex, PoisonError};

/// A mode that was kept.
#[derive(Default)]
pub(crate) struct KeptMode {
    #[cfg(unix)]
    mode: Mutex<Option<nix::sys::termios::Termios>>,
    #[cfg(not(unix))]
    mode: Mutex<Option<()>>,
}

impl KeptMode {
    /// Keeps the present mode of standard input, if that is a terminal.
    pub(crate) fn keep(&self) {
        #[cfg(unix)]
        {
            let mode = nix::sys::termios::tcgetattr(std::io::stdin()).ok();
            *self.mode.lock().unwrap_or_else(PoisonError::into_inner) = mode;
        }
    }

    /// Puts the mode back that was kept.
    pub(crate) fn put_back(&self) {
        let kept = self.mode.lock().unwrap_or_else(PoisonError::into_inner).take();
        #[cfg(unix)]
        if let Some(mode) = kept {
            use nix::sys::termios::{SetArg, tcsetattr};
            // A terminal that is gone has no mode.
            let _ = tcsetattr(std::io::stdin(), SetArg::TCSADRAIN, &mode);
        }
        #[cfg(not(unix))]
        let _ = kept;
    }
}

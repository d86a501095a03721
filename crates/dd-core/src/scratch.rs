//! The scratch stack of running operations, which is also their root stack.
//!
//! Operations gather the children of the node they are about to make on this stack: no allocation,
//! and whatever lies here survives a collection (K4). Every word on it is therefore a [`NodeId`].

/// A stack of node words. Plain vector methods, with names for what operations do.
#[derive(Debug, Default)]
pub struct Scratch {
    words: Vec<u32>,
}

impl Scratch {
    /// The height of the stack: where the next word will lie.
    #[inline]
    pub fn height(&self) -> usize {
        self.words.len()
    }

    /// Puts a word on top.
    #[inline]
    pub fn push(&mut self, word: u32) {
        self.words.push(word);
    }

    /// Puts `count` empty nodes on top.
    #[inline]
    pub fn push_empty(&mut self, count: usize) {
        self.words.resize(self.words.len() + count, 0);
    }

    /// Makes room for `count` empty nodes at `at`; what lies there and above moves up.
    pub fn insert_empty(&mut self, at: usize, count: usize) {
        let height = self.words.len();
        self.words.resize(height + count, 0);
        self.words.copy_within(at..height, at + count);
        self.words[at..at + count].fill(0);
    }

    /// Takes out `count` words at `at`; what lies above moves down.
    pub fn remove(&mut self, at: usize, count: usize) {
        self.words.drain(at..at + count);
    }

    /// Drops everything from `height` on.
    #[inline]
    pub fn truncate(&mut self, height: usize) {
        self.words.truncate(height);
    }

    /// The word at a height.
    #[inline]
    pub fn get(&self, height: usize) -> u32 {
        self.words[height]
    }

    /// Replaces the word at a height.
    #[inline]
    pub fn set(&mut self, height: usize, word: u32) {
        self.words[height] = word;
    }

    /// The words from a height to the top.
    #[inline]
    pub fn from(&self, height: usize) -> &[u32] {
        &self.words[height..]
    }

    /// All words, from the bottom.
    #[inline]
    pub fn all(&self) -> &[u32] {
        &self.words
    }
}

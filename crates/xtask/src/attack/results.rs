//! What attacks have counted so far, kept between calls.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use symbolon_attack::{Kind, Tally};

use crate::table::{Table, To};

/// Counts by kind of model, and where to go on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Results {
    /// The seed that was not tried yet.
    pub(super) next_seed: u64,
    /// Seconds of all calls.
    pub(super) seconds: f64,
    /// Mistakes.
    pub(super) wrong: u64,
    counts: BTreeMap<String, BTreeMap<String, u64>>,
    /// A seed of each answer that was lost, or wrong.
    examples: BTreeMap<String, u64>,
}

impl Results {
    pub(super) fn new(next_seed: u64) -> Results {
        Results { next_seed, seconds: 0.0, wrong: 0, counts: BTreeMap::new(), examples: BTreeMap::new() }
    }

    /// What an earlier call left, if there was one.
    pub(super) fn load(folder: &Path) -> Result<Option<Results>> {
        let path = folder.join("results.json");
        let Ok(text) = fs::read_to_string(&path) else { return Ok(None) };
        let results =
            serde_json::from_str(&text).with_context(|| format!("cannot understand {}", path.display()))?;
        Ok(Some(results))
    }

    pub(super) fn save(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder)?;
        // Written beside and renamed: a call that is ended in between leaves the old counts.
        let new = folder.join("results.json.new");
        fs::write(&new, serde_json::to_string_pretty(self)?)?;
        Ok(fs::rename(&new, folder.join("results.json"))?)
    }

    pub(super) fn add(&mut self, kind: Kind, seed: u64, tally: &Tally, wrong: u64) {
        let counts = self.counts.entry(kind.name().to_string()).or_default();
        for (what, count) in &tally.0 {
            *counts.entry(what.clone()).or_default() += count;
            if ["lost", "wrong", "unsupported"].iter().any(|word| what.starts_with(word)) {
                self.examples.entry(what.clone()).or_insert(seed);
            }
        }
        self.wrong += wrong;
    }

    /// One column for each kind of model, one line for each thing that was counted.
    pub(super) fn print(&self, to: To) {
        let kinds: Vec<&String> = self.counts.keys().collect();
        let mut whats: Vec<&String> = self.counts.values().flat_map(BTreeMap::keys).collect();
        // What matters first comes first.
        let first = [
            "runs",
            "verdicts",
            "holds",
            "fails",
            "witnesses",
            "claims of shortest",
            "claims compared",
            "figures",
        ];
        let rank = |what: &str| first.iter().position(|known| *known == what).unwrap_or(first.len());
        whats.sort_by_key(|what| (rank(what), what.to_string()));
        whats.dedup();
        let mut header = vec!["counted"];
        header.extend(kinds.iter().map(|kind| kind.as_str()));
        header.push("seed");
        let mut table = Table::new(1, &header);
        for what in whats {
            let count = |kind: &&String| self.counts[*kind].get(what).copied().unwrap_or(0).to_string();
            let seed = self.examples.get(what).map(u64::to_string).unwrap_or_default();
            table.push([what.clone()].into_iter().chain(kinds.iter().map(count)).chain([seed]).collect());
        }
        println!("{}", table.render(to));
        println!("{} wrong", self.wrong);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_kept_between_calls() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Results::load(folder.path()).unwrap().is_none());
        let mut results = Results::new(7);
        let tally = Tally([("runs".to_string(), 2), ("lost: timeout: why".to_string(), 1)].into());
        results.add(Kind::Nets, 7, &tally, 0);
        results.add(Kind::Nets, 8, &tally, 1);
        results.next_seed = 9;
        results.save(folder.path()).unwrap();
        let loaded = Results::load(folder.path()).unwrap().unwrap();
        assert_eq!((loaded.next_seed, loaded.wrong), (9, 1));
        assert_eq!(loaded.counts["nets"]["runs"], 4);
        // The first seed is the example.
        assert_eq!(loaded.examples["lost: timeout: why"], 7);
    }
}

//! Nets that tests write: small ones, and ones with a mistake.

/// A net whose only run is one step, from `p` to `q`: two states, one edge, one deadlock.
pub(crate) const ONE_STEP: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
  <net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">
    <page id="g">
      <place id="p"><initialMarking><text>1</text></initialMarking></place>
      <place id="q"/>
      <transition id="t"/>
      <arc id="a" source="p" target="t"/>
      <arc id="b" source="t" target="q"/>
    </page>
  </net>
</pnml>
"#;

/// A high-level net with a sort that symmetric nets do not have.
pub(crate) const UNSUPPORTED: &str = r#"<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">
  <net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet">
    <declaration><structure><declarations>
      <namedsort id="S" name="S"><string/></namedsort>
    </declarations></structure></declaration>
    <page id="g"><transition id="t"/></page>
  </net>
</pnml>"#;

/// [`ONE_STEP`] with a piece of its text exchanged, which must be there.
pub(crate) fn one_step_with(old: &str, new: &str) -> String {
    assert!(ONE_STEP.contains(old), "no '{old}' in the net");
    ONE_STEP.replacen(old, new, 1)
}

/// A net with a place that fills without end.
pub(crate) fn unbounded() -> String {
    one_step_with(r#"<arc id="b""#, r#"<arc id="c" source="t" target="p"/><arc id="b""#)
}

/// A net with these places that hold `tokens` each, and nothing that happens.
pub(crate) fn still(tokens: &str) -> String {
    one_step_with("<text>1</text>", &format!("<text>{tokens}</text>"))
        .replace(r#"source="p" target="t"/>"#, r#"source="q" target="t"/>"#)
}

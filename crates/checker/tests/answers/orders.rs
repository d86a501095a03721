//! Variable orders by name and from texts.

use crate::ask::states;
use crate::nets::{family, loaded, net};
use symbolon_budget::Budget;
use symbolon_checker::{Error, Loaded, Options, StatesReport, VariableOrder, settle};

fn explored(loaded: &Loaded, variable_order: VariableOrder) -> Result<StatesReport, Error> {
    let options = Options { variable_order, texts: true, ..Options::default() };
    let report = settle(states(loaded, &options, &Budget::unlimited()))?;
    Ok(report.unwrap_or_else(|unknown| panic!("{}: {unknown:?}", loaded.name())))
}

fn file(text: &str) -> VariableOrder {
    VariableOrder::File { file: "my.order".into(), text: text.into() }
}

#[test]
fn a_saved_order_gives_the_same_diagram() {
    for call in ["kanban:3", "philosophers:5", "dekker:4", "token-ring:4", "slotted-ring:3", "peterson:2"] {
        let loaded = family(call);
        for order in
            ["auto", "unmerged", "invariants", "as-given", "merged:force", "reverse:sloan", "greedy#2"]
        {
            let first = explored(&loaded, VariableOrder::Named(order.into())).expect("a known order");
            let again = explored(&loaded, file(first.order_text.as_deref().unwrap_or_default()))
                .expect("a saved order");
            assert_eq!(again.states, first.states, "{call} {order}");
            assert_eq!(again.edges, first.edges, "{call} {order}");
            assert_eq!(
                (again.levels, again.nodes_final),
                (first.levels, first.nodes_final),
                "{call} {order}"
            );
            assert_eq!(again.order_text, first.order_text, "{call} {order}");
            if order.starts_with("merged") {
                assert!(first.order_name().starts_with("merged:"), "{call} {}", first.order_name());
            }
        }
    }
}

#[test]
fn merging_makes_fewer_levels_and_changes_no_figure() {
    for call in ["philosophers:5", "dekker:4", "token-ring:4"] {
        let loaded = family(call);
        let single = explored(&loaded, VariableOrder::Named("force".into())).expect("a known order");
        let merged = explored(&loaded, VariableOrder::Named("merged:force".into())).expect("a known order");
        assert!(merged.levels < single.levels, "{call}: {} {}", merged.levels, single.levels);
        assert_eq!(single.levels, loaded.net().places.len() as u64, "{call}");
        assert_eq!((&merged.states, &merged.edges), (&single.states, &single.edges), "{call}");
        assert_eq!(merged.max_tokens_per_marking, single.max_tokens_per_marking, "{call}");
    }
}

/// The first message that a wrong order gets, with its file, line and hint.
fn refusal(loaded: &Loaded, order: VariableOrder) -> (String, Option<String>, Option<u32>, Option<String>) {
    match explored(loaded, order) {
        Err(Error::Input(errors)) => {
            let first = errors.first().expect("a reason").clone();
            (first.message, first.file, first.line, first.hint)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn variables_that_can_be_marked_together_do_not_share_a_level() {
    // a and b exclude each other, and so do c and d; a and c do not.
    let loaded = loaded(net("a=1 b c=1 d\nt: a -> b\nu: b -> a\nv: c -> d\nw: d -> c"));
    let report = explored(&loaded, file("a b\nd c\n")).expect("two exclusive pairs");
    assert_eq!(report.levels, 2);
    let (message, named, _, hint) = refusal(&loaded, file("a c\nb\nd\n"));
    assert_eq!(message, "these variables cannot share a level: a c");
    assert_eq!(named.as_deref(), Some("my.order"));
    assert!(hint.is_some_and(|hint| hint.contains("at most one is ever marked")));
    // Two tokens in one place are no better.
    let loaded = crate::nets::loaded(net("a=2 b\nt: a -> b\nu: b -> a"));
    let (message, ..) = refusal(&loaded, file("a b\n"));
    assert_eq!(message, "these variables cannot share a level: a b");
}

#[test]
fn wrong_orders_say_where_and_what() {
    let loaded = loaded(net("left=1 right\nt: left -> right\nu: right -> left"));
    let check = |order: VariableOrder, line: Option<u32>, expected: &str| {
        let (message, _, found, _) = refusal(&loaded, order);
        assert_eq!(found, line, "{message}");
        assert!(message.contains(expected), "{message}");
    };
    check(file("left\nrigh\n"), Some(2), "did you mean `right`?");
    check(file("left\nright\nleft\n"), Some(3), "already placed in line 1");
    check(file("right\n"), Some(1), "no line names `left`");
    check(file("\"left\nright\n"), Some(1), "quoted name");
    let (message, _, _, hint) = refusal(&loaded, VariableOrder::Named("forse".into()));
    assert_eq!(message, "there is no variable order 'forse'");
    assert_eq!(hint.as_deref(), Some("did you mean 'force'?"));
    let (.., hint) = refusal(&loaded, VariableOrder::Named("xyz".into()));
    assert!(hint.is_some_and(|hint| hint.contains("known orders: auto, ")), "all are listed");
}

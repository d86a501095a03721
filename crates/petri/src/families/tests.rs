//! Names, parameters and their errors. What the nets mean is tested in `tests/families.rs`.

use super::*;

fn error(text: &str) -> String {
    let net = parse(text).and_then(|(family, parameters)| family.generate(&parameters, &Budget::unlimited()));
    net.expect_err(text).to_string()
}

#[test]
fn wrong_calls_are_explained() {
    for (text, message) in [
        ("philosopher:3", "there is no built-in family 'philosopher'; did you mean 'philosophers'?"),
        ("Kanban:3", "there is no built-in family 'Kanban'; did you mean 'kanban'?"),
        ("tokenring:3", "there is no built-in family 'tokenring'; did you mean 'token-ring'?"),
        ("qqq:3", "there is no built-in family 'qqq'; 'symbolon models' lists them all"),
        ("", "there is no built-in family ''; 'symbolon models' lists them all"),
        (
            "kanban",
            "'kanban' takes 1 parameter (N: cards in each cell), found 0; write for instance 'kanban:5'",
        ),
        (
            "kanban:1,2",
            "'kanban' takes 1 parameter (N: cards in each cell), found 2; write for instance 'kanban:5'",
        ),
        (
            "kanban:",
            "'' is not a number; 'kanban' takes 1 parameter (N: cards in each cell), for instance 'kanban:5'",
        ),
        (
            "kanban:-3",
            "'-3' is not a number; 'kanban' takes 1 parameter (N: cards in each cell), for instance 'kanban:5'",
        ),
        ("kanban:0", "N of 'kanban' must lie between 1 and 9223372036854775807, found 0"),
        ("philosophers:1", "N of 'philosophers' must lie between 2 and 5000000, found 1"),
        ("token-ring:100000", "N of 'token-ring' must lie between 1 and 250, found 100000"),
        (
            "swimming-pool:9223372036854775807",
            "N of 'swimming-pool' must lie between 1 and 461168601842738790, found 9223372036854775807",
        ),
    ] {
        assert_eq!(error(text), message, "{text}");
    }
}

#[test]
fn calls_are_read() {
    let (family, parameters) = parse("kanban:50").unwrap();
    assert_eq!((family.name, parameters), ("kanban", vec![50]));
    let (family, parameters) = parse(" fms : 7 ").unwrap();
    assert_eq!((family.name, parameters), ("fms", vec![7]));
}

#[test]
fn families_are_described() {
    assert!(families().is_sorted_by_key(|family| family.name));
    for family in families() {
        assert!(family.summary.len() < 90 && !family.summary.ends_with('.'), "{}", family.name);
        assert!(family.description.len() > 100 && !family.description.contains("  "), "{}", family.name);
        assert!(!family.origin.is_empty(), "{}", family.name);
        let example: Vec<_> = family.parameters.iter().map(|parameter| parameter.example).collect();
        let net = family.generate(&example, &Budget::unlimited()).expect(family.name);
        assert_eq!(net.name, family.example());
    }
}

#[test]
fn an_exhausted_budget_ends_the_writing() {
    let budget = Budget::unlimited();
    budget.cancel();
    let net = generate("philosophers", &[100_000], &budget);
    assert_eq!(net, Err(FamilyError::Interrupted(Interrupted::Cancelled)));
}

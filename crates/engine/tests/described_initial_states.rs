//! Initial states that a predicate describes are never listed: there may be far too many.

use symbolon_budget::Budget;
use symbolon_engine::{
    ExploreOptions, Explored, Failure, HierarchyChoice, Reordering, StateSets, Strategy, explore,
    explore_binary, explore_flat, explore_hierarchy,
};
use symbolon_model::{
    ActionVariable, Choice, Comparison, Component, ComponentId, Event, Expr, Line, Model, Part, Predicate,
    Reaction, Values, Variable, VariableId,
};

fn variable(number: u32) -> Expr {
    Expr::Variable(VariableId(number))
}

fn compare(a: Expr, comparison: Comparison, b: i64) -> Predicate {
    Predicate::Compare(a, comparison, Expr::Constant(b))
}

fn counted<S: StateSets>(explored: Result<Explored<S>, Failure>) -> String {
    let Ok(Explored { mut sets, reached, .. }) = explored else { panic!("nothing stops it") };
    sets.count(&reached).expect("nothing stops it").to_string()
}

#[test]
fn initial_states_are_never_listed() {
    // A hundred bits, any even number of them set; an agent may flip the first.
    let count = 100;
    let bits: Vec<Expr> = (0..count).map(variable).collect();
    let flip = Line {
        guard: compare(variable(count), Comparison::Equal, 1),
        updates: vec![(VariableId(0), Expr::Not(Box::new(variable(0))))],
    };
    let choice = Choice { action: VariableId(count), offers: Vec::new(), otherwise: vec![0, 1] };
    let model = Model {
        variables: (0..count).map(|number| Variable { name: format!("b{number}") }).collect(),
        values: vec![Values::Boolean; count as usize],
        initially: Some(Box::new(compare(Expr::Xor(bits), Comparison::Equal, 0))),
        components: vec![Component { name: "agent".into(), parent: None, variables: vec![VariableId(0)] }],
        actions: vec![ActionVariable { agent: ComponentId(0), names: vec!["wait".into(), "flip".into()] }],
        events: vec![Event {
            name: "step".into(),
            parts: vec![
                Part::Choice(Box::new(choice)),
                Part::Reaction(Box::new(Reaction { lines: vec![flip] })),
            ],
        }],
        ..Model::default()
    };
    let all = (num_bigint::BigUint::from(1_u32) << count).to_string();
    let budget = Budget::unlimited();
    for strategy in [Strategy::Bfs, Strategy::Chaining, Strategy::Saturation] {
        let options = ExploreOptions { strategy, ..ExploreOptions::default() };
        let given = HierarchyChoice::Named("groups:2".parse().expect("a hierarchy"));
        let found = [
            counted(explore(&model, &options, &budget)),
            counted(explore_flat(&model, &options, &budget)),
            counted(explore_binary(&model, &options, Reordering::Off, &budget)),
            counted(explore_hierarchy(&model, &options, &given, &budget)),
        ];
        assert_eq!(found, [(); 4].map(|()| all.clone()), "{strategy:?}");
    }
}

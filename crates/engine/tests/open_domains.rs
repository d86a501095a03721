//! Bounded search in a model whose values have no bound of their own: domains grow as far as they
//! must.

use symbolon_budget::Budget;
use symbolon_engine::OrderChoice;
use symbolon_engine::bounded::{self, Method, Search, Target};
use symbolon_engine::order::{Blocks, Order};
use symbolon_model::{Comparison, Event, Expr, Model, Part, Predicate, Variable, VariableId};

fn variable(number: u32) -> Expr {
    Expr::Variable(VariableId(number))
}

fn plain_model(initial: &[u64], events: Vec<Event>) -> Model {
    Model {
        variables: (0..initial.len()).map(|number| Variable { name: format!("v{number}") }).collect(),
        initial: vec![initial.into()],
        events,
        ..Model::default()
    }
}

fn update(guard: Predicate, updates: Vec<(u32, Expr)>) -> Event {
    let updates = updates.into_iter().map(|(number, expr)| (VariableId(number), expr)).collect();
    Event { name: "event".into(), parts: vec![Part::General { guard: Box::new(guard), updates }] }
}

fn compare(a: Expr, comparison: Comparison, b: i64) -> Predicate {
    Predicate::Compare(a, comparison, Expr::Constant(b))
}

/// The gated queue: everyone who waits is let in at once.
fn gated_queue() -> Model {
    let wait = update(
        compare(Expr::Sum(vec![variable(0), variable(1)]), Comparison::Less, 40),
        vec![(0, Expr::Sum(vec![variable(0), Expr::Constant(1)]))],
    );
    let let_in = update(
        compare(variable(1), Comparison::Equal, 0),
        vec![(0, Expr::Constant(0)), (1, Expr::Sum(vec![variable(0), variable(1)]))],
    );
    let leave = update(
        compare(variable(1), Comparison::Greater, 0),
        vec![(1, Expr::Sum(vec![variable(1), Expr::Constant(-1)]))],
    );
    plain_model(&[0, 0], vec![wait, let_in, leave])
}

#[test]
fn domains_grow_in_bounded_search() {
    let model = gated_queue();
    let twelve = compare(variable(1), Comparison::Equal, 12);
    for blocks in [vec![0, 1], vec![1, 0]] {
        let rough = [Method::Chain, Method::EddApprox, Method::EvbddApprox];
        for method in rough.into_iter().chain([Method::EddExact, Method::AddExact, Method::Auto]) {
            let search = Search {
                target: Target::Holds(&twelve),
                bound: Some(13),
                method,
                is_finite: true,
                order: OrderChoice::Given {
                    blocks: Blocks::single(&model),
                    order: Order { blocks: blocks.clone() },
                },
            };
            let found = bounded::search(&model, &search, &Budget::unlimited());
            let found = found.expect("nothing stops it").found.expect("twelve can wait");
            let is_exact = matches!(method, Method::EddExact | Method::AddExact);
            assert!(!is_exact || found.distance == Some(13), "{method:?}: {found:?}");
        }
    }
}

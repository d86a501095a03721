//! The table of kinds: names, capabilities, and questions that are refused before anything starts.

use num_bigint::BigUint;
use symbolon_budget::{Budget, Interrupted};
use symbolon_engine::{
    Capability, DiagramKind, ExploreOptions, Explored, Failure, Question, StateSets, Strategy,
    UnknownDiagram, Unsupported, ask, stack_levels, supports,
};
use symbolon_testkit::{random_model, random_synchronous_model};

/// Counts the states, and says that it needs something.
struct Count(Vec<Capability>);

impl Question for Count {
    type Answer = (Option<DiagramKind>, BigUint);

    fn needs(&self) -> Vec<Capability> {
        self.0.clone()
    }

    fn answer<S: StateSets>(self, mut explored: Explored<S>) -> Result<Self::Answer, Interrupted> {
        Ok((explored.sets.kind(), explored.sets.count(&explored.reached)?))
    }
}

#[test]
fn every_kind_is_asked_by_its_name() {
    let model = random_model(5);
    let budget = Budget::unlimited();
    let truth = symbolon_explicit::explore(&model, &Default::default(), &budget).expect("small");
    for &kind in DiagramKind::ALL {
        assert_eq!(kind.name().parse(), Ok(kind));
        assert!(stack_levels(kind, &model) >= model.variables.len());
        // What every kind can do.
        let options = ExploreOptions { strategy: Strategy::Bfs, ..ExploreOptions::default() };
        let answer = ask(kind, &model, &options, &budget, Count(Vec::new()));
        let answer = answer.expect("it can count").expect("nothing stops it");
        assert_eq!(answer, (Some(kind), truth.state_count().into()));
    }
    assert_eq!("explicit".parse::<DiagramKind>(), Err(UnknownDiagram));
}

#[test]
fn what_a_kind_lacks_is_refused_before_it_starts() {
    let budget = Budget::unlimited();
    for model in [random_model(5), random_synchronous_model(1)] {
        for &kind in DiagramKind::ALL {
            for capability in Capability::ALL {
                let options = ExploreOptions { strategy: Strategy::Bfs, ..ExploreOptions::default() };
                let answer = ask(kind, &model, &options, &budget, Count(vec![capability]));
                let is_refused = matches!(&answer, Err(Failure::Unsupported(Unsupported::Capability(one))) if *one == capability);
                assert_eq!(is_refused, !supports(kind, &model, capability), "{kind}, {capability}");
            }
        }
    }
}

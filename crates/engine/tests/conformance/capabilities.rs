//! What a kind announces before it starts is what its state sets have.

use crate::kinds::{Kind, UNLIMITED};
use symbolon_engine::{Capability, ExploreOptions, Explored, Failure, StateSets, Strategy, Unsupported};
use symbolon_testkit::{random_model, random_synchronous_model};

pub(crate) fn are_as_announced<K: Kind>() {
    for model in [random_model(1), random_model(2), random_synchronous_model(1), random_synchronous_model(3)]
    {
        let options = ExploreOptions { strategy: Strategy::Bfs, ..ExploreOptions::default() };
        let Explored { mut sets, reached, .. } = K::explore(&model, &options, 0).expect(UNLIMITED);
        for capability in Capability::ALL {
            let has = match capability {
                Capability::Saturation => sets.saturation().is_some(),
                Capability::Observation => sets.observation().is_some(),
                Capability::Forcing => sets.forcing().is_some(),
                Capability::Outlines => sets.outlines().is_some(),
                Capability::WeightedCount => sets.weighted_counts().is_some(),
                // Sets may have traces for some models only; they say so again when they are asked.
                Capability::Distances => match sets.shortest_traces() {
                    Some(traces) => traces.shortest_trace(&reached).expect(UNLIMITED).is_some(),
                    None => false,
                },
            };
            assert_eq!(has, K::supports(&model, capability), "{capability}");
        }
        refuses_what_it_lacks::<K>(&model);
    }
}

/// A strategy that the kind lacks is refused before anything is set up.
fn refuses_what_it_lacks<K: Kind>(model: &symbolon_model::Model) {
    if K::supports(model, Capability::Saturation) {
        return;
    }
    let options = ExploreOptions { strategy: Strategy::Saturation, ..ExploreOptions::default() };
    match K::explore(model, &options, 0).err() {
        Some(Failure::Unsupported(Unsupported::Capability(Capability::Saturation))) => {}
        other => panic!("saturation should be refused: {other:?}"),
    }
}

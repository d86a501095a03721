//! The reachable states of a model, found breadth first from all its initial states at once.

use crate::model::{Model, State, Step};
use std::collections::HashMap;

/// The states that were found, and the steps between them.
pub struct Graph<'m> {
    /// The model.
    pub model: &'m dyn Model,
    /// All states, nearest first.
    pub states: Vec<State>,
    /// The numbers of the initial states.
    pub initial: Vec<usize>,
    /// The steps from each state, and the numbers of the states that they lead to.
    pub steps: Vec<Vec<(Step, usize)>>,
    /// The distance of each state from the nearest initial one.
    pub distance: Vec<usize>,
    /// False if the search stopped at its limit. Steps of states that were not looked at are then
    /// missing.
    pub is_complete: bool,
    numbers: HashMap<State, usize>,
}

impl<'m> Graph<'m> {
    /// Explores a model, but looks at no more than `limit` states.
    pub fn explore(model: &'m dyn Model, limit: usize) -> Graph<'m> {
        let mut graph = Graph {
            model,
            states: Vec::new(),
            initial: Vec::new(),
            steps: Vec::new(),
            distance: Vec::new(),
            is_complete: true,
            numbers: HashMap::new(),
        };
        for state in model.initial_states() {
            let number = graph.add(state, 0);
            graph.initial.push(number);
        }
        let mut next = 0;
        while next < graph.states.len() {
            if next >= limit {
                graph.is_complete = false;
                break;
            }
            let from = graph.states[next].clone();
            let distance = graph.distance[next] + 1;
            let steps = model.steps(&from).into_iter();
            let steps = steps.map(|step| (step.clone(), graph.add(step.to, distance))).collect();
            graph.steps.push(steps);
            next += 1;
        }
        graph
    }

    fn add(&mut self, state: State, distance: usize) -> usize {
        if let Some(&known) = self.numbers.get(&state) {
            return known;
        }
        let number = self.states.len();
        self.numbers.insert(state.clone(), number);
        self.states.push(state);
        self.distance.push(distance);
        number
    }

    /// The number of a state, if it is reachable.
    pub fn number(&self, state: &[i128]) -> Option<usize> {
        self.numbers.get(state).copied()
    }

    /// Whether nothing can happen in a state.
    pub fn is_dead(&self, number: usize) -> bool {
        self.steps[number].is_empty()
    }

    /// The dead states.
    pub fn dead(&self) -> impl Iterator<Item = usize> {
        (0..self.steps.len()).filter(|&number| self.is_dead(number))
    }

    /// The numbers of the next states, each once.
    pub fn next(&self) -> Vec<Vec<usize>> {
        let targets = |steps: &Vec<(Step, usize)>| {
            let mut targets: Vec<usize> = steps.iter().map(|(_, to)| *to).collect();
            targets.sort_unstable();
            targets.dedup();
            targets
        };
        self.steps.iter().map(targets).collect()
    }

    /// The number of pairs of a state and an event that is enabled in it.
    pub fn edge_count(&self) -> usize {
        self.steps.iter().map(Vec::len).sum()
    }

    /// The states at each distance from 0 on.
    pub fn layers(&self) -> Vec<usize> {
        let mut layers = vec![0; self.distance.iter().max().map_or(0, |most| most + 1)];
        self.distance.iter().for_each(|&distance| layers[distance] += 1);
        layers
    }

    /// The largest value of a sum of variables.
    pub fn largest(&self, variables: &[usize]) -> i128 {
        let sum = |state: &State| variables.iter().map(|&variable| state[variable]).sum::<i128>();
        self.states.iter().map(sum).max().unwrap_or(0)
    }
}

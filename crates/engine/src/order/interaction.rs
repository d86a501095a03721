//! What heuristics see of a model: which blocks each event touches.

use super::Blocks;
use super::hub::twice_median;
use super::hypergraph::{Hypergraph, HypergraphBuilder};
use std::collections::BTreeMap;
use symbolon_model::{Event, Expr, Model, Part, Predicate, VariableId};

/// The hypergraph of a model's events over blocks, and the tree of its components.
///
/// Events that touch the same blocks are one *support* here, with their number as its weight;
/// events that touch nothing are left out. A synchronous step touches everything, which says
/// nothing: what counts there is which variables each of its lines touches, and which are tied by
/// one and the same literal.
#[derive(Clone, Debug)]
pub struct Interaction<'m> {
    pub(super) model: &'m Model,
    pub(super) blocks: &'m Blocks,
    /// Blocks are its vertices, supports of events its edges.
    pub(super) hypergraph: Hypergraph,
    /// The same with the lines of synchronous steps as edges instead of agents' shares, if there
    /// are such steps. Literals are vertices behind the blocks.
    pub(super) lines: Option<Hypergraph>,
    /// The tree of components over blocks.
    pub(super) tree: Tree,
}

/// A tree whose nodes own blocks; parents come before children, node 0 is the root.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// The parent of each node; the root is its own parent.
    pub(super) parents: Vec<u32>,
    /// For each block the node that owns it directly.
    pub(super) owner: Vec<u32>,
}

impl Tree {
    /// A root that owns everything.
    pub(super) fn flat(block_count: usize) -> Self {
        Tree { parents: vec![0], owner: vec![0; block_count] }
    }

    /// A root with one child for each group; blocks in no group belong to the root.
    pub(super) fn of_groups(block_count: usize, groups: &[Vec<u32>]) -> Self {
        let mut tree = Tree::flat(block_count);
        for group in groups {
            let node = tree.parents.len() as u32;
            tree.parents.push(0);
            group.iter().for_each(|&block| tree.owner[block as usize] = node);
        }
        tree
    }

    /// Whether the tree groups nothing.
    pub(super) fn is_flat(&self) -> bool {
        self.parents.len() <= 1
    }

    /// The components of a model. A merged block belongs where its first variable does.
    fn of_model(model: &Model, blocks: &Blocks, block_of: &[u32]) -> Self {
        let mut tree = Tree::flat(blocks.len());
        // Node 0 is a root of our own: several roots, or none, are then no special cases.
        for component in &model.components {
            tree.parents.push(component.parent.map_or(0, |parent| parent.0 + 1));
        }
        for (component, node) in model.components.iter().zip(1_u32..) {
            for variable in &component.variables {
                let block = block_of[variable.index()];
                if blocks.block(block).first() == Some(variable) {
                    tree.owner[block as usize] = node;
                }
            }
        }
        tree
    }
}

impl<'m> Interaction<'m> {
    /// The interaction of all events of `model` over `blocks`.
    pub fn new(model: &'m Model, blocks: &'m Blocks) -> Self {
        let block_of = blocks.block_of_variables(model.variables.len());
        let mut builder = HypergraphBuilder::new(blocks.len(), model.events.len());
        let mut lines = Vec::new();
        let mut support = Vec::new();
        for event in &model.events {
            if event.is_synchronous() {
                // A step touches everything; each agent's share of it says more.
                for part in &event.parts {
                    collect_share(model, part, &block_of, &mut support);
                    builder.add(&support, 1);
                }
                collect_lines(event, &mut lines);
                continue;
            }
            collect_support(event, &block_of, &mut support);
            builder.add(&support, 1);
        }
        let tree = Tree::of_model(model, blocks, &block_of);
        let lines =
            model.is_synchronous().then(|| hypergraph_of_lines(model, &lines, &block_of, blocks.len()));
        Interaction { model, blocks, hypergraph: builder.build(), lines, tree }
    }

    /// The number of blocks, hence of levels.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// The number of distinct supports.
    pub fn support_count(&self) -> usize {
        self.hypergraph.supports.len()
    }

    /// Distinct supports (blocks ascending) and the number of events that have each.
    pub fn supports(&self) -> impl Iterator<Item = (&[u32], u32)> + Clone {
        self.hypergraph.weighted_supports()
    }

    /// The model whose events these are.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The blocks that the events are looked at through.
    pub fn blocks(&self) -> &'m Blocks {
        self.blocks
    }
}

/// The blocks that a share of a synchronous step touches, ascending, each once. An action counts as
/// the first variable of the agent whose action it is.
fn collect_share(model: &Model, part: &Part, block_of: &[u32], support: &mut Vec<u32>) {
    support.clear();
    for variable in part.variables() {
        let owner = model.action(variable).and_then(|action| model.components.get(action.agent.0 as usize));
        let variable = owner.map_or(Some(variable), |owner| owner.variables.first().copied());
        support.extend(variable.and_then(|variable| block_of.get(variable.index())));
    }
    support.sort_unstable();
    support.dedup();
}

/// The blocks that `event` touches, ascending, each once.
fn collect_support(event: &Event, block_of: &[u32], support: &mut Vec<u32>) {
    support.clear();
    for part in &event.parts {
        match part {
            Part::Local { variable, .. } => support.push(block_of[variable.index()]),
            // Actions stand on no level of a state.
            Part::General { .. } | Part::Choice(_) | Part::Reaction(_) => {
                support.extend(part.variables().iter().filter_map(|variable| block_of.get(variable.index())));
            }
        }
    }
    support.sort_unstable();
    support.dedup();
}

/// A variable or an action, and one of its values.
type Literal = (VariableId, u64);

/// What a line of a reaction or an offer of a choice mentions.
#[derive(Clone, Debug, Default)]
struct Line {
    variables: Vec<VariableId>,
    literals: Vec<Literal>,
}

/// The lines and the offers of a step.
fn collect_lines(event: &Event, lines: &mut Vec<Line>) {
    for part in &event.parts {
        match part {
            Part::Choice(choice) => {
                for (condition, actions) in &choice.offers {
                    let mut line = Line::default();
                    line.read(condition);
                    // A condition that offers a choice of actions concerns none of them in
                    // particular.
                    if let [action] = actions[..] {
                        line.literals.push((choice.action, action));
                    }
                    lines.push(line);
                }
            }
            Part::Reaction(reaction) => {
                for written in &reaction.lines {
                    let mut line = Line::default();
                    line.read(&written.guard);
                    for (variable, expr) in &written.updates {
                        line.variables.push(*variable);
                        expr.collect_variables(&mut line.variables);
                        if let Expr::Constant(value) = expr
                            && let Ok(value) = u64::try_from(*value)
                        {
                            line.literals.push((*variable, value));
                        }
                    }
                    lines.push(line);
                }
            }
            Part::Local { .. } | Part::General { .. } => {}
        }
    }
}

impl Line {
    fn read(&mut self, condition: &Predicate) {
        condition.collect_variables(&mut self.variables);
        collect_literals(condition, &mut self.literals);
    }
}

/// The literals that a predicate compares for.
fn collect_literals(predicate: &Predicate, found: &mut Vec<Literal>) {
    match predicate {
        Predicate::True | Predicate::False => {}
        Predicate::Compare(a, _, b) => {
            if let (Expr::Variable(variable), Expr::Constant(value))
            | (Expr::Constant(value), Expr::Variable(variable)) = (a, b)
                && let Ok(value) = u64::try_from(*value)
            {
                found.push((*variable, value));
            }
        }
        Predicate::Not(inner) => collect_literals(inner, found),
        Predicate::And(parts) | Predicate::Or(parts) => {
            parts.iter().for_each(|part| collect_literals(part, found));
        }
    }
}

/// Lines as edges over blocks and literals. The literals are those of actions, and of variables
/// that many lines mention: as variables those tie too much. In a model where one agent picks
/// another, each pick concerns two of them, and the variable that says who was picked concerns all.
fn hypergraph_of_lines(model: &Model, lines: &[Line], block_of: &[u32], block_count: usize) -> Hypergraph {
    let mut mentions = vec![0; model.variables.len()];
    for line in lines {
        let mut variables: Vec<usize> = line.variables.iter().map(|variable| variable.index()).collect();
        variables.sort_unstable();
        variables.dedup();
        for variable in variables {
            // Actions come behind the variables.
            if let Some(mentions) = mentions.get_mut(variable) {
                *mentions += 1;
            }
        }
    }
    let many = twice_median(&mentions);
    let is_split = |variable: VariableId| mentions.get(variable.index()).is_none_or(|&count| count > many);
    let mut vertices: BTreeMap<Literal, u32> = BTreeMap::new();
    for &literal in lines.iter().flat_map(|line| &line.literals).filter(|(variable, _)| is_split(*variable)) {
        let next = (block_count + vertices.len()) as u32;
        vertices.entry(literal).or_insert(next);
    }
    let mut builder = HypergraphBuilder::new(block_count + vertices.len(), lines.len());
    for line in lines {
        let blocks = line.variables.iter().filter_map(|variable| block_of.get(variable.index()).copied());
        let literals = line.literals.iter().filter_map(|literal| vertices.get(literal).copied());
        let mut support: Vec<u32> = blocks.chain(literals).collect();
        support.sort_unstable();
        support.dedup();
        builder.add(&support, 1);
    }
    builder.build()
}

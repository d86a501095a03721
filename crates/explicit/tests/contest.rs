//! Formulas of the Model Checking Contest on its smallest nets, against the verdicts that its tools
//! agreed on.

use std::collections::HashMap;
use std::path::Path;
use symbolon_budget::Budget;
use symbolon_explicit::{CheckOptions, Checker, Options, find_path, truth_on_lasso};
use symbolon_logic::{
    Builder, Formula, Fragment, LinearExpr, NamedAtom, Operator, Paths, read_contest_properties,
};
use symbolon_model::{Atom, EventId, Expr, Model, Predicate, VariableId};
use symbolon_petri::lower;
use symbolon_petri::read::read_pnml;
use symbolon_testkit::contest_instance;

/// Instances with at most two thousand states, by their sizes.
const INSTANCES: [&str; 18] = [
    "ResAllocation-PT-R002C002",
    "Eratosthenes-PT-010",
    "RobotManipulation-PT-00001",
    "CircadianClock-PT-000001",
    "DoubleExponent-PT-001",
    "DatabaseWithMutex-PT-02",
    "TokenRing-PT-005",
    "ShieldRVs-PT-001A",
    "Philosophers-PT-000005",
    "AutoFlight-PT-01a",
    "LamportFastMutEx-PT-2",
    "NQueens-PT-05",
    "SimpleLoadBal-PT-02",
    "DrinkVendingMachine-PT-02",
    "ResAllocation-PT-R003C005",
    "HouseConstruction-PT-00002",
    "Railroad-PT-005",
    "SharedMemory-PT-000005",
];

/// The examinations with formulas, and which paths they speak about.
const EXAMINATIONS: [(&str, Paths); 6] = [
    ("ReachabilityCardinality", Paths::Maximal),
    ("ReachabilityFireability", Paths::Maximal),
    ("CTLCardinality", Paths::Maximal),
    ("CTLFireability", Paths::Maximal),
    ("LTLCardinality", Paths::Stutter),
    ("LTLFireability", Paths::Stutter),
];

/// The tableau of a formula with more temporal operators than this is left to the search on the
/// fly.
const MOST_IN_TABLEAU: usize = 6;

/// The net of an instance, and the numbers of its places and transitions by name.
struct Instance {
    model: Model,
    variables: HashMap<String, VariableId>,
    events: HashMap<String, EventId>,
    verdicts: serde_json::Value,
}

impl Instance {
    fn read(folder: &Path) -> Instance {
        let bytes = |name: &str| std::fs::read(folder.join(name)).expect("the corpus can be read");
        let net = read_pnml(&bytes("model.pnml"), &Budget::unlimited()).expect("a net").net;
        let places = net.places.iter().enumerate();
        let transitions = net.transitions.iter().enumerate();
        Instance {
            model: lower(&net),
            variables: places.map(|(number, place)| (place.id.clone(), VariableId(number as u32))).collect(),
            events: transitions.map(|(number, t)| (t.id.clone(), EventId(number as u32))).collect(),
            verdicts: serde_json::from_slice(&bytes("oracle.json")).expect("JSON"),
        }
    }

    fn verdict(&self, examination: &str, id: &str) -> Option<bool> {
        match self.verdicts["Formulas"][examination][id].as_str()? {
            "TRUE" => Some(true),
            "FALSE" => Some(false),
            _ => None,
        }
    }

    fn sum(&self, sum: &LinearExpr) -> Expr {
        let term = |(factor, name): &(i64, symbolon_logic::Name)| {
            let variable = Expr::Variable(self.variables[&*name.text]);
            Expr::Product(Box::new(Expr::Constant(*factor)), Box::new(variable))
        };
        Expr::Sum(sum.terms.iter().map(term).chain([Expr::Constant(sum.constant)]).collect())
    }

    fn atom(&self, atom: &NamedAtom) -> Atom {
        match atom {
            NamedAtom::Named(name) => panic!("{name:?} has no meaning in a net"),
            NamedAtom::Compare(left, comparison, right) => {
                Atom::Holds(Predicate::Compare(self.sum(left), *comparison, self.sum(right)))
            }
            NamedAtom::Fireable(names) => {
                Atom::Fireable(names.iter().map(|name| self.events[&*name.text]).collect())
            }
        }
    }
}

/// The verdict about a formula of LTL, searched on the fly; a path against it is looked at.
fn on_the_fly(model: &Model, formula: &Formula<Atom>, paths: Paths) -> bool {
    let path = match *formula.operator(formula.root()) {
        Operator::ForAll(path) => formula.subformula(path),
        _ => formula.clone(),
    };
    let mut builder = Builder::default();
    let root = builder.add_formula(&path);
    let negation = builder.add(Operator::Not(root));
    let against = builder.finish(negation);
    let found = find_path(model, &against, paths, &Options::default(), &Budget::unlimited());
    let found = found.expect("nothing is limited");
    if let Some(lasso) = &found.lasso {
        let truth = truth_on_lasso(model, &path, path.root(), lasso, paths, |_, _| None);
        assert!(truth.is_ok_and(|truth| truth.fails), "{lasso:?}");
    }
    found.lasso.is_none()
}

#[test]
fn verdicts_are_those_of_the_contest() {
    let (mut asked, mut by_tableau) = (0, 0);
    for name in INSTANCES {
        let Some(folder) = contest_instance(name) else { continue };
        let instance = Instance::read(&folder);
        let options = CheckOptions { state_limit: Some(10_000), ..CheckOptions::default() };
        let mut checker =
            Checker::new(&instance.model, &options, &Budget::unlimited()).expect("a small instance");
        for (examination, paths) in EXAMINATIONS {
            let bytes = std::fs::read(folder.join(format!("{examination}.xml"))).expect("formulas");
            let file = read_contest_properties(&bytes, &Budget::unlimited()).expect("formulas");
            for property in &file.properties {
                let Some(expected) = instance.verdict(examination, &property.id) else { continue };
                let named = &property.formula.formula;
                let Ok(formula) =
                    named.map_atoms(|_, atom| Ok::<_, std::convert::Infallible>(instance.atom(atom)));
                let temporal = formula.subformulas().filter(|(_, operator)| operator.is_temporal()).count();
                let is_ctl = formula.fragment() <= Fragment::Ctl;
                if is_ctl || temporal <= MOST_IN_TABLEAU {
                    let checked = checker.check(&formula, paths, &[]).expect("nothing is limited");
                    assert_eq!(checked.holds(), expected, "{}", property.id);
                    by_tableau += usize::from(!is_ctl);
                }
                if paths == Paths::Stutter {
                    let holds = on_the_fly(&instance.model, &formula, paths);
                    assert_eq!(holds, expected, "{} on the fly", property.id);
                }
                asked += 1;
            }
        }
    }
    println!("{asked} formulas, {by_tableau} of them by a tableau");
}

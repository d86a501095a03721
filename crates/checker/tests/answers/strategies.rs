//! Strategies of agents, on every kind of diagram.

use crate::ask::{check, load};
use symbolon_budget::Budget;
use symbolon_checker::{
    CheckOptions, Diagram, DiagramKind, Format, Loaded, Options, Source, Verdict, properties_of_texts,
};

/// A climber who may rest on every step, under weather that takes its turns.
const CLIMBER: &str = "
Agent Environment
  Obsvars: rain : boolean; end Obsvars
  Actions = { clear, cloud };
  Protocol: Other : { clear, cloud }; end Protocol
  Evolution: rain = true if Action = cloud; rain = false if Action = clear; end Evolution
end Agent
Agent Climber
  Vars: height : 0 .. 3; end Vars
  Actions = { rest, climb, arrive };
  Protocol: height < 3 : { rest, climb }; Other : { arrive }; end Protocol
  Evolution: height = height + 1 if Action = climb and Environment.Action = clear or Action = climb and height > 0; end Evolution
end Agent
Evaluation top if Climber.height = 3; base if Climber.height = 0; end Evaluation
InitStates Climber.height = 1 and Environment.rain = false; end InitStates
Groups climbers = { Climber }; end Groups
Formulae <climbers> F top; end Formulae
";

fn climber() -> Loaded {
    let source = Source::Bytes {
        name: "climber.ispl".to_string(),
        bytes: CLIMBER.as_bytes().to_vec(),
        format: Some(Format::Ispl),
        parameters: Vec::new(),
    };
    match load(source, &Budget::unlimited()) {
        Ok(loaded) => loaded,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_strategy_comes_closer_with_every_step() {
    let loaded = climber();
    let texts = ["<climbers> F top", "<climbers> (!base U top)"].map(str::to_string);
    let properties = properties_of_texts(&loaded, &texts, None).expect("formulas").properties;
    let wanted = CheckOptions { witnesses: true, ..CheckOptions::default() };
    for diagram in [
        Diagram::Kind(DiagramKind::Bdd),
        Diagram::Kind(DiagramKind::Mdd),
        Diagram::Kind(DiagramKind::Ddd),
        Diagram::Kind(DiagramKind::Set),
    ] {
        let options = Options { diagram, ..Options::default() };
        let reports = check(&loaded, &properties, wanted, &options, &Budget::unlimited(), &mut |_, _| {});
        for report in reports.expect("no wrong input") {
            let shown = format!("{diagram:?}, {}", report.formula);
            assert_eq!(report.verdict, Verdict::Holds, "{shown}");
            let strategy =
                report.witness.and_then(|witness| witness.strategy).unwrap_or_else(|| panic!("{shown}"));
            let actions = strategy.rows.iter().flat_map(|row| &row.actions);
            // To rest would do no harm, and lead nowhere.
            assert!(actions.clone().all(|(_, action)| action == "climb"), "{shown}: {strategy:?}");
            assert!(actions.count() > 0, "{shown}");
        }
    }
}

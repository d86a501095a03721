//! Formulas as text: well-formed, and meaning the same when read back.

use symbolon_budget::Budget;
use symbolon_petri::lower;
use symbolon_sat::{
    Answer, Batsat, Clauses, Goal, Literal, Minimisation, Options, Outcome, Semantics, Solver, formula,
    search,
};
use symbolon_testkit::{random_net, seeds};

/// Reads DIMACS strictly: the counts of the head must be met, every clause must end, and no number be too large.
fn read(text: &str) -> Batsat {
    let mut lines = text.lines().filter(|line| !line.starts_with('c'));
    let head: Vec<&str> = lines.next().expect("there is a head").split(' ').collect();
    let ["p", "cnf", variables, clauses] = head[..] else { panic!("no head: {head:?}") };
    let (variables, clauses): (i64, usize) =
        (variables.parse().expect("a number"), clauses.parse().expect("a number"));
    let mut solver = Batsat::new(Minimisation::default(), &Budget::unlimited());
    let known: Vec<Literal> = (0..variables).map(|_| solver.new_variable()).collect();
    let mut count = 0;
    for line in lines {
        let numbers: Vec<i64> = line.split(' ').map(|word| word.parse().expect("a number")).collect();
        let (last, literals) = numbers.split_last().expect("no line is empty");
        assert!(*last == 0 && !literals.contains(&0), "{line}");
        let clause: Vec<Literal> = literals
            .iter()
            .map(|number| {
                let literal = known[number.unsigned_abs() as usize - 1];
                if *number < 0 { !literal } else { literal }
            })
            .collect();
        solver.add_clause(&clause);
        count += 1;
    }
    assert_eq!(count, clauses);
    solver
}

#[test]
fn formulas_read_back_mean_the_same() {
    for seed in seeds(60) {
        let model = lower(&random_net(seed));
        for semantics in [Semantics::Interleaving, Semantics::Step, Semantics::Chained] {
            let options = Options { semantics, bound: Some(4), ..Options::default() };
            let report = search(&model, &Goal::Deadlock, &options, &Budget::unlimited()).expect("no limits");
            let found = if let Outcome::Found(found) = &report.outcome { Some(found.steps) } else { None };
            for steps in 0..=found.unwrap_or(4) {
                let list = formula(&model, &Goal::Deadlock, &options, steps, &Budget::unlimited());
                let text = list.expect("no limits").to_dimacs(&["one\nline".into()]);
                assert!(text.starts_with("c one line\np cnf "));
                let answer = read(&text).solve(&[]).expect("no limits");
                assert_eq!(
                    answer == Answer::Solution,
                    found == Some(steps),
                    "seed {seed} {semantics:?} {steps}"
                );
            }
        }
    }
}

/// So many pigeons in one hole fewer: no solution, and many dead ends until that is known.
fn pigeons(solver: &mut Batsat, pigeons: usize) -> Literal {
    let asked = solver.new_variable();
    let rows: Vec<Vec<Literal>> =
        (0..pigeons).map(|_| (1..pigeons).map(|_| solver.new_variable()).collect()).collect();
    for (index, row) in rows.iter().enumerate() {
        let clause: Vec<Literal> = row.iter().copied().chain([!asked]).collect();
        solver.add_clause(&clause);
        for other in &rows[..index] {
            for (a, b) in row.iter().zip(other) {
                solver.add_clause(&[!*a, !*b]);
            }
        }
    }
    asked
}

#[test]
fn every_mode_of_the_solver_says_the_same() {
    for minimisation in [Minimisation::Off, Minimisation::Basic, Minimisation::Deep, Minimisation::Auto] {
        let mut solver = Batsat::new(minimisation, &Budget::unlimited());
        let asked = pigeons(&mut solver, 6);
        assert_eq!(solver.solve(&[asked]), Ok(Answer::NoneAssumed), "{minimisation:?}");
        assert_eq!(solver.solve(&[]), Ok(Answer::Solution), "{minimisation:?}");
        assert!(!solver.is_true(asked));
        solver.add_clause(&[asked]);
        assert_eq!(solver.solve(&[]), Ok(Answer::None), "{minimisation:?}");
        assert!(solver.effort().conflicts > 10);
    }
}

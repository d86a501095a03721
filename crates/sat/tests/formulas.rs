//! Formulas as text: well-formed, and meaning the same when read back. And the solvers alone,
//! without a model.

use std::time::{Duration, Instant};
use symbolon_budget::{Budget, Interrupted, Limits};
use symbolon_petri::lower;
use symbolon_sat::{
    Answer, Batsat, Clauses, Error, Goal, Literal, Minimisation, Options, Outcome, Semantics, Solver,
    SolverName, WrongSolver, formula, prove, search,
};
use symbolon_testkit::{random_net, seeds};

/// Reads DIMACS strictly: the counts of the head must be met, every clause must end, and no number
/// be too large.
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
fn pigeons(solver: &mut impl Solver, pigeons: usize) -> Literal {
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

/// Asks three questions of which the answers are known, with more clauses in between.
fn check_answers(mut solver: impl Solver, what: &str) {
    let asked = pigeons(&mut solver, 6);
    assert_eq!(solver.solve(&[asked]), Ok(Answer::NoneAssumed), "{what}");
    assert_eq!(solver.solve(&[]), Ok(Answer::Solution), "{what}");
    assert!(!solver.is_true(asked) && solver.is_true(!asked), "{what}");
    let (free, tied) = (solver.new_variable(), solver.new_variable());
    solver.add_clause(&[free, tied]);
    solver.add_clause(&[!free, !tied]);
    assert_eq!(solver.solve(&[free, !asked]), Ok(Answer::Solution), "{what}");
    assert!(solver.is_true(free) && !solver.is_true(tied), "{what}");
    assert_eq!(solver.solve(&[free, tied]), Ok(Answer::NoneAssumed), "{what}");
    // One literal decides another.
    solver.add_clause(&[tied]);
    solver.propagate();
    assert_eq!((solver.known(tied), solver.known(!free)), (Some(true), Some(true)), "{what}");
    solver.add_clause(&[asked]);
    assert_eq!(solver.solve(&[tied]), Ok(Answer::None), "{what}");
    assert!(solver.effort().conflicts > 10, "{what}");
    assert!(solver.bytes() > 0, "{what}");
}

#[test]
fn every_solver_in_every_mode_says_the_same() {
    for minimisation in [Minimisation::Off, Minimisation::Basic, Minimisation::Deep, Minimisation::Auto] {
        let solver = Batsat::new(minimisation, &Budget::unlimited());
        check_answers(solver, &format!("batsat {minimisation:?}"));
    }
    #[cfg(feature = "cadical")]
    check_answers(symbolon_sat::Cadical::new(&Budget::unlimited()), "cadical");
}

/// A question that would take hours is given up when its time is over, when somebody gives it up,
/// and when memory is short; and the solver still answers others.
fn check_limits<S: Solver>(new: impl Fn(&Budget) -> S, what: &str) {
    let time = Some(Duration::from_millis(200));
    let start = Instant::now();
    let mut solver = new(&Budget::new(Limits { time, memory: None }));
    let asked = pigeons(&mut solver, 40);
    assert_eq!(solver.solve(&[asked]), Err(Interrupted::Timeout), "{what}");
    assert!(start.elapsed() < Duration::from_secs(20), "{what}: {:?}", start.elapsed());

    let budget = Budget::unlimited();
    let mut solver = new(&budget);
    let asked = pigeons(&mut solver, 40);
    let answer = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            budget.cancel();
        });
        solver.solve(&[asked])
    });
    assert_eq!(answer, Err(Interrupted::Cancelled), "{what}");

    let budget = Budget::new(Limits { time: None, memory: Some(10_000) });
    let mut solver = new(&budget);
    let asked = pigeons(&mut solver, 10);
    assert_eq!(solver.solve(&[asked]), Err(Interrupted::Memory), "{what}");
    drop(solver);
    assert_eq!(budget.memory().charged(), 0, "{what}");
}

#[test]
fn limits_reach_every_solver() {
    check_limits(|budget| Batsat::new(Minimisation::default(), budget), "batsat");
    #[cfg(feature = "cadical")]
    check_limits(symbolon_sat::Cadical::new, "cadical");
}

#[test]
fn a_solver_that_is_not_built_in_is_an_error() {
    let model = lower(&random_net(1));
    for solver in SolverName::ALL {
        assert_eq!(solver.name().parse(), Ok(solver));
        let options = Options { solver, bound: Some(2), ..Options::default() };
        let answers = [
            search(&model, &Goal::Deadlock, &options, &Budget::unlimited()),
            prove(&model, &Goal::Deadlock, &options, &Budget::unlimited()),
        ];
        for answer in answers {
            assert_eq!(answer.is_ok(), solver.is_built_in(), "{solver}");
            if let Err(stopped) = answer {
                assert_eq!(stopped.error, Error::NotBuiltIn(solver));
            }
        }
    }
    assert!(SolverName::default().is_built_in());
    assert_eq!(SolverName::Cadical.is_built_in(), cfg!(feature = "cadical"));
    assert_eq!("minisat".parse::<SolverName>(), Err(WrongSolver));
}

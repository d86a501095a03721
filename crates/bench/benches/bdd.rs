//! Binary diagrams beside two of the registry: `oxidd` (with complement edges) and
//! `biodivine-lib-bdd`.
//!
//! `cargo bench -p symbolon-bench --bench bdd` runs every row; `-- queens` those with this in their
//! name. Each run is a process of its own, one thread, whose processor time and largest resident
//! size the system tells. The computed caches of the first two have the same fixed number of
//! entries and their nodes the same limit; the third has no manager, and neither. All do the same
//! operations in the same order, and the answers are compared.
//!
//! - `queens:N`: all ways to put queens on a board; for each row, one of its squares and nothing
//!   that it attacks, row by row.
//! - `multiplier:N`: all output bits of a product of two numbers of N bits, by rows of full adders,
//!   the bits of both numbers interleaved from the highest.
//! - `net:FAMILY:N`: all reachable states of a safe net, one bit a place in the order `force`,
//!   event after event until nothing is new. The conjunction with what an event needs forgets what
//!   it sets, in one operation.

use biodivine_lib_bdd::{Bdd as Loose, BddVariable, BddVariableSet, op_function};
use num_bigint::BigUint;
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::SatCountCache;
use oxidd::{BooleanFunction, BooleanFunctionQuant, BooleanOperator, Manager, ManagerRef};
use std::env;
use std::process::{Command, Stdio};
use symbolon_bench::{Literals, SafeNet};
use symbolon_budget::{Budget, Meter};
use symbolon_dd_bdd::{Bdd, Limits, Root, Variable, VariableSet};
use wait4::{ResourceUsage, Wait4};

const KERNELS: [&str; 3] = ["symbolon", "oxidd", "biodivine"];
const ROWS: [&str; 18] = [
    "queens:8",
    "queens:9",
    "queens:10",
    "queens:11",
    "queens:12",
    "multiplier:8",
    "multiplier:9",
    "multiplier:10",
    "net:philosophers:60",
    "net:philosophers-left-handed:80,7",
    "net:dekker:22",
    "net:peterson:2",
    "net:token-ring:10",
    "net:slotted-ring:9",
    "net:round-robin:16",
    "net:elevator:16",
    "net:two-phase-commit:12",
    "net:pedestrian-light:24",
];
/// Entries of the computed cache.
const CACHE_BITS: u32 = 20;
/// Nodes at the most.
const NODES: usize = 1 << 25;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [flag, kernel, row] = arguments.as_slice()
        && (flag == "--measured" || flag == "--counted")
    {
        return work_alone(kernel, row, flag == "--counted");
    }
    // `cargo test --all-targets` calls benches too, without this flag.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return;
    }
    let wanted: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    println!("| row | kernel | s | peak nodes | bytes a node | peak MB |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for row in ROWS {
        if !wanted.is_empty() && !wanted.iter().any(|name| row.contains(name.as_str())) {
            continue;
        }
        let answers: Vec<String> = KERNELS.iter().map(|kernel| measure(kernel, row)).collect();
        assert!(answers.iter().all(|answer| *answer == answers[0]), "{row}: answers differ: {answers:?}");
    }
}

/// Runs one row in processes of its own, prints what it took, and gives its answer. Nodes are
/// counted in a second process where that takes time.
fn measure(kernel: &str, row: &str) -> String {
    let (answer, peak_nodes, used) = run_alone("--measured", kernel, row);
    let peak_nodes = match peak_nodes.as_str() {
        "?" => run_alone("--counted", kernel, row).1,
        _ => peak_nodes,
    };
    let seconds = (used.utime + used.stime).as_secs_f64();
    let bytes_a_node = match peak_nodes.parse::<u64>() {
        Ok(peak) => format!("{:.0}", used.maxrss as f64 / peak as f64),
        Err(_) => "–".into(),
    };
    println!("| {row} | {kernel} | {seconds:.2} | {peak_nodes} | {bytes_a_node} | {} |", used.maxrss >> 20);
    answer
}

/// Runs one row in a process: what it answers, its most nodes, what it used.
fn run_alone(flag: &str, kernel: &str, row: &str) -> (String, String, ResourceUsage) {
    let program = env::current_exe().expect("this program has a path");
    let mut child = Command::new(program)
        .args([flag, kernel, row])
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program can be started again");
    let mut said = String::new();
    let mut output = child.stdout.take().expect("its output is piped");
    std::io::Read::read_to_string(&mut output, &mut said).expect("its output is text");
    let used = child.wait4().expect("it ends").rusage;
    let (answer, peak_nodes) = said.trim().split_once(' ').unwrap_or(("nothing", "–"));
    (answer.to_string(), peak_nodes.to_string(), used)
}

/// The work itself: says the answer and the most nodes that were stored at once, or a question mark
/// if they were not counted.
fn work_alone(kernel: &str, row: &str, counts: bool) {
    let task = Task::named(row);
    let variables = task.variable_count();
    let (answer, peak) = match kernel {
        "symbolon" => {
            let limits =
                Limits { cache_bits: CACHE_BITS, largest_cache_bits: CACHE_BITS, ..Limits::default() };
            let bdd = Bdd::new(variables, Meter::new(Budget::unlimited()), limits).expect("no limit");
            work(Ours { bdd }, &task)
        }
        "oxidd" => {
            let manager = oxidd::bcdd::new_manager(NODES, 1 << CACHE_BITS, 1);
            manager.with_manager_exclusive(|manager| manager.add_vars(variables));
            work(Oxidd { manager, peak: counts.then_some(0) }, &task)
        }
        _ => {
            let set = BddVariableSet::new_anonymous(variables as u16);
            let names = set.variables();
            work(Biodivine { set, names, peak: counts.then_some(0) }, &task)
        }
    };
    println!("{answer} {}", peak.map_or("?".into(), |peak| peak.to_string()));
}

/// What is computed.
enum Task {
    Queens(u32),
    Multiplier(u32),
    Net(SafeNet),
}

impl Task {
    fn named(row: &str) -> Task {
        let (task, size) = row.split_once(':').expect("a row has a size");
        let number = || size.parse().expect("the size is a number");
        match task {
            "queens" => Task::Queens(number()),
            "multiplier" => Task::Multiplier(number()),
            _ => Task::Net(SafeNet::new(size)),
        }
    }

    fn variable_count(&self) -> u32 {
        match self {
            Task::Queens(size) => size * size,
            Task::Multiplier(size) => 2 * size,
            Task::Net(net) => net.bit_count,
        }
    }
}

/// What all three can do.
trait Kernel {
    type Function: Clone + PartialEq;
    /// Variables to quantify.
    type Set;
    fn constant(&mut self, value: bool) -> Self::Function;
    fn variable(&mut self, number: u32) -> Self::Function;
    fn not(&mut self, a: &Self::Function) -> Self::Function;
    fn and(&mut self, a: &Self::Function, b: &Self::Function) -> Self::Function;
    fn or(&mut self, a: &Self::Function, b: &Self::Function) -> Self::Function;
    fn xor(&mut self, a: &Self::Function, b: &Self::Function) -> Self::Function;
    fn set(&mut self, numbers: &[u32]) -> Self::Set;
    /// The conjunction, without the variables of a set.
    fn and_exists(&mut self, a: &Self::Function, b: &Self::Function, set: &Self::Set) -> Self::Function;
    /// How many choices for a given number of variables make it true.
    fn count(&mut self, a: &Self::Function, variables: u32) -> String;
    /// The most nodes that were stored at once, if the kernel knows.
    fn peak_nodes(&mut self) -> Option<usize>;
}

fn work<K: Kernel>(mut kernel: K, task: &Task) -> (String, Option<usize>) {
    let variables = task.variable_count();
    let answer = match task {
        Task::Queens(size) => {
            let board = queens(&mut kernel, *size);
            kernel.count(&board, variables)
        }
        Task::Multiplier(size) => {
            let bits = multiplier(&mut kernel, *size);
            let counts: Vec<String> = bits.iter().map(|bit| kernel.count(bit, variables)).collect();
            counts.join(",")
        }
        Task::Net(net) => {
            let reached = reachable(&mut kernel, net);
            kernel.count(&reached, variables)
        }
    };
    (answer, kernel.peak_nodes())
}

fn reachable<K: Kernel>(kernel: &mut K, net: &SafeNet) -> K::Function {
    let moves: Vec<(K::Function, K::Set, K::Function)> = net
        .moves
        .iter()
        .map(|(needs, sets)| {
            let numbers: Vec<u32> = sets.iter().map(|&(bit, _)| bit).collect();
            (cube(kernel, needs), kernel.set(&numbers), cube(kernel, sets))
        })
        .collect();
    let mut reached = cube(kernel, &net.initial);
    loop {
        let before = reached.clone();
        for (needs, forgotten, sets) in &moves {
            let enabled = kernel.and_exists(&reached, needs, forgotten);
            let moved = kernel.and(&enabled, sets);
            reached = kernel.or(&reached, &moved);
        }
        if reached == before {
            return reached;
        }
    }
}

fn cube<K: Kernel>(kernel: &mut K, literals: &Literals) -> K::Function {
    let mut literals = literals.clone();
    // From the lowest variable up, so that each conjunction makes one node.
    literals.sort_unstable_by_key(|&(bit, _)| std::cmp::Reverse(bit));
    let all = kernel.constant(true);
    literals.into_iter().fold(all, |all, (bit, value)| {
        let variable = kernel.variable(bit);
        let literal = if value { variable } else { kernel.not(&variable) };
        kernel.and(&literal, &all)
    })
}

fn queens<K: Kernel>(kernel: &mut K, n: u32) -> K::Function {
    let squares: Vec<K::Function> = (0..n * n).map(|number| kernel.variable(number)).collect();
    let negated: Vec<K::Function> = squares.iter().map(|square| kernel.not(square)).collect();
    let mut board = kernel.constant(true);
    for row in 0..n {
        let mut some = kernel.constant(false);
        for column in 0..n {
            // From the lowest variable up, so that each conjunction makes one node.
            let mut here = kernel.constant(true);
            for number in (0..n * n).rev() {
                let (rows, columns) = (row.abs_diff(number / n), column.abs_diff(number % n));
                if (rows, columns) == (0, 0) {
                    here = kernel.and(&squares[number as usize], &here);
                } else if rows == 0 || columns == 0 || rows == columns {
                    here = kernel.and(&negated[number as usize], &here);
                }
            }
            some = kernel.or(&some, &here);
        }
        board = kernel.and(&board, &some);
    }
    board
}

fn multiplier<K: Kernel>(kernel: &mut K, n: u32) -> Vec<K::Function> {
    // Bit `i` of the numbers, counted from the lowest.
    let a: Vec<K::Function> = (0..n).map(|bit| kernel.variable(2 * (n - 1 - bit))).collect();
    let b: Vec<K::Function> = (0..n).map(|bit| kernel.variable(2 * (n - 1 - bit) + 1)).collect();
    let zero = kernel.constant(false);
    let mut sum = vec![zero.clone(); 2 * n as usize];
    for (shift, factor) in b.iter().enumerate() {
        let mut carry = zero.clone();
        for (place, bit) in a.iter().enumerate() {
            let product = kernel.and(bit, factor);
            let here = sum[shift + place].clone();
            let half = kernel.xor(&here, &product);
            let both = kernel.and(&here, &product);
            sum[shift + place] = kernel.xor(&half, &carry);
            let passed = kernel.and(&half, &carry);
            carry = kernel.or(&both, &passed);
        }
        sum[shift + a.len()] = carry;
    }
    sum
}

struct Ours {
    bdd: Bdd,
}

const FITS: &str = "no limit is set";

impl Kernel for Ours {
    type Function = Root;
    type Set = VariableSet;

    fn constant(&mut self, value: bool) -> Root {
        self.bdd.constant(value)
    }
    fn variable(&mut self, number: u32) -> Root {
        self.bdd.variable(Variable(number)).expect(FITS)
    }
    fn not(&mut self, a: &Root) -> Root {
        self.bdd.not(a)
    }
    fn and(&mut self, a: &Root, b: &Root) -> Root {
        self.bdd.and(a, b).expect(FITS)
    }
    fn or(&mut self, a: &Root, b: &Root) -> Root {
        self.bdd.or(a, b).expect(FITS)
    }
    fn xor(&mut self, a: &Root, b: &Root) -> Root {
        self.bdd.xor(a, b).expect(FITS)
    }
    fn set(&mut self, numbers: &[u32]) -> VariableSet {
        self.bdd.variable_set(numbers.iter().copied().map(Variable))
    }
    fn and_exists(&mut self, a: &Root, b: &Root, set: &VariableSet) -> Root {
        self.bdd.and_exists(a, b, *set).expect(FITS)
    }
    fn count(&mut self, a: &Root, variables: u32) -> String {
        let set = self.bdd.variable_set((0..variables).map(Variable));
        self.bdd.count(a, set).to_string()
    }
    fn peak_nodes(&mut self) -> Option<usize> {
        Some(self.bdd.statistics().peak_nodes)
    }
}

struct Oxidd {
    manager: BCDDManagerRef,
    /// The most nodes after an operation, if they are counted. It frees none during one.
    peak: Option<usize>,
}

impl Oxidd {
    fn counted(&mut self, answer: BCDDFunction) -> BCDDFunction {
        if let Some(peak) = &mut self.peak {
            *peak = self.manager.with_manager_shared(|manager| manager.num_inner_nodes()).max(*peak);
        }
        answer
    }
}

const ENOUGH: &str = "the nodes suffice";

impl Kernel for Oxidd {
    type Function = BCDDFunction;
    type Set = BCDDFunction;

    fn constant(&mut self, value: bool) -> BCDDFunction {
        self.manager.with_manager_shared(|manager| match value {
            true => BCDDFunction::t(manager),
            false => BCDDFunction::f(manager),
        })
    }
    fn variable(&mut self, number: u32) -> BCDDFunction {
        self.manager.with_manager_shared(|manager| BCDDFunction::var(manager, number)).expect(ENOUGH)
    }
    fn not(&mut self, a: &BCDDFunction) -> BCDDFunction {
        a.not().expect(ENOUGH)
    }
    fn and(&mut self, a: &BCDDFunction, b: &BCDDFunction) -> BCDDFunction {
        self.counted(a.and(b).expect(ENOUGH))
    }
    fn or(&mut self, a: &BCDDFunction, b: &BCDDFunction) -> BCDDFunction {
        self.counted(a.or(b).expect(ENOUGH))
    }
    fn xor(&mut self, a: &BCDDFunction, b: &BCDDFunction) -> BCDDFunction {
        self.counted(a.xor(b).expect(ENOUGH))
    }
    fn set(&mut self, numbers: &[u32]) -> BCDDFunction {
        cube(self, &numbers.iter().map(|&number| (number, true)).collect())
    }
    fn and_exists(&mut self, a: &BCDDFunction, b: &BCDDFunction, set: &BCDDFunction) -> BCDDFunction {
        self.counted(a.apply_exists(BooleanOperator::And, b, set).expect(ENOUGH))
    }
    fn count(&mut self, a: &BCDDFunction, variables: u32) -> String {
        let mut cache = SatCountCache::<BigUint, std::hash::RandomState>::default();
        a.sat_count(variables, &mut cache).to_string()
    }
    fn peak_nodes(&mut self) -> Option<usize> {
        self.peak
    }
}

struct Biodivine {
    set: BddVariableSet,
    names: Vec<BddVariable>,
    /// The most nodes of the operands and the answer of one operation, if they are counted.
    /// Diagrams share no nodes.
    peak: Option<usize>,
}

impl Biodivine {
    fn counted(&mut self, a: &Loose, b: &Loose, answer: Loose) -> Loose {
        if let Some(peak) = &mut self.peak {
            *peak = (a.size() + b.size() + answer.size()).max(*peak);
        }
        answer
    }
}

impl Kernel for Biodivine {
    type Function = Loose;
    type Set = Vec<BddVariable>;

    fn constant(&mut self, value: bool) -> Loose {
        if value { self.set.mk_true() } else { self.set.mk_false() }
    }
    fn variable(&mut self, number: u32) -> Loose {
        self.set.mk_var(self.names[number as usize])
    }
    fn not(&mut self, a: &Loose) -> Loose {
        a.not()
    }
    fn and(&mut self, a: &Loose, b: &Loose) -> Loose {
        self.counted(a, b, a.and(b))
    }
    fn or(&mut self, a: &Loose, b: &Loose) -> Loose {
        self.counted(a, b, a.or(b))
    }
    fn xor(&mut self, a: &Loose, b: &Loose) -> Loose {
        self.counted(a, b, a.xor(b))
    }
    fn set(&mut self, numbers: &[u32]) -> Vec<BddVariable> {
        numbers.iter().map(|&number| self.names[number as usize]).collect()
    }
    fn and_exists(&mut self, a: &Loose, b: &Loose, set: &Vec<BddVariable>) -> Loose {
        self.counted(a, b, Loose::binary_op_with_exists(a, b, op_function::and, set))
    }
    fn count(&mut self, a: &Loose, _: u32) -> String {
        a.exact_cardinality().to_string()
    }
    fn peak_nodes(&mut self) -> Option<usize> {
        self.peak
    }
}

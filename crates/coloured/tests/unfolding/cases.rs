//! Small nets, one for each way in which an unfolding could go wrong.

use crate::{check, unfolded};
use symbolon_budget::{Budget, Interrupted, Limits};
use symbolon_coloured::{
    Arc, Class, ClassId, Domain, Guard, Instances, MemberTerm, MultisetTerm, Net, PlaceId, Relation,
    Transition, UnfoldError, UnfoldLimits, VariableId, fold_sums, unfold,
};

/// A net with one class of this many members, and variables x, y and z over it.
fn net(size: i64) -> Net {
    let mut net = Net::default();
    let class = net.add_class(Class::range("C", 1, size));
    for name in ["x", "y", "z"] {
        net.add_variable(name, class);
    }
    net
}

const C: ClassId = ClassId(0);

fn variable(number: u32) -> MultisetTerm {
    MultisetTerm::Member(MemberTerm::variable(VariableId(number)))
}

fn constant(member: u32) -> MultisetTerm {
    MultisetTerm::Member(MemberTerm::Constant { class: C, member })
}

fn all() -> MultisetTerm {
    MultisetTerm::All(Domain::of(C))
}

fn nothing() -> MultisetTerm {
    MultisetTerm::Empty(Domain::of(C))
}

fn compare(left: u32, relation: Relation, right: u32) -> Guard {
    let side = |number| MemberTerm::variable(VariableId(number));
    Guard::Compare { left: side(left), relation, right: side(right) }
}

fn input(place: PlaceId, tokens: MultisetTerm) -> Arc {
    Arc::Input { place, tokens }
}

fn output(place: PlaceId, tokens: MultisetTerm) -> Arc {
    Arc::Output { place, tokens }
}

/// Checks the meaning of a net, and how many places and transitions it unfolds to.
fn check_sizes(net: &Net, places: usize, transitions: usize) {
    assert!(check(net));
    let unfolded = unfolded(net);
    assert_eq!((unfolded.net.places.len(), unfolded.net.transitions.len()), (places, transitions));
}

#[test]
fn a_variable_in_a_guard_alone_multiplies_bindings() {
    let mut net = net(3);
    let p = net.add_place("p", Domain::of(C), constant(0));
    let arcs = vec![input(p, variable(0))];
    net.add_transition(Transition::new("t", compare(0, Relation::LessOrEqual, 1), arcs));
    check_sizes(&net, 1, 3);
}

#[test]
fn equal_variables_both_stay_in_the_binding() {
    let mut net = net(3);
    let p = net.add_place("p", Domain::of(C), all());
    let guard = Guard::And(vec![compare(0, Relation::Equal, 1), compare(1, Relation::Equal, 2)]);
    net.add_transition(Transition::new("t", guard, vec![input(p, variable(0))]));
    check_sizes(&net, 3, 3);
    let unfolded = unfolded(&net);
    assert_eq!(unfolded.net.transitions[1].id, "t(x=2,y=2,z=2)");
}

#[test]
fn two_variables_cannot_take_one_token_of_a_constant_place() {
    let mut net = net(3);
    let p = net.add_place("p", Domain::of(C), all().plus(constant(2)));
    let q = net.add_place("q", Domain::of(C), all());
    let both = variable(0).plus(variable(1));
    let arcs = vec![input(p, both.clone()), output(p, both), input(q, variable(0))];
    net.add_transition(Transition::new("t", Guard::Constant(true), arcs));
    // Of the pairs x = y only the member with two tokens is left.
    check_sizes(&net, 6, 7);
}

#[test]
fn a_transition_that_never_fires_puts_nothing() {
    let mut net = net(3);
    let p = net.add_place("p", Domain::of(C), all());
    let never = net.add_place("never", Domain::of(C), nothing());
    let q = net.add_place("q", Domain::of(C), nothing());
    let arcs = vec![input(p, variable(0)), input(never, variable(1)), output(q, variable(0))];
    net.add_transition(Transition::new("t", Guard::Constant(true), arcs));
    check_sizes(&net, 3, 0);
}

#[test]
fn all_on_an_input_arc_waits_for_the_last_colour() {
    let mut net = net(4);
    let p = net.add_place("p", Domain::of(C), constant(0));
    let q = net.add_place("q", Domain::of(C), nothing());
    let next = MultisetTerm::Member(MemberTerm::Variable { variable: VariableId(0), shift: 1 });
    let walk = vec![input(p, variable(0)), output(p, variable(0).plus(next))];
    let guard = Guard::Compare {
        left: MemberTerm::variable(VariableId(0)),
        relation: Relation::Less,
        right: MemberTerm::Constant { class: C, member: 2 },
    };
    let inhibitor = Arc::Inhibitor { place: p, tokens: all().times(2) };
    net.add_transition(Transition::new("walk", guard, [walk, vec![inhibitor]].concat()));
    let arcs = vec![input(p, all().minus(variable(1))), output(q, variable(1))];
    net.add_transition(Transition::new("jump", Guard::Constant(true), arcs));
    // The last member is never marked, so only the binding that leaves it out is possible.
    check_sizes(&net, 4, 3);
}

#[test]
fn guards_with_constants_bind_before_anything_is_matched() {
    let mut net = net(300);
    let p = net.add_place("p", Domain(vec![C, C]), MultisetTerm::All(Domain(vec![C, C])));
    let is_constant = |number, member| Guard::Compare {
        left: MemberTerm::Constant { class: C, member },
        relation: Relation::Equal,
        right: MemberTerm::variable(VariableId(number)),
    };
    let guard = Guard::And(vec![is_constant(0, 7), is_constant(1, 8)]);
    let pair = MultisetTerm::colour([VariableId(0), VariableId(1)].map(MemberTerm::variable));
    net.add_transition(Transition::new("t", guard, vec![input(p, pair)]));
    let unfolded = unfolded(&net);
    assert_eq!((unfolded.net.places.len(), unfolded.net.transitions.len()), (90_000, 1));
    assert_eq!(unfolded.net.transitions[0].id, "t(x=8,y=9)");
}

/// A place over four classes of 1024 members, with one token that walks along the diagonal.
fn huge_domain() -> (Net, PlaceId, Domain) {
    let mut net = net(1024);
    let domain = Domain(vec![C; 4]);
    let token = MultisetTerm::colour([MemberTerm::Constant { class: C, member: 0 }; 4]);
    let p = net.add_place("p", domain.clone(), token);
    (net, p, domain)
}

#[test]
fn domains_are_never_listed() {
    let (mut net, p, domain) = huge_domain();
    let step = |shift| MultisetTerm::colour([MemberTerm::Variable { variable: VariableId(0), shift }; 4]);
    let arcs = vec![
        input(p, step(0)),
        output(p, step(1)),
        Arc::Inhibitor { place: p, tokens: MultisetTerm::All(domain.clone()).times(2) },
        Arc::Reset { place: p, tokens: MultisetTerm::All(domain.clone()).minus(step(0)) },
    ];
    net.add_transition(Transition::new("t", Guard::Constant(true), arcs));
    let unfolded = unfolded(&net);
    assert_eq!((unfolded.net.places.len(), unfolded.net.transitions.len()), (1024, 1024));
    assert_eq!(unfolded.unmarkable_count(), (1 << 40) - 1024);
    assert_eq!(unfolded.net.places[1].id, "p[2,2,2,2]");
}

#[test]
fn hopeless_sizes_are_errors() {
    let limits = UnfoldLimits { instances: 1000 };
    let (mut net, p, domain) = huge_domain();
    let failure = |net: &Net| unfold(net, limits, &Budget::unlimited()).expect_err("it is too large");
    let too_large = |what, count, is_exact| UnfoldError::TooLarge { what, count, is_exact };
    net.places[0].initial = MultisetTerm::All(domain.clone());
    assert_eq!(failure(&net), too_large(Instances::Places, 1 << 40, false));
    net.places[0].initial = MultisetTerm::colour([MemberTerm::Constant { class: C, member: 0 }; 4]);
    let put_all = vec![output(p, MultisetTerm::All(domain))];
    net.add_transition(Transition::new("t", Guard::Constant(true), put_all));
    assert_eq!(failure(&net), too_large(Instances::Places, 1 << 40, false));
    // Dependent variables: the join gives up at the limit.
    let mut net = self::net(50);
    let p = net.add_place("p", Domain(vec![C, C]), MultisetTerm::Empty(Domain(vec![C, C])));
    let pair = MultisetTerm::colour([VariableId(0), VariableId(1)].map(MemberTerm::variable));
    net.add_transition(Transition::new("t", Guard::Constant(true), vec![output(p, pair)]));
    assert_eq!(failure(&net), too_large(Instances::Transitions, 1001, false));
    // Independent ones are counted.
    let arcs = (0..3).map(|number| output(PlaceId(0), variable(number))).collect();
    let mut net = self::net(50);
    net.add_place("p", Domain::of(C), nothing());
    net.add_transition(Transition::new("t", Guard::Constant(true), arcs));
    assert_eq!(failure(&net), too_large(Instances::Transitions, 125_000, true));
}

#[test]
fn too_many_tokens_are_an_error() {
    let mut net = net(2);
    let many = constant(0).times(1 << 62);
    net.add_place("p", Domain::of(C), many.clone().plus(many.clone()));
    let failure = unfold(&net, UnfoldLimits::default(), &Budget::unlimited()).expect_err("too many tokens");
    assert_eq!(failure, UnfoldError::TooManyTokens("p".into()));
    net.places[0].initial = nothing();
    let arcs = vec![output(PlaceId(0), many.clone().plus(many))];
    net.add_transition(Transition::new("t", Guard::Constant(true), arcs));
    let failure = unfold(&net, UnfoldLimits::default(), &Budget::unlimited()).expect_err("too many tokens");
    assert_eq!(failure, UnfoldError::TooManyTokens("t".into()));
}

#[test]
fn unfolding_can_be_interrupted() {
    let mut net = net(1000);
    let p = net.add_place("p", Domain(vec![C, C]), MultisetTerm::All(Domain(vec![C, C])));
    let pair = MultisetTerm::colour([VariableId(0), VariableId(1)].map(MemberTerm::variable));
    net.add_transition(Transition::new("t", Guard::Constant(true), vec![input(p, pair)]));
    let budget = Budget::unlimited();
    budget.cancel();
    let failure = unfold(&net, UnfoldLimits::default(), &budget).expect_err("cancelled");
    assert_eq!(failure, UnfoldError::Interrupted(Interrupted::Cancelled));
    let budget = Budget::for_job(Limits { memory: Some(1 << 20), ..Limits::default() });
    let failure = unfold(&net, UnfoldLimits::default(), &budget).expect_err("one megabyte");
    assert_eq!(failure, UnfoldError::Interrupted(Interrupted::Memory));
    assert_eq!(budget.memory().charged(), 0);
}

#[test]
fn wide_transitions_are_no_danger() {
    // Twenty thousand input arcs, half of them with a variable.
    let mut net = net(2);
    let dot = net.add_class(Class::dot());
    let mut arcs = Vec::new();
    for number in 0..10_000 {
        let black = MultisetTerm::All(Domain::of(dot));
        let place = net.add_place(format!("b{number}"), Domain::of(dot), black.clone());
        arcs.push(input(place, black));
        let place = net.add_place(format!("c{number}"), Domain::of(C), all());
        arcs.push(input(place, variable(0)));
    }
    net.add_transition(Transition::new("t", Guard::Constant(true), arcs));
    let unfolded = unfolded(&net);
    assert_eq!((unfolded.net.transitions.len(), unfolded.net.arc_count()), (2, 40_000));
}

#[test]
fn sums_over_classes_become_all() {
    let check = |sum: MultisetTerm, expected: MultisetTerm| {
        let mut net = net(3);
        net.add_place("p", Domain::of(C), sum.clone());
        let folded = fold_sums(&net);
        assert_eq!(folded.check(), Ok(()));
        assert_eq!(folded.places[0].initial, expected, "{sum:?}");
    };
    let sum = |members: &[u32]| MultisetTerm::Sum(members.iter().map(|&member| constant(member)).collect());
    check(sum(&[1, 0, 2]), all());
    check(sum(&[1, 0, 2, 0]), all().plus(constant(0)));
    check(sum(&[2, 1]), all().minus(constant(0)));
    check(sum(&[2, 2]), sum(&[2, 2]));
    check(sum(&[0, 1, 2]).times(4), all().times(4));
    // Over a product, position by position.
    let mut net = net(2);
    let pairs = |with: [MultisetTerm; 2]| MultisetTerm::Tuple(with.into());
    let terms = (0..4).map(|number| pairs([constant(number / 2), constant(number % 2)])).collect();
    net.add_place("p", Domain(vec![C, C]), MultisetTerm::Sum(terms));
    assert_eq!(fold_sums(&net).places[0].initial, pairs([all(), all()]));
}

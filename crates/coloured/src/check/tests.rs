use super::*;
use crate::arc::Arc;
use crate::class::{Part, PartId};
use crate::guard::Relation;
use crate::ids::{PartitionId, PlaceId, VariableId};
use crate::net::Page;

/// A class in a circle with two parts, a list, places over one and both, and a transition.
fn net() -> Net {
    let mut net = Net::default();
    let circle = net.add_class(Class::cyclic("C", ["a", "b", "c"]));
    let list = net.add_class(Class::listed("L", ["u", "v"]));
    let part = |id: &str, members: &[u32]| Part { id: id.into(), label: None, members: members.to_vec() };
    net.partitions.push(Partition {
        id: "halves".into(),
        label: None,
        class: circle,
        parts: vec![part("low", &[0, 1]), part("high", &[2])],
    });
    let x = net.add_variable("x", circle);
    let y = net.add_variable("y", list);
    let pair = Domain(vec![circle, list]);
    let p = net.add_place("p", Domain::of(circle), MultisetTerm::All(Domain::of(circle)));
    let q = net.add_place("q", pair.clone(), MultisetTerm::Empty(pair));
    let guard = Guard::CompareParts {
        partition: PartitionId(0),
        left: PartTerm::Of(MemberTerm::variable(x)),
        relation: Relation::Equal,
        right: PartTerm::Part(1),
    };
    let both = MultisetTerm::colour([MemberTerm::variable(x), MemberTerm::variable(y)]);
    let part = MultisetTerm::Part(PartId { partition: PartitionId(0), part: 0 });
    let arcs = vec![Arc::Output { place: q, tokens: both }, Arc::Input { place: p, tokens: part }];
    net.add_transition(Transition::new("t", guard, arcs));
    net
}

#[test]
fn a_good_net_passes() {
    let net = net();
    assert_eq!(net.check(), Ok(()));
    assert_eq!(net.transitions[0].variables(), [VariableId(0), VariableId(1)]);
}

#[test]
fn each_invariant_is_checked() {
    let check = |code: &str, change: fn(&mut Net)| {
        let mut changed = net();
        change(&mut changed);
        let message = changed.check().expect_err(code).to_string();
        assert!(message.starts_with(code), "{code}: {message}");
    };
    check("COL-1", |net| net.classes[1].id = "C".into());
    check("COL-1", |net| net.partitions[0].id = "L".into());
    check("COL-1", |net| net.partitions[0].parts[1].id = "low".into());
    check("COL-1", |net| net.places[1].id = "p".into());
    check("COL-1", |net| net.classes[0] = Class::cyclic("C", ["a", "b", "a"]));
    check("COL-2", |net| net.classes[1] = Class::range("L", 2, 1));
    check("COL-2", |net| net.classes[1] = Class::range("L", 1, 1_000_000_000));
    check("COL-2", |net| net.classes[1] = Class::range("L", i64::MIN, i64::MAX));
    check("COL-2", |net| net.places[0].domain.0.clear());
    check("COL-2", |net| net.places[0].domain = Domain(vec![ClassId(0); 50]));
    check("COL-2", |net| {
        let second = Class { id: "black".into(), ..Class::dot() };
        net.classes.extend([Class::dot(), second]);
    });
    check("COL-3", |net| net.partitions[0].parts[1].members = vec![1, 2]);
    check("COL-3", |net| net.partitions[0].parts[1].members.clear());
    check("COL-3", |net| net.classes[0] = Class::range("C", 1, 4));
    check("COL-4", |net| net.places[0].domain = Domain::of(ClassId(1)));
    check("COL-4", |net| net.variables[0].class = ClassId(1));
    check("COL-4", |net| net.variables[0].class = ClassId(7));
    check("COL-4", |net| {
        let (left, right) = (MemberTerm::variable(VariableId(0)), MemberTerm::variable(VariableId(1)));
        net.transitions[0].guard = Guard::Compare { left, relation: Relation::Less, right };
    });
    check("COL-4", |net| {
        let terms =
            vec![MultisetTerm::All(Domain::of(ClassId(0))), MultisetTerm::All(Domain::of(ClassId(1)))];
        net.places[0].initial = MultisetTerm::Sum(terms);
    });
    let member = |variable, shift| {
        MultisetTerm::Member(MemberTerm::Variable { variable: VariableId(variable), shift })
    };
    let mut shifted = net();
    shifted.transitions[0].arcs[0] = Arc::Input { place: PlaceId(0), tokens: member(0, -2) };
    assert_eq!(shifted.check(), Ok(()));
    shifted.transitions[0].arcs[0] = Arc::Input { place: PlaceId(0), tokens: member(0, 3) };
    assert!(matches!(shifted.check(), Err(BrokenNet::Form(_))));
    check("COL-5", |net| net.transitions[0].guard = Guard::And(vec![Guard::Constant(true)]));
    check("COL-5", |net| {
        net.places[0].initial = MultisetTerm::All(Domain::of(ClassId(0))).times(1 << 63);
    });
    check("COL-5", |net| {
        net.places[0].initial = MultisetTerm::Member(MemberTerm::variable(VariableId(0)));
    });
    check("COL-5", |net| {
        net.places[0].initial = MultisetTerm::Member(MemberTerm::Constant { class: ClassId(0), member: 3 });
    });
    check("COL-6", |net| net.transitions[0].arcs.reverse());
    check("COL-6", |net| net.pages.push(Page { id: "one".into(), parent: Some(PageId(0)) }));
    check("COL-6", |net| net.places[0].page = Some(PageId(0)));
}

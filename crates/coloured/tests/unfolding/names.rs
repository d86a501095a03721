//! Instances have the names of the source.

use crate::unfolded;
use symbolon_coloured::{
    Arc, Class, Domain, Guard, MemberTerm, Members, MultisetTerm, Net, PlaceId, Transition, TransitionId,
};
use symbolon_model::{Origin, VariableId};

/// Philosophers who take both forks at once: `think` and `eat` over a class, `forks` too, and a dot
/// place that counts meals.
fn philosophers(class: Class) -> Net {
    let mut net = Net::default();
    let class = net.add_class(class);
    let dot = net.add_class(Class::dot());
    let x = net.add_variable("x", class);
    let domain = Domain::of(class);
    let think = net.add_place("think", domain.clone(), MultisetTerm::All(domain.clone()));
    let fork = net.add_place("fork", domain.clone(), MultisetTerm::All(domain.clone()));
    let eat = net.add_place("eat", domain.clone(), MultisetTerm::Empty(domain));
    let meals = net.add_place("meals", Domain::of(dot), MultisetTerm::Empty(Domain::of(dot)));
    let one = || MultisetTerm::Member(MemberTerm::variable(x));
    let next = MultisetTerm::Member(MemberTerm::Variable { variable: x, shift: 1 });
    let both = MultisetTerm::Sum(vec![one(), next]);
    let meal = MultisetTerm::Member(MemberTerm::Constant { class: dot, member: 0 });
    let take = vec![
        Arc::Input { place: think, tokens: one() },
        Arc::Input { place: fork, tokens: both.clone() },
        Arc::Output { place: eat, tokens: one() },
    ];
    let put = vec![
        Arc::Input { place: eat, tokens: one() },
        Arc::Output { place: fork, tokens: both },
        Arc::Output { place: think, tokens: one() },
        Arc::Output { place: meals, tokens: meal },
    ];
    net.add_transition(Transition::new("take", Guard::Constant(true), take));
    net.add_transition(Transition::new("put", Guard::Constant(true), put));
    net
}

fn place_names(net: &Net) -> Vec<String> {
    unfolded(net).net.places.into_iter().map(|place| place.id).collect()
}

#[test]
fn instances_are_named_after_their_colours() {
    let net = philosophers(Class::range("Philosopher", 1, 3));
    let unfolded = unfolded(&net);
    let names: Vec<&str> = unfolded.net.places.iter().map(|place| &*place.id).collect();
    assert_eq!(names[..4], ["think[1]", "think[2]", "think[3]", "fork[1]"]);
    assert_eq!(names[9], "meals");
    let names: Vec<&str> = unfolded.net.transitions.iter().map(|transition| &*transition.id).collect();
    assert_eq!(names, ["take(x=1)", "take(x=2)", "take(x=3)", "put(x=1)", "put(x=2)", "put(x=3)"]);
    assert_eq!(unfolded.places_of(PlaceId(1)), 3..6);
    assert_eq!(unfolded.transitions_of(TransitionId(1)), 3..6);
    let origins = unfolded.origins(&net);
    assert_eq!(origins.of(VariableId(4)), Origin::Colour { place: "fork", colour: "2" });
    assert_eq!(origins.of(VariableId(9)), Origin::Place);
}

#[test]
fn ids_stand_in_where_names_do_not_tell_members_apart() {
    let with_labels = |labels: [&str; 2]| {
        let mut class = Class::cyclic("C", ["a", "b"]);
        if let Members::Cyclic(constants) = &mut class.members {
            for (constant, label) in constants.iter_mut().zip(labels) {
                constant.label = Some(label.into());
            }
        }
        place_names(&philosophers(class))[..2].to_vec()
    };
    assert_eq!(with_labels(["Ada", "Bob"]), ["think[Ada]", "think[Bob]"]);
    assert_eq!(with_labels(["Ada", "Ada"]), ["think[a]", "think[b]"]);
    assert_eq!(with_labels(["Ada", "a, b"]), ["think[a]", "think[b]"]);
    let odd = Class::cyclic("C", ["a]", "b c"]);
    assert_eq!(place_names(&philosophers(odd))[..2], ["think[#1]", "think[#2]"]);
}

#[test]
fn ids_that_look_like_instances_stay_distinct() {
    let mut net = philosophers(Class::range("Philosopher", 1, 2));
    net.places[3].id = "think[1]".into();
    net.transitions[1].id = "take(x=1)".into();
    let names = place_names(&net);
    assert_eq!(names[0], "think[1]");
    assert_eq!(names[6], "think[1]'");
}

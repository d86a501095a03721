//! What is written is read back as an equal net.

use symbolon_budget::Budget;
use symbolon_coloured::read::read_pnml;
use symbolon_coloured::write::write_pnml;
use symbolon_coloured::{Class, Constant, Domain, Members, MultisetTerm, Net, Page, PageId, Position};
use symbolon_petri::ReadFailure;
use symbolon_testkit::{corpus_folder, random_coloured_net, seeds};

fn read(bytes: &[u8]) -> Net {
    match read_pnml(bytes, &Budget::unlimited()) {
        Ok(reading) => {
            assert_eq!(reading.warnings, []);
            reading.net
        }
        Err(ReadFailure::Invalid(error)) => panic!("{:?}", error.diagnostics),
        Err(ReadFailure::Interrupted(reason)) => panic!("unlimited, yet {reason}"),
    }
}

fn check(net: &Net) {
    let text = write_pnml(net);
    assert_eq!(read(text.as_bytes()), *net, "{text}");
}

#[test]
fn the_nets_of_the_corpus_survive() {
    let Some(folder) = corpus_folder("coloured nets") else { return };
    let mut count = 0;
    for entry in std::fs::read_dir(folder.join("mcc")).expect("the contest's nets are there").flatten() {
        if entry.file_name().to_string_lossy().contains("-COL-") {
            let bytes = std::fs::read(entry.path().join("model.pnml")).expect("it can be read");
            check(&read(&bytes));
            count += 1;
        }
    }
    assert_eq!(count, 55);
}

#[test]
fn random_nets_survive() {
    for seed in seeds(500) {
        let net = random_coloured_net(seed);
        // A constant of a range is written with its range: equal ranges cannot be told apart.
        let ranges: Vec<&Class> =
            net.classes.iter().filter(|class| matches!(class.members, Members::Range { .. })).collect();
        let has_twins =
            ranges.iter().any(|one| ranges.iter().filter(|other| other.members == one.members).count() > 1);
        if !has_twins {
            check(&net);
        }
    }
}

#[test]
fn labels_positions_and_pages_survive() {
    let mut net = Net { name: "labels & \"quotes\"".into(), ..Net::default() };
    let class = net.add_class(Class::cyclic("C", ["a", "b"]));
    let dot = net.add_class(Class::dot());
    if let Members::Cyclic(constants) = &mut net.classes[0].members {
        constants[0].label = Some("<first>".into());
    }
    net.classes[0].label = Some("Colours".into());
    for (id, page) in [("outer", None), ("inner", Some(1)), ("deep", Some(2)), ("other", Some(3))] {
        let class = if page.is_some() { class } else { dot };
        let place = net.add_place(id, Domain::of(class), MultisetTerm::Empty(Domain::of(class)));
        net.places[place.index()].page = page.map(PageId);
        net.places[place.index()].label = Some(format!("{id} place").into());
        net.places[place.index()].position = Some(Position { x: 105, y: -20 });
    }
    for (id, parent) in [("one", None), ("two", None), ("three", Some(1)), ("four", None)] {
        net.pages.push(Page { id: id.into(), parent: parent.map(PageId) });
    }
    assert_eq!(net.check(), Ok(()));
    check(&net);
}

#[test]
fn constants_of_two_classes_get_ids_of_their_own() {
    let mut net = Net { name: "n".into(), ..Net::default() };
    net.add_class(Class::listed("A", ["1", "2"]));
    net.add_class(Class::listed("B", ["1", "2"]));
    let again = read(write_pnml(&net).as_bytes());
    let renamed = |id: &str, label: &str| Constant { id: id.into(), label: Some(label.into()) };
    assert_eq!(again.classes[0], net.classes[0]);
    assert_eq!(again.classes[1].constants(), [renamed("B.1", "1"), renamed("B.2", "2")]);
}

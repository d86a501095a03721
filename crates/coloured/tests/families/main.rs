//! The built-in coloured nets: what they are called, and how many states they have.

mod direct;

use symbolon_budget::Budget;
use symbolon_coloured::families::{families, generate, parse};
use symbolon_coloured::read::read_pnml;
use symbolon_coloured::text::{guess, print_text, read_text};
use symbolon_coloured::{UnfoldLimits, unfold};
use symbolon_explicit::{Options, explore};
use symbolon_petri::lower;
use symbolon_testkit::corpus_folder;

fn counts(call: &str) -> (usize, usize) {
    direct::counts(&generate(call, &Budget::unlimited()).unwrap_or_else(|error| panic!("{call}: {error}")))
}

fn unfolded_counts(call: &str) -> (usize, usize) {
    let budget = Budget::unlimited();
    let net = generate(call, &budget).unwrap_or_else(|error| panic!("{call}: {error}"));
    let unfolded = unfold(&net, UnfoldLimits::default(), &budget).expect(call);
    let found = explore(&lower(&unfolded.net), &Options::default(), &budget).expect(call);
    (found.state_count(), found.edge_count() as usize)
}

#[test]
fn small_members_have_the_known_numbers_of_states() {
    for (call, states) in [
        ("client-server:2,2", 34),
        ("client-server:5,2", 4864),
        ("distributed-db:2", 7),
        ("distributed-db:3", 28),
        ("distributed-db:2,pairs", 7),
        ("distributed-db:4,pairs", 109),
        ("peterson-coloured:2", 9),
        ("peterson-coloured:3", 55),
        ("peterson-coloured:4", 441),
        ("cs-wave:2", 5 * 3),
        ("cs-wave:4", 7 * 27),
        ("cs-wave:6", 9 * 243),
        ("philosophers-coloured:2", 9),
        ("philosophers-coloured:5", 243),
    ] {
        assert_eq!(counts(call).0, states, "{call}");
    }
    assert_eq!(counts("client-server:5,2").1, 24640);
    assert_eq!(counts("philosophers-coloured:5").1, 945);
}

/// Larger members, by unfolding them; smaller ones, where the direct interpreter says the same.
#[test]
fn unfolded_members_have_the_known_numbers_of_states() {
    for (call, states) in [
        ("client-server:5,2", 4864),
        ("distributed-db:8", 17497),
        ("distributed-db:8,pairs", 17497),
        ("peterson-coloured:5", 4361),
        ("peterson-coloured:6", 51133),
        ("cs-wave:7", 10 * 729),
        ("philosophers-coloured:8", 6561),
    ] {
        assert_eq!(unfolded_counts(call).0, states, "{call}");
    }
    for call in ["client-server:3,2", "distributed-db:4,pairs", "peterson-coloured:3", "cs-wave:4"] {
        assert_eq!(unfolded_counts(call), counts(call), "{call}");
    }
}

/// The nets of the paper, as others wrote them, have as many states and edges.
#[test]
fn the_nets_of_the_paper_agree() {
    let Some(folder) = corpus_folder("nets of the paper") else { return };
    for (file, call) in [
        ("ClientServer-COL-C02S02", "client-server:2,2"),
        ("ClientServer-COL-C05S02", "client-server:5,2"),
        ("DistributedDB-COL-03", "distributed-db:3,pairs"),
        ("DistributedDB-COL-05", "distributed-db:5,pairs"),
    ] {
        let bytes = std::fs::read(folder.join("symmetric").join(format!("{file}.pnml"))).expect(file);
        let net = read_pnml(&bytes, &Budget::unlimited()).expect(file).net;
        assert_eq!(direct::counts(&net), counts(call), "{file}");
    }
}

#[test]
fn every_family_gives_a_net_that_survives_as_text() {
    let budget = Budget::unlimited();
    for family in families() {
        assert!(family.summary.len() < 100 && !family.description.is_empty() && !family.origin.is_empty());
        let net = generate(&family.example(), &budget).expect(family.name);
        assert_eq!((net.check(), net.name.as_str()), (Ok(()), &*family.example()));
        assert_eq!(read_text(print_text(&net).as_bytes(), &budget).expect(family.name).net, net);
        let smallest = family.parameters.iter().map(|parameter| parameter.smallest.to_string());
        let call = format!("{}:{}", family.name, smallest.collect::<Vec<_>>().join(","));
        assert_eq!(generate(&call, &budget).expect(&call).check(), Ok(()));
    }
    // Classes are never listed in the text, so large nets are written at once.
    assert_eq!(generate("philosophers-coloured:1000000", &budget).expect("a large net").places.len(), 5);
}

#[test]
fn wrong_calls_are_told() {
    for (call, message) in [
        ("client-sever:5,2", "there is no built-in family 'client-sever'; did you mean 'client-server'?"),
        (
            "client-server:5",
            "'client-server' takes 2 parameters (C: clients, S: servers), found 1; write for instance 'client-server:5,2'",
        ),
        ("cs-wave:1", "N of 'cs-wave' must lie between 2 and 1000000, found 1"),
        (
            "cs-wave:99999999999999999999",
            "N of 'cs-wave' must lie between 2 and 1000000, found 99999999999999999999",
        ),
        (
            "distributed-db:3,pears",
            "'pears' is not a number; 'distributed-db' takes 1 parameter (N: sites), and maybe 'pairs': messages name \
             their sender, too, for instance 'distributed-db:5'",
        ),
    ] {
        let error = generate(call, &Budget::unlimited()).expect_err(call);
        assert_eq!(error.to_string(), message);
    }
    let (family, choice) = parse("distributed-db: 7 , pairs").expect("a good call");
    assert_eq!(
        (family.name, &choice.parameters[..], choice.variant),
        ("distributed-db", &[7][..], Some("pairs"))
    );
}

/// The nets that the book shows can be read, and are those that are built in.
#[test]
fn the_examples_of_the_book_are_right() {
    let page = include_str!("../../../../book/src/reference/coloured-nets.md");
    let mut found = Vec::new();
    for block in page.split("```text,file=").skip(1) {
        let (name, rest) = block.split_once('\n').expect("a name");
        let text = rest.split("```").next().expect("an end");
        assert!(guess(text), "{name}");
        let net = read_text(text.as_bytes(), &Budget::unlimited())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        found.push((name, direct::counts(&net.net)));
    }
    assert_eq!(found, [("philosophers.cnet", (243, 945)), ("client-server.cnet", (4864, 24640))]);
}

//! The public-key protocol of Needham and Schroeder, with an intruder who is the network.
//!
//! ```text
//! 1  A to B   {Na, A}_Kb
//! 2  B to A   {Na, Nb}_Ka        repaired: {Na, Nb, B}_Ka
//! 3  A to B   {Nb}_Kb
//! ```
//!
//! Every message goes to the intruder, who keeps it, opens it where it is meant for him, passes it
//! on, or makes one of what he knows. So the environment remembers what was sent and what it has
//! delivered, and its protocol says what can be delivered next: what was seen, and what can be
//! composed. A message that its receiver would throw away need not be delivered, except the one
//! that Lowe's repair throws away.

use super::{Family, Parameter, Variant, joined};

pub(super) const FAMILY: Family = Family {
    name: "needham-schroeder",
    summary: "the Needham-Schroeder public-key protocol with an intruder",
    description: "Alice begins N sessions, each with Bob or with the intruder, and Bob answers N. The intruder is the network \
        and a principal of his own. Bob may come to trust a session with Alice that she never began, and the intruder then \
        knows Bob's secret: the attack of Lowe. Repaired, the second message names its sender, and Bob knows whom he talks to. \
        In both, Alice knows that Bob has answered her.",
    origin: "Needham, Schroeder, CACM 1978; G. Lowe, An attack on the Needham-Schroeder public-key authentication protocol, IPL 1995",
    parameters: &[Parameter {
        name: "N",
        meaning: "sessions of Alice, and as many of Bob",
        smallest: 1,
        largest: 6,
        example: 1,
        default: Some(1),
    }],
    variants: &[
        Variant { name: "original", meaning: "as published in 1978", largest: None },
        Variant { name: "repaired", meaning: "with the sender's name in the second message", largest: None },
    ],
    write,
};

fn write(parameters: &[u64], variant: &'static str) -> String {
    let protocol = Protocol { sessions: parameters[0], is_repaired: variant == "repaired" };
    let n = protocol.sessions;
    let mut text = format!(
        "\
-- The Needham-Schroeder public-key protocol, {variant}, with {n} sessions on each side.
-- na1 is Alice's nonce in her first session, nb1 Bob's in his, ni one of the intruder.
Semantics = SingleAssignment;

"
    );
    text.push_str(&protocol.intruder());
    (1..=n).for_each(|i| text.push_str(&protocol.alice(i)));
    (1..=n).for_each(|j| text.push_str(&protocol.bob(j)));
    text.push_str(&protocol.questions());
    text
}

/// What is written: how many sessions, and which version.
struct Protocol {
    sessions: u64,
    is_repaired: bool,
}

impl Protocol {
    /// Nonces that may be in the first message, behind the word for none.
    fn first_nonces(&self) -> Vec<String> {
        std::iter::once("ni".to_string()).chain((1..=self.sessions).map(|i| format!("na{i}"))).collect()
    }

    /// Nonces that may be the second one in the second message.
    fn second_nonces(&self) -> Vec<String> {
        std::iter::once("ni".to_string()).chain((1..=self.sessions).map(|j| format!("nb{j}"))).collect()
    }

    /// The deliveries of a first message to a session of Bob: action, nonce, who is said to have
    /// sent it.
    fn first_messages(&self, j: u64) -> Vec<(String, String, &'static str)> {
        let message = |nonce: &String, sender: &'static str| {
            (format!("one{j}_{nonce}_{sender}"), nonce.clone(), sender)
        };
        let nonces = self.first_nonces();
        nonces.iter().flat_map(|nonce| ["alice", "intruder"].map(|sender| message(nonce, sender))).collect()
    }

    /// The deliveries of a second message with this nonce to a session of Alice, with the name in
    /// it.
    fn second_messages(&self, i: u64, nonce: &str) -> Vec<(String, &'static str)> {
        match self.is_repaired {
            false => vec![(format!("two{i}_{nonce}"), "")],
            true => ["bob", "intruder"].map(|name| (format!("two{i}_{nonce}_{name}"), name)).into(),
        }
    }

    /// What must hold for the intruder to know a nonce of Bob.
    fn knows_second(&self, j: u64, owner: &str) -> String {
        let told = joined(self.sessions, "", |i| {
            format!(" or ({owner}closed{i} = intruder and {owner}given{i} = nb{j})")
        });
        format!("(({owner}answered{j} = true and {owner}as{j} = intruder){told})")
    }

    fn intruder(&self) -> String {
        let n = self.sessions;
        let lines = |text: &dyn Fn(u64) -> String| joined(n, "", text);
        let variables = lines(&|i| {
            format!(
                "    opened{i} : {{ no, bob, intruder }};\n    given{i} : {{ nothing, {} }};\n    closed{i} : {{ no, bob, intruder }};\n",
                self.second_nonces().join(", ")
            )
        }) + &lines(&|j| {
            format!(
                "    told{j} : {{ nothing, {} }};\n    as{j} : {{ nobody, alice, intruder }};\n    answered{j} : boolean;\n",
                self.first_nonces().join(", ")
            )
        });
        let mut actions = vec!["listen".to_string()];
        let mut protocol = String::from("    told1 = nothing or !(told1 = nothing) : { listen };\n");
        let mut evolution = String::new();
        let mut deliver = |condition: &str, action: &str| {
            protocol.push_str(&format!("    {condition} : {{ {action} }};\n"));
            if !actions.contains(&action.to_string()) {
                actions.push(action.to_string());
            }
        };
        for j in 1..=n {
            for (action, nonce, sender) in self.first_messages(j) {
                let known = match (nonce.strip_prefix("na"), sender) {
                    (None, _) => String::new(),
                    // What he cannot open he passes on as it is.
                    (Some(i), "alice") => format!(" and !(opened{i} = no)"),
                    (Some(i), _) => format!(" and opened{i} = intruder"),
                };
                deliver(&format!("told{j} = nothing{known}"), &action);
                evolution.push_str(&format!("    told{j} = {nonce} if Action = {action};\n"));
                evolution.push_str(&format!("    as{j} = {sender} if Action = {action};\n"));
            }
            let passed_on = joined(n, "", |i| format!(" or (closed{i} = bob and given{i} = nb{j})"));
            deliver(
                &format!("answered{j} = true and ({}{passed_on})", self.knows_second(j, "")),
                &format!("three{j}"),
            );
            evolution.push_str(&format!("    answered{j} = true if Bob{j}.Action = answer;\n"));
        }
        for i in 1..=n {
            for nonce in self.second_nonces() {
                let bob = nonce.strip_prefix("nb").and_then(|j| j.parse().ok());
                for (action, name) in self.second_messages(i, &nonce) {
                    let expects = format!("!(opened{i} = no) and given{i} = nothing");
                    // Composed of what he knows: Alice's nonce, if she has sent it to him, and the
                    // other one.
                    let known = bob.map_or(String::new(), |j| format!(" and {}", self.knows_second(j, "")));
                    deliver(&format!("{expects} and opened{i} = intruder{known}"), &action);
                    if let (Some(j), "" | "bob") = (bob, name) {
                        let seen = format!("answered{j} = true and as{j} = alice and told{j} = na{i}");
                        deliver(&format!("{expects} and {seen}"), &action);
                    }
                    evolution.push_str(&format!("    given{i} = {nonce} if Action = {action};\n"));
                }
            }
            for partner in ["bob", "intruder"] {
                evolution
                    .push_str(&format!("    opened{i} = {partner} if Alice{i}.Action = open_{partner};\n"));
                evolution
                    .push_str(&format!("    closed{i} = {partner} if Alice{i}.Action = close_{partner};\n"));
            }
        }
        format!(
            "\
-- The intruder: what he has seen, and what he has delivered.
Agent Environment
  Vars:
{variables}  end Vars
  Actions = {{ {} }};
  Protocol:
{protocol}  end Protocol
  Evolution:
{evolution}  end Evolution
end Agent

",
            actions.join(", ")
        )
    }

    fn alice(&self, i: u64) -> String {
        let mut accepted = String::new();
        let mut got = String::new();
        for nonce in self.second_nonces() {
            for (action, name) in self.second_messages(i, &nonce) {
                let is_meant = if name.is_empty() { String::new() } else { format!(" and partner = {name}") };
                let condition = format!("step = waiting and Environment.Action = {action}{is_meant}");
                accepted.push_str(&format!("    step = answering if {condition};\n"));
                got.push_str(&format!("    got = {nonce} if {condition};\n"));
            }
        }
        format!(
            "\
Agent Alice{i}
  Vars:
    partner : {{ bob, intruder }};
    step : {{ ready, waiting, answering, done }};
    got : {{ nothing, {} }};
  end Vars
  Actions = {{ wait, open_bob, open_intruder, close_bob, close_intruder }};
  Protocol:
    step = ready and partner = bob : {{ wait, open_bob }};
    step = ready and partner = intruder : {{ wait, open_intruder }};
    step = answering and partner = bob : {{ close_bob }};
    step = answering and partner = intruder : {{ close_intruder }};
    Other : {{ wait }};
  end Protocol
  Evolution:
    step = waiting if Action = open_bob or Action = open_intruder;
{accepted}    step = done if Action = close_bob or Action = close_intruder;
{got}  end Evolution
end Agent

",
            self.second_nonces().join(", ")
        )
    }

    fn bob(&self, j: u64) -> String {
        let mut evolution = String::new();
        for (action, nonce, sender) in self.first_messages(j) {
            let condition = format!("step = ready and Environment.Action = {action}");
            evolution.push_str(&format!("    step = answering if {condition};\n"));
            evolution.push_str(&format!("    nonce = {nonce} if {condition};\n"));
            evolution.push_str(&format!("    partner = {sender} if {condition};\n"));
        }
        format!(
            "\
Agent Bob{j}
  Vars:
    partner : {{ nobody, alice, intruder }};
    step : {{ ready, answering, waiting, done }};
    nonce : {{ nothing, {} }};
  end Vars
  Actions = {{ wait, answer }};
  Protocol:
    step = answering : {{ answer }};
    Other : {{ wait }};
  end Protocol
  Evolution:
{evolution}    step = waiting if Action = answer;
    step = done if step = waiting and Environment.Action = three{j};
  end Evolution
end Agent

",
            self.first_nonces().join(", ")
        )
    }

    fn questions(&self) -> String {
        let n = self.sessions;
        let trusts = |j: u64| format!("Bob{j}.step = done and Bob{j}.partner = alice");
        let meant = |j: u64| {
            joined(n, " or ", |i| {
                format!("(Bob{j}.nonce = na{i} and Alice{i}.partner = bob and !(Alice{i}.step = ready))")
            })
        };
        let known = |j: u64| self.knows_second(j, "Environment.");
        let answered = joined(n, " or ", |j| {
            format!(
                "(Bob{j}.nonce = na1 and Bob{j}.partner = alice and (Bob{j}.step = waiting or Bob{j}.step = done))"
            )
        });
        let initially = joined(n, " and ", |i| {
            format!(
                "Environment.opened{i} = no and Environment.given{i} = nothing and Environment.closed{i} = no\n    \
                 and Environment.told{i} = nothing and Environment.as{i} = nobody and Environment.answered{i} = false\n    \
                 and Alice{i}.step = ready and Alice{i}.got = nothing\n    \
                 and Bob{i}.step = ready and Bob{i}.partner = nobody and Bob{i}.nonce = nothing"
            )
        });
        format!(
            "\
Evaluation
  willing if {};
  trusted if {};
  deceived if {};
  betrayed if {};
  trusts1 if {};
  meant1 if {};
  closed1 if Alice1.step = done and Alice1.partner = bob;
  answered1 if {answered};
end Evaluation

InitStates
  {initially};
end InitStates

Formulae
  willing -> EF trusted;
  AG !deceived;
  AG !betrayed;
  AG (trusts1 -> K(Bob1, meant1));
  AG (closed1 -> K(Alice1, answered1));
end Formulae
",
            joined(n, " or ", |i| format!("Alice{i}.partner = bob")),
            joined(n, " or ", |j| format!("({})", trusts(j))),
            joined(n, " or ", |j| format!("({} and !({}))", trusts(j), meant(j))),
            joined(n, " or ", |j| format!("({} and {})", trusts(j), known(j))),
            trusts(1),
            meant(1),
        )
    }
}

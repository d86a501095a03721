//! The bit transmission problem: a bit, an acknowledgement, and a channel that may lose both.

use super::Family;

pub(super) const FAMILY: Family = Family {
    name: "bit-transmission",
    summary: "a bit and its acknowledgement over a channel that loses messages",
    description: "A sender sends a bit until it gets an acknowledgement; the receiver sends acknowledgements for ever once \
        it has the bit. The channel lets messages pass in both directions, in one, or in none, as it likes, but works in \
        both again and again. Then the sender will know that the receiver knows the bit, and nobody ever knows more. There \
        are 18 states.",
    origin: "Fagin, Halpern, Moses, Vardi, Reasoning about Knowledge, 1995",
    parameters: &[],
    variants: &[],
    write,
};

fn write(_: &[u64], _: &'static str) -> String {
    TEXT.to_string()
}

const TEXT: &str = "\
-- The bit transmission problem: the channel says what it let pass in the last step.
Agent Environment
  Vars:
    passes : { both, bits, acknowledgements, nothing };
  end Vars
  Actions = { both, bits, acknowledgements, nothing };
  Protocol:
  end Protocol
  Evolution:
    passes = both if Action = both;
    passes = bits if Action = bits;
    passes = acknowledgements if Action = acknowledgements;
    passes = nothing if Action = nothing;
  end Evolution
end Agent

Agent Sender
  Vars:
    bit : { zero, one };
    acknowledged : boolean;
  end Vars
  Actions = { send_zero, send_one, wait };
  Protocol:
    acknowledged = true : { wait };
    acknowledged = false and bit = zero : { send_zero };
    acknowledged = false and bit = one : { send_one };
  end Protocol
  Evolution:
    acknowledged = true if Receiver.Action = acknowledge
      and (Environment.Action = both or Environment.Action = acknowledgements);
  end Evolution
end Agent

Agent Receiver
  Vars:
    got : { nothing, zero, one };
  end Vars
  Actions = { acknowledge, wait };
  Protocol:
    got = nothing : { wait };
    Other : { acknowledge };
  end Protocol
  Evolution:
    got = zero if Sender.Action = send_zero and (Environment.Action = both or Environment.Action = bits);
    got = one if Sender.Action = send_one and (Environment.Action = both or Environment.Action = bits);
  end Evolution
end Agent

Evaluation
  zero if Sender.bit = zero;
  one if Sender.bit = one;
  received if !(Receiver.got = nothing);
  acknowledged if Sender.acknowledged = true;
  channel_works if Environment.passes = both;
end Evaluation

InitStates
  Environment.passes = nothing and Sender.acknowledged = false and Receiver.got = nothing;
end InitStates

Groups
  both = { Sender, Receiver };
end Groups

Fairness
  channel_works;
end Fairness

Formulae
  AF K(Sender, K(Receiver, zero) or K(Receiver, one));
  AG (acknowledged -> K(Sender, K(Receiver, zero) or K(Receiver, one)));
  AG (received -> K(Receiver, zero) or K(Receiver, one));
  EF K(Receiver, acknowledged);
  EF GCK(both, received);
end Formulae
";

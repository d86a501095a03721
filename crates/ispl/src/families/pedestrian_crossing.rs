//! A pedestrian crossing: a light with a button, somebody who crosses, and a car.

use super::Family;

pub(super) const FAMILY: Family = Family {
    name: "pedestrian-crossing",
    summary: "a pedestrian light with a button, who crosses there, and what they know",
    description: "The light for cars stays green until the button is pressed; then it becomes yellow and red, and the \
        pedestrians get green for as long as the light likes. The button works only while cars have green. Nobody is hit, and \
        who is heard gets green; but who presses at the wrong moment waits for ever, and cannot know it.",
    origin: "I. Majzik, V. Molnár, lecture on symbolic model checking (pedestrian light with button)",
    parameters: &[],
    variants: &[],
    write,
};

fn write(_: &[u64], _: &'static str) -> String {
    TEXT.to_string()
}

const TEXT: &str = "\
-- A pedestrian light with a button. The light is the environment: everyone sees its lamps, nobody its memory.
Agent Environment
  Obsvars:
    cars : { green, yellow, red };
    walk : { red, green };
  end Obsvars
  Vars:
    requested : boolean;
  end Vars
  Actions = { stay, change };
  Protocol:
    cars = green and requested = false : { stay };
    cars = green and requested = true : { stay, change };
    walk = green : { stay, change };
    Other : { change };
  end Protocol
  Evolution:
    requested = true if cars = green and Action = stay and Pedestrian.Action = press;
    cars = yellow if cars = green and Action = change;
    cars = red if cars = yellow;
    walk = green and requested = false if cars = red and walk = red and requested = true;
    walk = red if walk = green and Action = change;
    cars = green if cars = red and walk = red and requested = false;
  end Evolution
end Agent

Agent Pedestrian
  Vars:
    at : { away, kerb, road };
  end Vars
  Actions = { wait, press, go };
  Protocol:
    at = away : { wait, press };
    at = kerb and Environment.walk = red : { wait, press };
    Other : { go };
  end Protocol
  Evolution:
    at = kerb if at = away and Action = press;
    at = road if at = kerb and Action = go;
    at = away if at = road;
  end Evolution
end Agent

Agent Car
  Vars:
    at : { line, road };
  end Vars
  Actions = { wait, drive };
  Protocol:
    at = line and Environment.cars = green : { wait, drive };
    at = road : { drive };
    Other : { wait };
  end Protocol
  Evolution:
    at = road if at = line and Action = drive;
    at = line if at = road;
  end Evolution
end Agent

Evaluation
  crossing if Pedestrian.at = road;
  waiting if Pedestrian.at = kerb;
  passing if Car.at = road;
  cars_green if Environment.cars = green;
  cars_yellow if Environment.cars = yellow;
  walk_green if Environment.walk = green;
  requested if Environment.requested = true;
end Evaluation

InitStates
  Environment.cars = green and Environment.walk = red and Environment.requested = false
    and Pedestrian.at = away and Car.at = line;
end InitStates

Fairness
  !requested;
  !walk_green;
end Fairness

Formulae
  AG !(crossing and passing);
  AG (requested -> AF walk_green);
  AG (waiting -> AF crossing);
  AG (walk_green -> K(Car, !cars_green));
  AG (cars_yellow -> K(Car, requested));
  AG (requested -> K(Pedestrian, requested));
end Formulae
";

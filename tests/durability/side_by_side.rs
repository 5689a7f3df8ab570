//! A batch whose messages are handled on several threads loses nothing, whichever of them
//! meets the fault.

use std::io::Write as _;

use super::outcome::Outcome;
use super::scenario::{self, House, Run, Scenario};
use super::shim::{Call, Fault};
use super::{EINTR, ERRORS};

/// How many calls of a run are tried for each kind of fault.
const SAMPLES: usize = 30;

/// A scenario, and what comes of it without a fault.
struct Trial<'a> {
    scenario: &'a Scenario,
    house: &'a House<'a>,
    goal: Outcome,
}

impl Trial<'_> {
    /// Goes through a run with that fault, and what a person does after it. Returns false
    /// if the run did not come so far as the fault: its calls are not always as many.
    fn go_through(&self, fault: Fault) -> Result<bool, String> {
        self.scenario.furnish(self.house);
        let run = self.scenario.run(self.house, fault);
        if run.stderr.contains("panicked at") {
            return Err(format!("it panicked:\n{}", run.stderr));
        }
        if let Some(why) = wrong_end(&run, fault) {
            return Err(why);
        }
        let between = self.house.outcome(&[])?;
        must_have_acknowledged(&run, &between)?;
        let is_done = run.status.success();
        if is_done && events(&between) != events(&self.goal) {
            return Err(format!("it has not done what it says: {between:?}"));
        }
        if !is_done {
            let again = self.scenario.run(self.house, Fault::Off);
            if !again.status.success() {
                return Err(format!("the second run ended with {}", again.status));
            }
        }
        let send = self.scenario.send(self.house);
        if !send.status.success() {
            return Err(format!("send ended with {}: {}", send.status, send.stderr));
        }
        let end = self
            .house
            .outcome(&self.scenario.mails(self.house, &send))?;
        if !between.can_become(&end) {
            return Err(format!("something was lost: {between:?}\n{end:?}"));
        }
        let is_like_goal = end.is_settled()
            && events(&end) == events(&self.goal)
            && end.called_for == self.goal.called_for;
        if !is_like_goal {
            return Err(format!("it came to {end:?}"));
        }
        match self.house.leftovers() {
            left if left.is_empty() => Ok(is_met(&run, fault)),
            left => Err(format!("these were left: {left:?}")),
        }
    }
}

/// Tells why a run must not have ended as it did.
fn wrong_end(run: &Run, fault: Fault) -> Option<String> {
    let is_harmless = match fault {
        Fault::Kill(_) | Fault::Torn(_) => {
            // A run may have made fewer calls than the one before.
            let is_right = run.was_killed() || run.status.success();
            return (!is_right).then(|| format!("it ended with {}", run.status));
        }
        Fault::Fail(_, EINTR) => failed(run, fault).is_none_or(Call::is_interruptible),
        Fault::Half(_) => true,
        _ => false,
    };
    let code = run.status.code();
    let is_right = code == Some(0) || code == Some(75) && !is_harmless;
    (!is_right).then(|| format!("it ended with {}: {}", run.status, run.stderr))
}

/// Returns the call that was made to fail.
fn failed(run: &Run, fault: Fault) -> Option<&Call> {
    let Fault::Fail(n, error) = fault else {
        return None;
    };
    let mut calls = run.trace.iter();
    calls.find(|call| call.number >= n && call.result == Some(-i64::from(error)))
}

fn is_met(run: &Run, fault: Fault) -> bool {
    match fault {
        Fault::Fail(..) => failed(run, fault).is_some(),
        Fault::Half(n) => run.trace.iter().any(|call| call.number >= n && call.writes),
        _ => run.was_killed(),
    }
}

/// What stands in the logs, in any order.
fn events(outcome: &Outcome) -> Vec<&String> {
    let mut events: Vec<&String> = outcome.events.iter().collect();
    events.sort();
    events
}

/// Every move that was acknowledged is in its match, once.
fn must_have_acknowledged(run: &Run, outcome: &Outcome) -> Result<(), String> {
    let lines = run.stdout.split_inclusive('\n');
    let accepted = lines.filter_map(|line| line.strip_suffix("\taccepted\n"));
    for line in accepted {
        let id = line.split('\t').next().unwrap_or_default();
        let events = outcome.events.iter();
        let moves = events.filter(|event| event.starts_with("move ") && event.ends_with(id));
        if moves.count() != 1 {
            return Err(format!("{id} was acknowledged: {outcome:?}"));
        }
    }
    Ok(())
}

/// Returns true if a match was written while another one was.
fn is_beside(trace: &[Call]) -> bool {
    let is_new = |path: &str| path.starts_with("games/.m") && path.ends_with(".txt.new");
    let mut open = 0;
    for call in trace {
        if call.name == "openat" && is_new(&call.path) && call.result >= Some(0) {
            open += 1;
        } else if call.name.starts_with("rename")
            && is_new(&call.path)
            && !is_new(&call.second)
            && !call.second.ends_with("m.txt.tmp")
        {
            open -= 1;
        }
        if open > 1 {
            return true;
        }
    }
    false
}

#[test]
fn a_batch_side_by_side_loses_nothing() {
    let scenario = scenario::receive_side_by_side();
    let house = scenario.house(None);
    scenario.furnish(&house);
    // While one thread waits for the disk, others go on.
    let plain = scenario.run(&house, Fault::Slow);
    assert!(
        is_beside(&plain.trace),
        "no two matches are written at once"
    );
    assert!(plain.status.success(), "{}", plain.stderr);
    let words = plain.stdout.lines().map(|line| line.rsplit('\t').next());
    assert!(words.eq(vec![Some("accepted"); 24]), "{}", plain.stdout);
    let send = scenario.send(&house);
    let goal = house.outcome(&scenario.mails(&house, &send)).unwrap();
    assert!(goal.is_settled());
    let trial = Trial {
        scenario: &scenario,
        house: &house,
        goal,
    };
    let calls = plain.trace.len();
    let (mut met, mut tried, mut wrong) = (0, 0, Vec::new());
    for sample in 0..SAMPLES {
        let n = 1 + sample * calls / SAMPLES;
        let error = ERRORS[sample % ERRORS.len()];
        for fault in [
            Fault::Kill(n),
            Fault::Fail(n, error),
            Fault::Half(n),
            Fault::Torn(n),
        ] {
            tried += 1;
            match trial.go_through(fault) {
                Ok(is_met) => met += usize::from(is_met),
                Err(why) => wrong.push(format!("{fault:?}: {why}")),
            }
        }
    }
    let line =
        format!("durability: a batch side by side: {met} of {tried} faults met, {calls} calls\n");
    // Past the test harness, which shows nothing of a test that passes.
    let _ = std::io::stderr().write_all(line.as_bytes());
    assert!(
        wrong.is_empty(),
        "{} of them went wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(met * 2 > tried, "{line}");
}

//! Nothing is lost, whatever fails: every command that changes a match is
//! killed at each of its system calls, and run while each of them fails in
//! turn, and then what a person or a mail server would do is done.
//!
//! The figures go to standard error, past the test harness:
//!
//! ```text
//! PARAPOST_EVERY_FAILURE=1 tests/run durability
//! ```

mod counted;
#[cfg(feature = "postgres")]
mod database;
mod order;
pub(crate) mod outcome;
mod scenario;
pub(crate) mod shim;
mod side_by_side;
pub(crate) mod sink;

use std::io::Write as _;

use order::Order;
use outcome::{Mail, Outcome};
use scenario::{House, Run, Scenario};
use shim::{Call, Fault};
use sink::Sink;

/// What calls fail with, by Linux's numbers: `ENOSPC`, `EIO`, `EINTR`, `EMFILE`. A call fails with one of them and the next call
/// with the next; with `PARAPOST_EVERY_FAILURE` set, each with all of them.
const ERRORS: [i32; 4] = [28, 5, EINTR, 24];
const EINTR: i32 = 4;

/// `O_CREAT`, by Linux's number.
const CREATES: i64 = 0o100;

/// All that may happen to a run at that call: that it is the last, that it
/// fails, that it falls short.
fn faults(call: &Call) -> [Vec<Fault>; 3] {
    let n = call.number;
    let every = std::env::var_os("PARAPOST_EVERY_FAILURE").is_some();
    let mut errors = ERRORS.to_vec();
    if !call.may_fail {
        errors.clear();
    } else if !every {
        errors = vec![errors[n % ERRORS.len()]];
    }
    [
        vec![Fault::Kill(n)],
        errors.iter().map(|error| Fault::Fail(n, *error)).collect(),
        [Fault::Half(n), Fault::Torn(n)]
            .into_iter()
            .filter(|_| call.writes)
            .collect(),
    ]
}

/// Tries every failure of a command.
///
/// # Panics
///
/// With everything that went wrong.
fn try_all(scenario: &Scenario) {
    let sink = Sink::start();
    let house = scenario.house(Some(&sink));
    let plain = scenario.run(&house, Fault::None);
    assert!(
        plain.status.success(),
        "{}: {}",
        scenario.name,
        plain.stderr
    );
    let mut mails = scenario.mails(&house, &plain);
    let settles = house.outcome(&mails).unwrap().is_settled();
    if !settles {
        let send = scenario.send(&house);
        mails.extend(scenario.mails(&house, &send));
    }
    let goal = house.outcome(&mails).unwrap();
    assert!(goal.is_settled(), "{}: {goal:?}", scenario.name);

    let trial = Trial {
        scenario,
        house: &house,
        plain: &plain,
        settles,
        goal: &goal,
    };
    let mut tried = [0; 3];
    let mut wrong: Vec<String> = Vec::new();
    for call in &plain.trace {
        for (tried, faults) in tried.iter_mut().zip(faults(call)) {
            *tried += faults.len();
            for fault in faults {
                if let Err(why) = trial.go_through(fault) {
                    wrong.push(format!("{fault:?} ({} {}): {why}", call.name, call.path));
                }
            }
        }
    }
    let [kills, failures, short] = tried;
    let line = format!(
        "durability: {}: killed at {kills} calls, {failures} calls failed, {short} writes short\n",
        scenario.name
    );
    // Past the test harness, which shows nothing of a test that passes.
    let _ = std::io::stderr().write_all(line.as_bytes());
    assert!(
        wrong.is_empty(),
        "{}: {} of them went wrong\n{}",
        scenario.name,
        wrong.len(),
        wrong.join("\n")
    );
}

/// A scenario under trial.
struct Trial<'a> {
    scenario: &'a Scenario,
    house: &'a House<'a>,
    /// The run without a fault.
    plain: &'a Run,
    /// Whether all mail has gone when it has ended.
    settles: bool,
    /// What it comes to, once all mail has gone.
    goal: &'a Outcome,
}

impl Trial<'_> {
    /// Goes through the run with that fault and what follows it.
    ///
    /// # Errors
    ///
    /// What went wrong.
    fn go_through(&self, fault: Fault) -> Result<(), String> {
        self.scenario.furnish(self.house);
        let run = self.scenario.run(self.house, fault);
        let mut mails = self.scenario.mails(self.house, &run);
        if run.stderr.contains("panicked at") {
            return Err(format!("it panicked:\n{}", run.stderr));
        }
        let killed = matches!(fault, Fault::Kill(_) | Fault::Torn(_));
        if killed != run.was_killed() {
            return Err(format!("it ended with {}", run.status));
        }
        let done = run.status.success();
        if !done && !killed {
            if run.status.code() != Some(75) {
                return Err(format!("it ended with {}:\n{}", run.status, run.stderr));
            }
            let silenced = matches!(fault, Fault::Fail(n, _)
                if self.plain.trace[n - 1].path == "err" || run.trace[n - 1].path == "err");
            if run.stderr.is_empty() && !silenced {
                return Err("it failed without a word".to_owned());
            }
        }
        // A program that is cut short may have begun to print a mail.
        if let Some(last) = mails.pop_if(|last| !self.is_whole(last))
            && done
        {
            return Err(format!("a torn mail:\n{}", last.text));
        }
        let between = self.house.outcome(&mails)?;
        let said = || format!("(it had said: {})", run.stderr.trim_end());
        if done && !(self.is_like_goal(&between) || self.owes_like_goal(&between)) {
            return Err(format!(
                "it has not done what it says: {between:?} {}",
                said()
            ));
        }
        match fault {
            Fault::Half(_) if !done => {
                return Err(format!("a short write is no failure {}", said()));
            }
            Fault::Fail(n, EINTR) if !done && self.plain.trace[n - 1].is_interruptible() => {
                return Err(format!("a signal is no failure {}", said()));
            }
            _ => {}
        }

        // Whoever was told that it is done does nothing more.
        if !done {
            let again = self.scenario.run(self.house, Fault::Off);
            if !matches!(again.status.code(), Some(0 | 1)) {
                return Err(format!("the second run ended with {}", again.status));
            }
            mails.extend(self.scenario.mails(self.house, &again));
        }
        if !(done && self.settles) {
            let send = self.scenario.send(self.house);
            if !send.status.success() {
                return Err(format!("send ended with {}: {}", send.status, send.stderr));
            }
            mails.extend(self.scenario.mails(self.house, &send));
        }
        let end = self.house.outcome(&mails)?;
        if !between.can_become(&end) {
            return Err(format!(
                "something was lost: {between:?}\n{end:?} {}",
                said()
            ));
        }
        if !self.is_like_goal(&end) {
            return Err(format!("it came to {end:?} {}", said()));
        }
        let left = self.house.leftovers();
        if !left.is_empty() {
            return Err(format!("these were left: {left:?}"));
        }
        Ok(())
    }

    /// Whether it is what comes of a run without a fault. Message-IDs hold the
    /// number of a line, and the lines may stand in another order.
    fn is_like_goal(&self, outcome: &Outcome) -> bool {
        outcome.is_settled()
            && outcome.events == self.goal.events
            && outcome.called_for == self.goal.called_for
    }

    /// Whether the same for a run that leaves its mail owed.
    fn owes_like_goal(&self, outcome: &Outcome) -> bool {
        let calls = |outcome: &Outcome| -> Vec<String> {
            let calls = outcome.called_for.iter();
            calls.map(|(call, _)| call.clone()).collect()
        };
        !self.settles && outcome.events == self.goal.events && calls(outcome) == calls(self.goal)
    }

    /// Whether nothing is missing from a mail, by those of the run without a
    /// fault.
    fn is_whole(&self, mail: &Mail) -> bool {
        let body = mail
            .text
            .split_once("\n\n")
            .map(|(_, body)| body.to_owned());
        let mut bodies = self.goal.called_for.iter();
        body.is_some() && bodies.any(|(_, whole)| *whole == body)
    }
}

macro_rules! trials {
    ($($name:ident = $scenario:ident $(.$later:ident)?,)*) => {
        $(
            #[test]
            #[ignore = "takes long"]
            fn $name() {
                try_all(&scenario::$scenario()$(.$later())?);
            }
        )*
    };
}

trials! {
    new_loses_nothing = new,
    move_loses_nothing = r#move,
    undo_loses_nothing = undo,
    resign_loses_nothing = resign,
    receive_loses_nothing = receive,
    receive_of_a_maildir_loses_nothing = receive_maildir,
    receive_by_a_mail_server_loses_nothing = receive_deliver,
    receive_over_spares_loses_nothing = receive.later,
    a_match_that_ends_over_spares_loses_nothing = resign_second.later,
    send_to_a_folder_loses_nothing = send,
    send_to_standard_output_loses_nothing = send_print,
    send_to_a_mail_server_loses_nothing = send_smtp,
}

fn calm(scenario: &Scenario) -> Run {
    let sink = Sink::start();
    let house = scenario.house(Some(&sink));
    scenario.run(&house, Fault::None)
}

#[test]
fn everything_is_on_the_disk_before_the_next_step_relies_on_it() {
    let state = "games/demo.txt";
    let mail = ["note", "MAIL", state, "note"];
    let printed = ["note", "print", state, "note"];
    let posted = ["note", "connect", state, "note"];
    let posted_too = ["note", "say", state, "note"];
    for (scenario, steps) in [
        (
            scenario::new(),
            [
                &[
                    ".local/share/parapost/secret",
                    "games/.gitignore",
                    state,
                    "print",
                ][..],
                &mail,
            ]
            .concat(),
        ),
        (scenario::r#move(), [&[state][..], &mail].concat()),
        (scenario::undo(), vec![state]),
        (scenario::resign(), [&[state][..], &mail].concat()),
        (
            scenario::receive(),
            [&[state, "print"][..], &mail, &mail].concat(),
        ),
        (scenario::receive_maildir(), [[state, "print"]; 3].concat()),
        (
            scenario::receive_maildir().later(),
            [[state, "print"]; 3].concat(),
        ),
        (scenario::send(), [mail, mail].concat()),
        (scenario::send_print(), [printed, printed].concat()),
        // One connection, which ends with leave.
        (
            scenario::send_smtp(),
            [&posted[..], &posted_too, &["say"]].concat(),
        ),
    ] {
        let order = Order::of(&calm(&scenario).trace);
        assert!(
            order.faults.is_empty(),
            "{}: {}",
            scenario.name,
            order.faults.join("\n")
        );
        assert_eq!(order.steps, steps, "{}", scenario.name);
    }
}

#[test]
fn a_sync_that_is_missing_or_late_is_noticed() {
    let is_sync = |call: &Call| matches!(call.name.as_str(), "fsync" | "fdatasync");
    // One mail, and every folder is there: no sync does for two.
    let mut trace = calm(&scenario::receive_deliver()).trace;
    // Nothing relies on the index.
    trace.retain(|call| !call.path.contains("/.index"));
    let syncs: Vec<usize> = (0..trace.len()).filter(|i| is_sync(&trace[*i])).collect();
    assert_eq!(
        syncs.len(),
        8,
        "two of each file that gets a name, two notes"
    );
    for i in syncs {
        let mut without = trace.clone();
        let sync = without.remove(i);
        assert!(!Order::of(&without).faults.is_empty(), "{sync:?}");
    }
    // The same where a file is synced only when it has its name.
    let is_rename = |call: &Call| call.name.starts_with("rename");
    let rename = trace.iter().position(is_rename).unwrap();
    let sync = (0..rename).rev().find(|i| is_sync(&trace[*i])).unwrap();
    trace.swap(rename, sync);
    assert!(!Order::of(&trace).faults.is_empty());
}

/// After a crash the file that was in use would be so again, and be half a text.
#[test]
fn a_file_that_is_written_over_before_it_is_out_of_use_is_noticed() {
    let mut trace = calm(&scenario::receive_maildir().later()).trace;
    assert_eq!(Order::of(&trace).faults, Vec::<String>::new());
    let is_spare = |call: &Call| call.path == "games/.demo.txt.new";
    let place = |from: usize, is_it: &dyn Fn(&Call) -> bool| {
        from + trace[from..].iter().position(is_it).unwrap()
    };
    let exchange = place(0, &|call| call.name == "renameat2" && is_spare(call));
    let sync = place(exchange, &|call| {
        call.name == "fsync" && call.path == "games"
    });
    let over = place(sync, &|call| call.name == "write" && is_spare(call));
    assert!(
        !trace[sync..over]
            .iter()
            .any(|call| call.name == "openat" && is_spare(call))
    );
    let late = trace.remove(sync);
    trace.insert(over, late);
    let faults = Order::of(&trace).faults.join("\n");
    assert!(
        faults.contains("'games/.demo.txt.new' is written over"),
        "{faults}"
    );
}

/// `EINVAL`, as by a file system that cannot exchange files.
#[test]
fn where_files_cannot_be_exchanged_one_replaces_the_other() {
    let scenario = scenario::receive_maildir().later();
    let house = scenario.house(None);
    let plain = scenario.run(&house, Fault::None);
    let goal = house.outcome(&[]).unwrap();
    let exchanges = plain.trace.iter().filter(|call| call.name == "renameat2");
    assert_eq!(exchanges.clone().count(), 3);
    for call in exchanges {
        scenario.furnish(&house);
        let run = scenario.run(&house, Fault::Fail(call.number, 22));
        assert!(run.status.success(), "{}", run.stderr);
        assert_eq!(house.outcome(&[]).unwrap(), goal);
        assert!(Order::of(&run.trace).faults.is_empty());
        assert_eq!(house.leftovers(), Vec::<std::path::PathBuf>::new());
    }
}

/// `EROFS`: a disk with a fault is read-only until somebody mends it. What makes a match and
/// what changes one say the same of it.
#[test]
fn a_file_system_that_is_read_only_is_a_matter_for_later() {
    for scenario in [scenario::new(), scenario::receive()] {
        let house = scenario.house(None);
        let plain = scenario.run(&house, Fault::None);
        let is_new_file = |call: &&Call| call.name == "openat" && call.shown & CREATES != 0;
        let first = plain.trace.iter().find(is_new_file).expect("a new file");
        scenario.furnish(&house);
        let run = scenario.run(&house, Fault::Fail(first.number, 30));
        assert_eq!(
            run.status.code(),
            Some(75),
            "{}: {}",
            scenario.name,
            run.stderr
        );
        let is_said = run.stderr.to_lowercase().contains("read-only");
        assert!(is_said, "{}: {}", scenario.name, run.stderr);
    }
}

/// `EOPNOTSUPP`, and `ENOLCK` of a network file system without its lock daemon.
#[test]
fn where_files_cannot_be_locked_nothing_is_changed() {
    for scenario in [
        scenario::r#move(),
        scenario::undo(),
        scenario::resign(),
        scenario::receive(),
        scenario::receive_maildir(),
        scenario::receive_deliver(),
        scenario::send(),
        scenario::send_print(),
    ] {
        for error in [95, 37] {
            let house = scenario.house(None);
            let told = || {
                let mut files = house.sandbox.contents();
                files.retain(|(path, _)| {
                    let name = path.to_string_lossy();
                    !(name.ends_with(".lock") || ["out", "err", "trace"].contains(&&*name))
                });
                files
            };
            let before = told();
            let run = scenario.run(&house, Fault::Locks(error));
            assert!(
                matches!(run.status.code(), Some(1 | 75)),
                "{}: {}",
                scenario.name,
                run.status
            );
            assert!(
                run.stderr.contains("games: where files cannot be locked"),
                "{}: {}",
                scenario.name,
                run.stderr
            );
            assert_eq!(told(), before, "{}", scenario.name);
        }
    }
}

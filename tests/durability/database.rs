//! Nothing is lost over a database either: a worker is killed at each of its calls, on its
//! connections and its files, and then what a mail server would do is done.
//!
//! Seven of eight calls are passed over, from another one for each worker. With
//! `PARAPOST_EVERY_KILL` set, none is.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;

use super::outcome::{Mail, Outcome};
use super::shim::{self, Call, Fault};
use super::sink::Sink;
use crate::commands::play;
use crate::servers::postgresql::{PASSWORD, Postgresql};
use crate::support::Sandbox;

/// The tables that a worker writes.
const TABLES: [&str; 4] = ["match", "match_part", "match_address", "match_mail"];

const LETTER: &str = "From: anna@example.org\nTo: ref@example.org\nSubject: Re: [demo] Unachess\n\
                      Message-ID: <1@anna.test>\n\n1. P>e3\n\nGood luck!\n";

/// A worker that is killed, in a club whose matches are in a database.
struct Worker {
    name: &'static str,
    line: &'static [&'static str],
    /// True if it brings the letter, false if the letter was brought before.
    receives: bool,
    /// True if its mail goes to a mail server, false if to a folder.
    posts: bool,
}

const WORKERS: [Worker; 4] = [
    Worker {
        name: "receive --deliver",
        line: &["receive", "--deliver"],
        receives: true,
        posts: false,
    },
    Worker {
        name: "receive --deliver --send",
        line: &["receive", "--deliver", "--send"],
        receives: true,
        posts: true,
    },
    Worker {
        name: "send, to a folder",
        line: &["send"],
        receives: false,
        posts: false,
    },
    Worker {
        name: "send, to a mail server",
        line: &["send"],
        receives: false,
        posts: true,
    },
];

/// Where a worker runs.
struct Club<'a> {
    server: &'a Postgresql,
    sink: &'a Sink,
    house: Sandbox,
    posts: bool,
}

/// One run.
struct Run {
    is_killed: bool,
    code: Option<i32>,
    stdout: String,
    stderr: String,
    trace: Vec<Call>,
}

impl Run {
    /// True if a mail server or a person has been told that the letter is dealt with.
    fn is_acknowledged(&self) -> bool {
        self.code == Some(0) || self.stdout.contains("\tdemo\t")
    }
}

impl<'a> Club<'a> {
    /// Makes the tables with the match, as they are to be found.
    fn new(server: &'a Postgresql, sink: &'a Sink, worker: &Worker) -> Club<'a> {
        server.sql("postgres", "drop database club");
        server.make("club");
        // A program that is started inherits the filter of the shim without its handler.
        let section = server.config("club");
        let asked = format!("password_command = [\"echo\", \"{PASSWORD}\"]");
        assert!(section.contains(&asked));
        let house = play::house().env("DATABASE_PASSWORD", PASSWORD);
        let section = section.replace(&asked, "password_env = \"DATABASE_PASSWORD\"");
        // With TLS, which is nothing to the store, a run takes far longer.
        let authority = format!("ca_file = \"{}\"\n", server.ca_file().display());
        assert!(section.contains(&authority));
        let section = section.replace(&authority, "tls = \"none\"\n");
        let mut config = house.read("ref.toml") + &section;
        if worker.posts {
            let section = format!(
                "[transport]\nkind = \"smtp\"\n[smtp]\nhost = \"127.0.0.1\"\nport = {}\ntls = \"none\"\n",
                sink.port
            );
            config.push_str(&section);
        }
        house.write("ref.toml", config);
        house.write("letter", LETTER);
        let club = Club {
            server,
            sink,
            house,
            posts: worker.posts,
        };
        let run = |words: &[&str]| {
            let run = club.run(words, Fault::Off);
            assert_eq!(run.code, Some(0), "{words:?}: {}", run.stderr);
        };
        run(&["store", "setup"]);
        run(&[play::DEMO, &["--invited"]].concat());
        if !worker.receives {
            run(&["receive", "--deliver"]);
        }
        for table in TABLES {
            let save = format!("create table before_{table} as select * from {table}");
            server.sql("club", &save);
        }
        club
    }

    /// Makes everything as it was before, when all that an earlier worker has asked the
    /// server for has come to its end.
    fn furnish(&self) {
        let mut statements = "do $$ begin
              while exists (select from pg_stat_activity where application_name = 'parapost') loop
                perform pg_sleep(0.002);
                perform pg_stat_clear_snapshot();
              end loop;
            end $$;"
            .to_owned();
        for table in TABLES {
            let restore =
                format!("delete from {table}; insert into {table} select * from before_{table};");
            statements.push_str(&restore);
        }
        self.server.sql("club", &statements);
        let _ = fs::remove_dir_all(self.house.path("games/outbox"));
        self.sink.take();
    }

    fn run(&self, words: &[&str], fault: Fault) -> Run {
        let path = |name: &str| self.house.path(name);
        let line = [&["--wait", "20"], words].concat();
        let mut command = self.house.parapost(play::of("ref", &line)).command();
        fault.prepare(&mut command, &path("trace"));
        let status = command
            .stdin(File::open(path("letter")).unwrap())
            .stdout(File::create(path("out")).unwrap())
            .stderr(File::create(path("err")).unwrap())
            .status()
            .unwrap();
        let run = Run {
            is_killed: status.signal() == Some(9),
            code: status.code(),
            stdout: self.house.read("out"),
            stderr: self.house.read("err"),
            trace: match fault {
                Fault::Off => Vec::new(),
                _ => shim::trace(&path("trace"), self.house.folder()),
            },
        };
        assert!(run.code != Some(99), "no kill: {}", run.stderr);
        run
    }

    /// Ends the claims of those who were killed, as time does.
    fn end_claims(&self) {
        self.server
            .sql("club", "update match_mail set expires = now()");
    }

    /// The mails that have gone since.
    fn mails(&self) -> Vec<Mail> {
        if self.posts {
            return self.sink.take().into_iter().map(Mail::new).collect();
        }
        let mails = Mail::in_folder(&self.house.path("games/outbox"));
        let _ = fs::remove_dir_all(self.house.path("games/outbox"));
        mails
    }

    /// What has come of it, if those mails have gone.
    fn outcome(&self, mails: &[Mail]) -> Result<Outcome, String> {
        self.house.write("found/demo.txt", self.server.text("demo"));
        Outcome::of(&self.house.path("found"), mails)
    }
}

/// What is counted.
#[derive(Default)]
struct Counts {
    kills: usize,
    /// Kills in the middle of a write.
    torn: usize,
    /// Mails that went more than once.
    again: usize,
    /// The names of the calls.
    names: BTreeSet<String>,
}

impl Club<'_> {
    /// Goes through a run with that fault and what follows it. Returns false if the worker
    /// came to its end before.
    ///
    /// # Errors
    ///
    /// What went wrong.
    fn go_through(
        &self,
        worker: &Worker,
        fault: Fault,
        goal: &Outcome,
        counts: &mut Counts,
    ) -> Result<bool, String> {
        self.furnish();
        let run = self.run(worker.line, fault);
        if !run.is_killed {
            return match run.code {
                Some(0) => Ok(false),
                code => Err(format!("it ended with {code:?}: {}", run.stderr)),
            };
        }
        if let Some(last) = run.trace.last().filter(|_| fault != Fault::Exit) {
            counts.names.insert(last.name.clone());
        }
        let mut mails = self.mails();
        let between = self.outcome(&mails)?;
        let is_played = |outcome: &Outcome| outcome.events == goal.events;
        if run.is_acknowledged() && !is_played(&between) {
            return Err(format!("acknowledged and not there: {between:?}"));
        }
        if worker.receives {
            // The mail server brings the letter again.
            self.end_claims();
            let again = self.run(worker.line, Fault::Off);
            if !again.is_acknowledged() {
                return Err(format!("again: {:?}: {}", again.code, again.stderr));
            }
            mails.extend(self.mails());
            let then = self.outcome(&mails)?;
            if !is_played(&then) {
                return Err(format!("acknowledged and not there: {then:?}"));
            }
        }
        self.end_claims();
        let send = self.run(&["send"], Fault::Off);
        if send.code != Some(0) {
            return Err(format!("send: {:?}: {}", send.code, send.stderr));
        }
        mails.extend(self.mails());
        let end = self.outcome(&mails)?;
        if !between.can_become(&end) || end.ids != goal.ids {
            return Err(format!("lost or changed: {between:?}\n{end:?}"));
        }
        if !end.is_settled() || !is_played(&end) || end.called_for != goal.called_for {
            return Err(format!("it came to {end:?}"));
        }
        counts.again += mails.len() - end.called_for.len();
        Ok(true)
    }

    /// Kills the worker at each call, or at some.
    fn try_all(&self, worker: &Worker, first: usize) {
        self.furnish();
        let plain = self.run(worker.line, Fault::None);
        assert_eq!(plain.code, Some(0), "{}: {}", worker.name, plain.stderr);
        let mut mails = self.mails();
        self.end_claims();
        assert_eq!(self.run(&["send"], Fault::Off).code, Some(0));
        mails.extend(self.mails());
        let goal = self.outcome(&mails).unwrap();
        assert!(goal.is_settled(), "{}: {goal:?}", worker.name);
        let moves = goal
            .events
            .iter()
            .filter(|event| event.starts_with("move "));
        assert_eq!(moves.count(), 1, "{goal:?}");
        assert_eq!(goal.called_for.len(), 2, "{goal:?}");

        let is_all = std::env::var_os("PARAPOST_EVERY_KILL").is_some();
        let (first, step) = if is_all { (1, 1) } else { (first, 8) };
        let mut counts = Counts::default();
        let mut wrong = Vec::new();
        let mut attempt = |fault: Fault, counts: &mut Counts| {
            let done = self.go_through(worker, fault, &goal, counts);
            counts.kills += usize::from(done != Ok(false));
            done.unwrap_or_else(|why| {
                wrong.push(format!("{fault:?}: {why}"));
                true
            })
        };
        // How many calls there are depends on how the server's answers come in.
        let mut n = first;
        while attempt(Fault::Kill(n), &mut counts) {
            let writes = plain.trace.get(n - 1).is_some_and(|call| call.writes);
            if writes && attempt(Fault::Torn(n), &mut counts) {
                counts.torn += 1;
            }
            n += step;
        }
        assert!(
            n + step > plain.trace.len() / 2,
            "{} calls of {}",
            n,
            plain.trace.len()
        );
        // All is done, and nobody is told.
        assert!(attempt(Fault::Exit, &mut counts), "{}", worker.name);
        let line = format!(
            "durability: {}, over a database: killed at {} calls, of them {} in the middle of a write; \
             {} mails went again\n",
            worker.name, counts.kills, counts.torn, counts.again
        );
        // Past the test harness, which shows nothing of a test that passes.
        let _ = std::io::stderr().write_all(line.as_bytes());
        assert!(
            wrong.is_empty(),
            "{}: {} of them went wrong\n{}",
            worker.name,
            wrong.len(),
            wrong.join("\n")
        );
        for name in ["sendto", "recvfrom"] {
            assert!(counts.names.contains(name), "{name}: {:?}", counts.names);
        }
    }
}

#[test]
#[ignore = "needs PostgreSQL"]
fn a_worker_over_a_database_that_is_killed_anywhere_loses_nothing() {
    let server = Postgresql::start();
    let sink = Sink::start();
    for (number, worker) in WORKERS.iter().enumerate() {
        Club::new(&server, &sink, worker).try_all(worker, 2 * number + 1);
    }
}

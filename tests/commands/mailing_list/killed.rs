//! The program is killed while it mails to a list or reads what comes by one: each position is on the
//! list once, and each move is read once.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::commands::mailing_list::mlmmj::{by_list, house, last_id, send};
use crate::commands::mailing_list::{header, log, plies, run};
use crate::commands::news::killed::killed;
use crate::servers::mlmmj::{LIST, Mlmmj};
use crate::support::Sandbox;
use crate::support::exim::address;

/// The longest time until a mail that has gone is in a mailbox.
const PATIENCE: Duration = Duration::from_mins(1);

/// A legal move of the match.
fn legal(house: &Sandbox) -> String {
    let listed = house.parapost(["legal", "demo", "--placements"]);
    let listed = listed.any_stdout().any_stderr().run().stdout;
    let moves: Vec<&str> = listed.lines().collect();
    moves[(plies(house) * 7) % moves.len()].to_owned()
}

/// Plays so many matches on a list to so many half-moves. Each run that plays a move, or reads one
/// that has come by the list and directly, is killed at a random time before others end it.
fn kill(matches: usize, most: usize) {
    let mut rng = fastrand::Rng::with_seed(30);
    // What a kill has left to do, and what it has left done, of moves made and of moves read.
    let mut left = [[0; 2]; 2];
    for number in 0..matches {
        let list = Mlmmj::start();
        let exim = &list.exim;
        let house = house(exim);
        let new = [
            "new", "--game", "unachess", "--id", "demo", "--list", LIST, "--send",
        ];
        run(&house, &[&new[..], &["Ben <black@example.test>"]].concat());
        let start = Instant::now();
        run(&house, &["move", "demo", &legal(&house), "--send"]);
        let calm = start.elapsed();
        let black = exim.client("black");
        let white = address("white");
        exim.wait_for("black", 2);
        for ply in 1..most {
            if ply % 2 == 0 {
                let text = legal(&house);
                let play = house.parapost(["move", "demo", &text, "--send"]);
                killed(&play, calm.mul_f64(1.5 * rng.f64()));
                left[0][plies(&house) - ply] += 1;
                if plies(&house) == ply {
                    run(&house, &["move", "demo", &text]);
                }
                run(&house, &["send"]);
                assert_eq!(plies(&house), ply + 1, "{text}");
                continue;
            }
            // The last mail to Black may still be on its way.
            let log = log(&house);
            let (_, asked) = log.rsplit_once(" sent Black ").unwrap();
            let asked = asked.lines().next().unwrap();
            let id = format!("move-{number}-{ply}@ben.test");
            wait_until(&id, || asked.contains(&last_id(exim, "black")));
            let letter = format!(
                "From: Ben <black@example.test>\nTo: {white}, {LIST}\nSubject: Re: [demo] Unachess: Anna - Ben\n\
                 Message-ID: <{id}>\nIn-Reply-To: {}\nDate: Thu, 26 Nov 2026 03:00:00 +0000\n\n{}\n",
                last_id(exim, "black"),
                legal(&house)
            );
            send(&black, "black", &[&white, LIST], &letter);
            let field = format!("Message-ID: <{id}>");
            let copies = || {
                let mails = exim.messages("white").into_iter();
                let texts = mails.filter_map(|path| fs::read_to_string(path).ok());
                texts.filter(|mail| mail.contains(&field)).count()
            };
            wait_until(&id, || copies() == 2);
            let mailbox = exim.maildir("white");
            let read = || house.parapost(["receive", "--send", mailbox.to_str().unwrap()]);
            killed(&read(), calm.mul_f64(1.5 * rng.f64()));
            left[1][plies(&house) - ply] += 1;
            for _ in 0..2 {
                read().any_stdout().any_stderr().either();
            }
            run(&house, &["send"]);
            assert_eq!(plies(&house), ply + 1, "{id}");
        }
        let log = log(&house);
        let posted = log.matches(" news - posted ").count();
        // The first position is that in which both have agreed.
        assert_eq!(posted, most - 1, "{log}");
        let ids = || -> BTreeSet<String> {
            let ours = by_list(exim, "referee").into_iter();
            let ids = ours.map(|mail| header(&mail, "Message-ID"));
            ids.filter(|id| id.starts_with("<demo.news.")).collect()
        };
        wait_until("the list", || ids().len() == posted);
        for id in ids() {
            assert_eq!(
                log.matches(&format!(" news - posted article={id}")).count(),
                1,
                "{id}"
            );
        }
        run(&house, &["verify", "demo"]);
    }
    let is_everything = left.iter().flatten().all(|count| *count > 0);
    assert!(matches < 5 || is_everything, "{left:?}");
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
#[ignore = "needs Exim, mlmmj, openssl"]
fn a_run_that_is_killed_mails_to_a_list_once_and_reads_once() {
    kill(1, 7);
}

#[test]
#[ignore = "by hand: it takes some minutes"]
fn two_hundred_runs_that_are_killed_mail_to_a_list_once_and_read_once() {
    kill(20, 11);
}

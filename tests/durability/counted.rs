//! What a move costs the disk, and the database, as docs/scale.md says.

use super::scenario::{self, Scenario};
use super::{Call, calm};

/// The files and folders that a run syncs, in their order, without those of a transport.
fn syncs(scenario: &Scenario) -> Vec<String> {
    let is_sync = |call: &&Call| matches!(call.name.as_str(), "fsync" | "fdatasync");
    let trace = calm(scenario).trace;
    let synced = trace.iter().filter(is_sync).map(|call| call.path.clone());
    synced.filter(|path| !path.contains("outbox")).collect()
}

#[test]
fn a_move_in_a_folder_is_two_syncs_and_ten_with_its_two_mails() {
    // Three moves, of which no mail is sent: the file before it gets its name, and the name.
    let one = ["games/.demo.txt.new", "games"];
    assert_eq!(syncs(&scenario::receive_maildir()), one.repeat(3));
    let note = ["games/.demo.send.lock"];
    let mail = [&note[..], &one, &note].concat();
    let all = [&one[..], &mail, &mail].concat();
    let found = syncs(&scenario::receive_second());
    assert_eq!(found, all);
    assert_eq!(found.len(), 10);
    // Over spares, too.
    assert_eq!(syncs(&scenario::receive_second().later()), all);
}

#[cfg(feature = "postgres")]
mod in_a_database {
    use crate::commands::play;
    use crate::servers::postgresql::Postgresql;
    use crate::support::Sandbox;

    /// The number that the next transaction gets that writes. One that only reads gets none.
    fn next(server: &Postgresql) -> u64 {
        let next = server.sql("club", "select pg_snapshot_xmax(pg_current_snapshot())");
        next.trim().parse().unwrap()
    }

    fn letter(number: usize, body: &str) -> String {
        format!(
            "From: anna@example.org\nTo: ref@example.org\nSubject: Re: [demo] Unachess\n\
             Message-ID: <{number}@anna.test>\n\n{body}\n"
        )
    }

    fn house(server: &Postgresql) -> Sandbox {
        let house = play::house();
        let config = house.read("ref.toml") + &server.config("club");
        house.write("ref.toml", config);
        house
    }

    #[test]
    #[ignore = "needs PostgreSQL"]
    fn a_move_is_one_commit_and_so_is_what_makes_a_duplicate_sure() {
        let server = Postgresql::start();
        // Its own work in the background would be counted.
        server.sql("club", "alter system set autovacuum = off");
        server.sql("club", "select pg_reload_conf()");
        let house = house(&server);
        let run = |words: &[&str]| {
            house
                .parapost(play::of("ref", words))
                .any_stdout()
                .any_stderr()
        };
        run(&["store", "setup"]).run();
        run(&[play::DEMO, &["--invited"]].concat()).run();
        let deliver = |number, body: &str, word: &str| {
            let run = run(&["receive", "--deliver"]);
            let run = run.stdin(letter(number, body)).stdout_contains(word);
            let before = next(&server);
            run.run();
            next(&server) - before
        };
        let cost = |words: &[&str]| {
            let before = next(&server);
            run(words).run();
            next(&server) - before
        };
        assert_eq!(cost(&["list"]), 0);
        assert_eq!(deliver(1, "1. P>e3", "accepted"), 1);
        assert_eq!(deliver(1, "1. P>e3", "duplicate"), 1);
        // The claim and its end; each mail is noted, sent, and noted again.
        assert_eq!(cost(&["send"]), 1 + 2 * 3 + 1);
        assert_eq!(cost(&["send"]), 0);
    }
}

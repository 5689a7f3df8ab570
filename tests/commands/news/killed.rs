//! The program is killed while it posts or reads: each position is posted once, and each move is
//! read once.

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use parapost::mail::settings::Tls;

use crate::commands::news::play::{begun as begun_in_news, legal};
use crate::commands::news::post::config;
use crate::servers::inn::{GROUP, Inn};
use crate::support::exim::password;
use crate::support::{Sandbox, Test};

/// Begins a match in which White has moved.
fn begun(house: &Sandbox, id: &str) {
    house
        .parapost(["new", "--game", "unachess", "--id", id, "--invited"])
        .args(["--white", "Anna <anna@example.org>"])
        .args(["--black", "Ben <ben@example.test>"])
        .any_stdout()
        .run();
    house.parapost(["move", id, "P>e3"]).any_stderr().run();
}

/// Runs the program, and kills it after so long.
pub(crate) fn killed(run: &Test, after: Duration) {
    let mut command = run.command();
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    thread::sleep(after + Duration::from_millis(1));
    child.kill().unwrap();
    child.wait().unwrap();
}

/// Kills this many runs that post, each at a random time, and lets another go to its end.
fn kill(runs: usize) {
    let inn = Inn::start(true);
    let house = Sandbox::new()
        .dir("games")
        .file("white.toml", config(&inn, inn.tls_port, Tls::Tls, GROUP))
        .secret("password", password("white") + "\n")
        .env("PARAPOST_CONFIG", "white.toml");
    let post = |id: &str| house.parapost(["news", "post", id, "--yes"]);
    begun(&house, "calm");
    let start = Instant::now();
    post("calm").any_stderr().run();
    let calm = start.elapsed();
    let mut rng = fastrand::Rng::with_seed(30);
    // What a kill has left behind: nothing, an article that is owed, or one that was posted.
    let mut left = [0; 3];
    for run in 0..runs {
        let id = format!("run-{run}");
        begun(&house, &id);
        killed(&post(&id), calm.mul_f64(rng.f64()));
        let log = house.read(format!("games/{id}.txt"));
        let owed = log.matches(" news - owed ").count();
        left[owed + log.matches(" news - posted ").count()] += 1;
        let finish = if owed > 0 {
            house.parapost(["send", &id])
        } else {
            post(&id)
        };
        finish.any_stdout().any_stderr().run();
        house
            .parapost(["send", &id])
            .any_stdout()
            .any_stderr()
            .run();
        house.parapost(["verify", &id]).any_stdout().run();
        let log = house.read(format!("games/{id}.txt"));
        assert_eq!(log.matches(" news - posted ").count(), 1, "{log}");
    }
    let articles = inn.articles(GROUP);
    assert_eq!(articles.len(), runs + 1);
    for run in 0..runs {
        let subject = format!("\nSubject: [run-{run}] ");
        let found = articles.iter().filter(|article| article.contains(&subject));
        assert_eq!(found.count(), 1, "{run}");
    }
    assert!(runs < 50 || left.iter().all(|count| *count > 0), "{left:?}");
}

#[test]
#[ignore = "needs INN, openssl"]
fn a_run_that_is_killed_posts_once() {
    kill(6);
}

#[test]
#[ignore = "takes long"]
fn two_hundred_runs_that_are_killed_post_once() {
    kill(200);
}

/// Plays so many matches in a group to so many half-moves, and kills each run that plays or reads
/// one at a random time before another does it.
fn kill_players(matches: usize, plies: usize) {
    let mut rng = fastrand::Rng::with_seed(30);
    // What a kill of a reader has left to read, and what it has read.
    let mut left = [0; 2];
    for _ in 0..matches {
        let inn = Inn::start(true);
        let [anna, ben] = begun_in_news(&inn, "unachess", "address");
        let start = Instant::now();
        let calmly = anna.parapost(["fetch", "--news"]);
        calmly.any_stdout().any_stderr().run();
        let calm = start.elapsed();
        let made = |house: &Sandbox| house.read("games/duel.txt").matches(" move ").count();
        for ply in 2..plies {
            let [mover, other] = if ply % 2 == 0 {
                [&anna, &ben]
            } else {
                [&ben, &anna]
            };
            let text = legal(mover);
            let play = || mover.parapost(["move", "duel", &text, "--send"]);
            killed(&play(), calm.mul_f64(2.0 * rng.f64()));
            if made(mover) == ply {
                play().any_stderr().run();
            }
            mover.parapost(["send", "duel"]).any_stderr().run();
            assert_eq!(made(mover), ply + 1, "{text}");
            let read = || other.parapost(["fetch", "--news"]);
            killed(&read(), calm.mul_f64(1.5 * rng.f64()));
            left[made(other) - ply] += 1;
            read().any_stdout().any_stderr().run();
            read().any_stdout().any_stderr().run();
            assert_eq!(made(other), ply + 1, "{text} is read once");
        }
        let articles = inn.articles(GROUP);
        assert_eq!(articles.len(), plies - 1, "{articles:#?}");
        let posts = [&anna, &ben].map(|house| {
            house.parapost(["verify", "duel"]).any_stdout().run();
            let shown = house.parapost(["show", "duel", "--as", "post"]);
            shown.any_stdout().run().stdout
        });
        assert_eq!(posts[0], posts[1]);
    }
    assert!(
        matches < 5 || left.iter().all(|count| *count > 0),
        "{left:?}"
    );
}

#[test]
#[ignore = "needs INN, openssl"]
fn a_player_who_is_killed_posts_and_reads_once() {
    kill_players(1, 7);
}

#[test]
#[ignore = "takes long"]
fn two_hundred_players_who_are_killed_post_and_read_once() {
    kill_players(10, 12);
}

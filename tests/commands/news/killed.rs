//! The program is killed while it posts: each position is posted once.

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use parapost::mail::settings::Tls;

use crate::commands::news::post::config;
use crate::servers::inn::{GROUP, Inn};
use crate::support::Sandbox;
use crate::support::exim::password;

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
        let mut command = post(&id).command();
        let command = command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        thread::sleep(calm.mul_f64(rng.f64()) + Duration::from_millis(1));
        child.kill().unwrap();
        child.wait().unwrap();
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

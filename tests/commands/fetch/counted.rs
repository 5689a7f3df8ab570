//! What a fetch with nothing new reads of the matches. It is run every few minutes.

use std::fs;

use crate::commands::fetch::Scene;
use crate::support::many::{fill, opened};

/// Each of them was read and replayed, by every round.
#[test]
#[ignore = "needs Dovecot"]
fn a_fetch_with_nothing_new_opens_no_match() {
    let scene = Scene::new();
    let games = scene.house.path("games");
    let fetch = || drop(scene.fetch(&[]).any_stderr().run());
    fill(&games, 0..40);
    assert!(opened(&games, fetch) > 40, "they are new");
    // So small a folder is listed each time.
    assert_eq!(opened(&games, fetch), 0, "the folder is listed");
    // One that cannot be read is noticed, and looked at each time.
    let text = fs::read_to_string(games.join("x7.txt")).unwrap();
    fs::write(games.join("x7.txt"), text.replace("new - ", "new  - ")).unwrap();
    for _ in 0..2 {
        let count = opened(&games, fetch);
        assert!((1..10).contains(&count), "{count}");
    }
    fs::write(games.join("x7.txt"), text).unwrap();
    fill(&games, 40..300);
    fetch();
    assert_eq!(opened(&games, fetch), 0, "no listing is due");
}

#[cfg(feature = "postgres")]
#[test]
#[ignore = "needs Dovecot, PostgreSQL"]
fn a_fetch_with_nothing_new_asks_a_database_as_much_whatever_the_number_of_matches() {
    use crate::servers::postgresql::Postgresql;
    let server = Postgresql::start();
    drop(server.store());
    let scene = Scene::new();
    let config = scene.house.read("config.toml") + &server.config("club");
    scene.house.write("config.toml", config);
    server.sql("club", "alter system set log_statement = 'all'");
    server.sql("club", "select pg_reload_conf()");
    let asked = || {
        let before = server.log().len();
        scene.fetch(&[]).any_stderr().run();
        let log = server.log()[before..].to_owned();
        let is_statement =
            |line: &&str| line.contains("LOG:  execute") || line.contains("LOG:  statement");
        log.lines().filter(is_statement).count()
    };
    asked();
    let few = asked();
    assert!(few > 0);
    fill(&scene.house.path("games"), 0..40);
    scene.house.parapost(["import", "games"]).any_stderr().run();
    assert_eq!(server.sql("club", "select count(*) from match"), "41\n");
    assert_eq!(asked(), few);
}

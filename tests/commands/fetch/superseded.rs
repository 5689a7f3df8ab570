//! A mailbox that is read while the database server that answers has been replaced.

use crate::commands::fetch::{Scene, plays};
use crate::store::superseded::Servers;

/// A letter of a player was passed over as somebody else's, and never looked at again.
#[test]
#[ignore = "needs Dovecot, PostgreSQL"]
fn nothing_is_passed_over_because_a_server_that_was_replaced_knows_nothing_of_it() {
    let scene = Scene::new();
    let servers = Servers::start();
    let config = scene.house.read("config.toml");
    let import = |section: &str| {
        scene.house.write("config.toml", config.clone() + section);
        let run = scene.house.parapost(["import", "games"]).any_stderr();
        run.any_stdout()
    };
    import(&servers.new.config("club")).run();
    scene.house.write(
        "config.toml",
        config.clone() + &servers.section(&scene.house),
    );
    scene.fetch(&[]).any_stderr().run();
    scene.deliver(&plays("White", "1. P>e3"));
    servers.replace();
    let fetch = || scene.fetch(&["--wait", "8"]).any_stderr();
    fetch().stdout("").status(75).run();
    drop(servers.old);
    fetch().stdout_contains("\tm\taccepted\n").run();
}

//! Connections that break in the middle of a run.

use std::fs;

use super::{Scene, house, moves, plays, stranger, words};
use crate::servers::cutting_proxy::{CuttingProxy, Way};

/// What is fetched over each connection that is cut.
fn fill(scene: &Scene, folder: &str) {
    scene.dovecot.make("referee", folder);
    scene.dovecot.make("referee", &format!("{folder}-done"));
    for message in [plays("white", "P>e3"), stranger(), plays("black", "n>g5")] {
        scene.dovecot.deliver("referee", folder, "", &message);
    }
}

/// A whole run is cut after every so many bytes, in both directions; the run after it
/// reads on. With `PARAPOST_EVERY_BYTE` set, it is cut after every byte.
#[test]
#[ignore = "needs Dovecot"]
fn no_move_is_lost_or_played_twice_wherever_a_connection_breaks() {
    let scene = Scene::new();
    let proxy = CuttingProxy::start(scene.dovecot.tls_port);
    let ca_file = scene.dovecot.ca_file();
    let run = |name: &str, cut: Option<(Way, usize)>| {
        fill(&scene, name);
        let imap = format!("folder = \"{name}\"\nafter = \"move\"\nmove_to = \"{name}-done\"");
        let house = house(proxy.port, &ca_file, &imap);
        let before = Way::ALL.map(|way| proxy.passed(way));
        if let Some((way, bytes)) = cut {
            proxy.cut_next(way, bytes);
        }
        let since = ["fetch", "--send", "--since", "2001-02-03"];
        let broken = cut.is_some();
        let first = house.parapost(since).any_stdout().any_stderr();
        let first = if broken { first.status(75) } else { first };
        let said = first.run();
        let passed = Way::ALL.map(|way| proxy.passed(way) - before[way as usize]);
        if broken {
            let again = house.parapost(since).any_stdout();
            again.any_stderr().run();
        }
        let case = format!("{cut:?}: {said:?}");
        assert_eq!(moves(&house), "1. P>e3 n>g5", "{case}");
        let log = house.read("games/m.txt");
        assert_eq!(log.matches(" move ").count(), 2, "{case}\n{log}");
        let sent = fs::read_dir(house.path("games/outbox")).unwrap().count();
        assert_eq!(sent, 4, "{case}");
        assert_eq!(scene.names(name).len(), 1, "{case}");
        assert_eq!(scene.names(&format!("{name}-done")).len(), 2, "{case}");
        passed
    };
    let whole = run("whole", None);
    let step = |bytes: usize| {
        if std::env::var_os("PARAPOST_EVERY_BYTE").is_some() {
            1
        } else {
            bytes.div_ceil(12)
        }
    };
    for way in Way::ALL {
        let bytes = whole[way as usize];
        // The last words of a connection are a goodbye, which nobody misses.
        for cut in (0..bytes - 200).step_by(step(bytes)) {
            run(&format!("f{}-{cut}", way as usize), Some((way, cut)));
        }
    }
}

/// Went wrong: a message of which the server gave no data was passed over for good.
#[test]
#[ignore = "needs Dovecot, root"]
fn a_message_that_the_server_cannot_read_is_tried_again_and_one_that_is_gone_is_not() {
    use std::os::unix::fs::PermissionsExt as _;

    let scene = Scene::new();
    scene.first();
    scene.deliver(&plays("white", "P>e3"));
    let path = |at: usize| {
        let names = scene.names("INBOX");
        scene.dovecot.maildir("referee", "INBOX").join(&names[at])
    };
    let hidden = |mode| fs::set_permissions(path(0), fs::Permissions::from_mode(mode)).unwrap();
    hidden(0o000);
    scene.fetch(&[]).any_stdout().any_stderr().status(75).run();
    assert_eq!(scene.moves(), "");
    hidden(0o600);
    let run = scene.fetch(&[]).any_stdout().any_stderr().run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    // The server still knows of one whose file is gone.
    scene.deliver(&plays("black", "n>g5"));
    scene.deliver(&plays("black", "n>g6"));
    scene
        .fetch(&["--dry-run"])
        .any_stdout()
        .any_stderr()
        .either();
    fs::remove_file(path(1)).unwrap();
    let run = scene.fetch(&[]).any_stdout().any_stderr().run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    assert_eq!(scene.moves(), "1. P>e3 n>g6");
}

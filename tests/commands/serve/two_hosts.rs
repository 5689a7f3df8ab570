//! Two `serve` on one database, behind one Postfix that delivers to both.

use std::collections::HashSet;
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use fastrand::Rng;
use lettre::address::Envelope;
use lettre::{SmtpTransport, Transport as _};
use mail_parser::MessageParser;
use parapost::matches::r#match::Match;
use parapost::rules::{Variant, games};
use parapost::store::store::Store as _;

use crate::playing;
use crate::servers::postfix::{Postfix, Wishes};
use crate::servers::postgresql::Postgresql;
use crate::servers::{free_ports, messages_in, wait_until};
use crate::support::Sandbox;
use crate::support::lmtp::Server;

const MATCHES: usize = 8;
const HALF_MOVES: usize = 12;

/// The referee has an address for each host, which the other takes, too.
fn referee(half_move: usize) -> String {
    format!("ref@host{}.test", half_move % 2)
}

/// Writes what the player on turn plays, and gives it to Postfix.
fn send(postfix: &Postfix, id: &str, half_move: usize, text: &str) {
    let (from, to) = (["white", "black"][half_move % 2], referee(half_move));
    let from = format!("{from}@example.test");
    let letter = format!(
        "From: {from}\r\nTo: {to}\r\nSubject: Re: [{id}] Unachess\r\n\
         Message-ID: <{half_move}.{id}@players.test>\r\n\r\n{text}\r\n"
    );
    let envelope = Envelope::new(Some(from.parse().unwrap()), vec![to.parse().unwrap()]);
    SmtpTransport::builder_dangerous("127.0.0.1")
        .port(postfix.port)
        .build()
        .send_raw(&envelope.unwrap(), letter.as_bytes())
        .unwrap();
}

#[test]
#[ignore = "needs PostgreSQL"]
fn one_of_two_hosts_is_killed_and_no_move_is_lost_or_played_twice() {
    let database = Postgresql::start();
    let store = database.store();
    let ports: [u16; 2] = free_ports();
    let [first, second] = ports.map(|port| format!("127.0.0.1:{port}"));
    let postfix = Postfix::with(&Wishes {
        main: format!(
            "relay_domains = host0.test host1.test\n\
             transport_maps = inline:{{{{ host0.test = lmtp:inet:{first}, {second} }}, \
             {{ host1.test = lmtp:inet:{second}, {first} }}}}\n"
        ),
        ..Wishes::default()
    });
    let config = format!(
        "[me]\nname = \"Ref\"\naddress = [\"{}\", \"{}\"]\nrole = \"referee\"\n\
         [mail]\nhtml = false\n[transport]\nkind = \"smtp\"\n\
         [smtp]\nhost = \"localhost\"\nport = {}\nca_file = \"{}\"\n{}",
        referee(0),
        referee(1),
        postfix.port,
        postfix.ca_file().display(),
        database.config("club")
    );
    let house = Sandbox::new()
        .dir("games")
        .file("config.toml", config)
        .env("PARAPOST_CONFIG", "config.toml");
    let ids: Vec<String> = (0..MATCHES).map(|number| format!("m{number}")).collect();
    for id in &ids {
        let players = [
            "--white",
            "Anna <white@example.test>",
            "--black",
            "Ben <black@example.test>",
        ];
        house
            .parapost(["new", "--game", "unachess", "--id", id, "--invited"])
            .args(players)
            .stdout(format!("{id}\n"))
            .run();
    }
    let serve = |port: u16| {
        let at = format!("127.0.0.1:{port}");
        let test = house.parapost(["serve", "--lmtp", &at]).any_stdout();
        Server::of(&mut test.command())
    };
    let [killed, kept] = ports.map(serve);

    let game = |id: &str| -> Match {
        let stored = store.read(&id.parse().unwrap()).unwrap();
        Match::clone(&stored.game)
    };
    let variant = Variant::new(games::find("unachess").unwrap(), &[]).unwrap();
    let played = AtomicUsize::new(0);
    let sent: Vec<Vec<String>> = thread::scope(|scope| {
        let players: Vec<_> = (0_u64..)
            .zip(&ids)
            .map(|(seed, id)| {
                let (variant, played, postfix, game) = (&variant, &played, &postfix, &game);
                scope.spawn(move || {
                    let record = playing::game(variant, HALF_MOVES, &mut Rng::with_seed(seed));
                    let texts = record.steps().iter().map(|step| step.text.clone());
                    let texts: Vec<String> = texts.collect();
                    for (half_move, text) in texts.iter().enumerate() {
                        send(postfix, id, half_move, text);
                        let has_come = || game(id).record().steps().len() > half_move;
                        assert!(wait_until(has_come), "{id} {half_move}:\n{}", postfix.log());
                        played.fetch_add(1, Ordering::SeqCst);
                    }
                    texts
                })
            })
            .collect();
        wait_until(|| played.load(Ordering::SeqCst) > MATCHES * HALF_MOVES / 3);
        killed.kill();
        players
            .into_iter()
            .map(|player| player.join().unwrap())
            .collect()
    });
    // The claims of the killed host end by themselves, and the other one looks.
    let owes_nothing = || ids.iter().all(|id| game(id).owed().is_empty());
    assert!(wait_until(owes_nothing), "within a minute");
    kept.stop();

    let games: Vec<Match> = ids.iter().map(|id| game(id)).collect();
    for (game, sent) in games.iter().zip(&sent) {
        let steps = game.record().steps().iter().map(|step| &step.text);
        assert_eq!(
            steps.collect::<Vec<_>>(),
            sent.iter().collect::<Vec<_>>(),
            "{}",
            game.id()
        );
    }
    check_mails(&postfix, &games);
}

/// Holds the mails that have come against those that the matches say were sent.
fn check_mails(postfix: &Postfix, games: &[Match]) {
    let logs = games.iter().flat_map(Match::log);
    let told = logs.filter(|event| event.event.kind() == "sent");
    let told = told.map(|event| event.message_id("msg").unwrap().to_string());
    let told: HashSet<String> = told.collect();
    // Whoever is killed between sending and noting it has the mail sent again, as the same.
    let mut come = HashSet::new();
    for path in ["white", "black"]
        .iter()
        .flat_map(|user| messages_in(&postfix.maildir(user)))
    {
        let bytes = fs::read(&path).unwrap();
        let mail = MessageParser::new().parse(&bytes).unwrap();
        come.insert(format!("<{}>", mail.message_id().unwrap()));
    }
    assert_eq!(come, told, "{}", postfix.log());
    assert!(
        !postfix.log().contains("status=bounced"),
        "{}",
        postfix.log()
    );
}

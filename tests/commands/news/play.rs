//! Matches whose moves count from a newsgroup.

use std::env;
use std::path::PathBuf;

use crate::commands::news::fetch::{fetched, mails};
use crate::servers::inn::{GROUP, Inn};
use crate::support::Sandbox;
use crate::support::exim::password;

/// The half-moves of a match in the group.
const PLIES: usize = 20;

/// The games of a usual run; `PARAPOST_TEST_NEWS=all` plays every game.
const FEW: [&str; 2] = ["unachess", "shogi"];

const ALL: [&str; 8] = [
    "unachess",
    "unachess2",
    "parachute",
    "unashogi",
    "newchess",
    "kingchess",
    "chess",
    "shogi",
];

/// A player's house.
fn player(inn: &Inn, [name, user, address]: [&str; 3], identity: &str) -> Sandbox {
    let small = name.to_lowercase();
    let trusted = match identity {
        "dkim" => "trusted = \"mx.example.org\"\n",
        _ => "",
    };
    let config = format!(
        "[me]\nname = \"{name}\"\naddress = [\"{address}\", \"{small}@example.invalid\"]\n\
         [policy]\nidentity = \"{identity}\"\n{trusted}\
         [news]\nhost = \"localhost\"\nport = {}\ntls = \"tls\"\nca_file = \"{}\"\n\
         user = \"{user}\"\npassword_file = \"password\"\n\
         from = \"{name} <{small}@example.invalid>\"\ngroup = \"{GROUP}\"\n",
        inn.tls_port,
        inn.ca_file().display()
    );
    Sandbox::new()
        .dir("games")
        .file("config.toml", config)
        .secret("password", password(user) + "\n")
        .env("PARAPOST_CONFIG", "config.toml")
}

/// Anna's house.
pub(super) fn anna(inn: &Inn, identity: &str) -> Sandbox {
    player(inn, ["Anna", "white", "anna@example.org"], identity)
}

/// Takes the last mail from one house to the other.
pub(super) fn outbox_to(from: &Sandbox, to: &Sandbox, more: &[&str]) {
    let mail = mails(from).pop().unwrap();
    let file: PathBuf = to.path("carried.eml");
    std::fs::write(&file, mail).unwrap();
    let run = to.parapost([&["receive", "carried.eml"], more].concat());
    run.any_stdout().any_stderr().run();
}

/// Anna's and Ben's houses, where a match has begun: both have played once, by mail.
pub(super) fn begun(inn: &Inn, game: &str, identity: &str) -> [Sandbox; 2] {
    let anna = anna(inn, identity);
    // Ben believes whoever has the address.
    let ben = player(inn, ["Ben", "black", "ben@example.test"], "address");
    let new = [
        "new", "--game", game, "--id", "duel", "--news", GROUP, "--play", "news",
    ];
    let players = [
        "--white",
        "Anna <anna@example.org>",
        "--black",
        "Ben <ben@example.test>, <ben@example.invalid>",
    ];
    anna.parapost(new)
        .args(players)
        .args(["--send"])
        .stdout("duel\n")
        .any_stderr()
        .run();
    outbox_to(&anna, &ben, &["--accept"]);
    let terms = ben.read("games/duel.txt");
    assert!(
        terms.contains(&format!("\nNews: {GROUP}\nMoves: news\n"))
            && terms.contains("White: Anna <anna@example.org>, <anna@example.invalid>\n"),
        "{terms}"
    );
    move_by_mail(&anna, &ben);
    if identity == "dkim" {
        let text = legal(&ben);
        let run = ben.parapost(["move", "duel", &text, "--send"]);
        run.any_stderr().run();
        let mail = mails(&ben).pop().unwrap();
        let vouched = "Authentication-Results: mx.example.org; dkim=pass header.d=example.test\n";
        std::fs::write(anna.path("carried.eml"), format!("{vouched}{mail}")).unwrap();
        let run = anna.parapost(["receive", "carried.eml"]);
        run.any_stdout().any_stderr().run();
    } else {
        move_by_mail(&ben, &anna);
    }
    [anna, ben]
}

fn move_by_mail(mover: &Sandbox, other: &Sandbox) {
    let text = legal(mover);
    let run = mover.parapost(["move", "duel", &text, "--send"]);
    run.any_stderr().run();
    outbox_to(mover, other, &[]);
}

/// A legal move, by a rule that lets a match last: the first of the list that drops or moves.
pub(super) fn legal(house: &Sandbox) -> String {
    let run = house.parapost(["legal", "duel", "--placements"]);
    let listed = run.any_stdout().any_stderr().run().stdout;
    let moves: Vec<&str> = listed.lines().collect();
    let made = house.read("games/duel.txt").matches(" move ").count();
    moves[(made * 7) % moves.len()].to_owned()
}

/// Every move goes by the group alone: no mail is carried.
#[test]
#[ignore = "needs INN, openssl"]
fn two_programs_play_a_match_in_a_newsgroup() {
    let games = match env::var("PARAPOST_TEST_NEWS").as_deref() {
        Ok("all") => &ALL[..],
        _ => &FEW[..],
    };
    for game in games {
        let inn = Inn::start(true);
        let [anna, ben] = begun(&inn, game, "address");
        for ply in 2..PLIES {
            let (mover, other) = if ply % 2 == 0 {
                (&anna, &ben)
            } else {
                (&ben, &anna)
            };
            let text = legal(mover);
            mover
                .parapost(["move", "duel", &text, "--send"])
                .stderr_contains("an article is posted")
                .run();
            let said = fetched(other, 0, &[]);
            assert!(
                said.contains("\tduel\taccepted\n"),
                "{game} {ply} {text}: {said}"
            );
            assert_eq!(fetched(other, 0, &[]), "", "{game} {ply}: it is read once");
        }
        let posts = [&anna, &ben].map(|house| {
            let shown = house.parapost(["show", "duel", "--as", "post"]);
            shown.any_stdout().run().stdout
        });
        assert_eq!(posts[0], posts[1], "{game}");
        let articles = inn.articles(GROUP);
        assert_eq!(
            articles.len(),
            PLIES - 1,
            "{game}: one for each, from the first of both on"
        );
        for house in [&anna, &ben] {
            house.parapost(["verify", "duel"]).any_stdout().run();
        }
    }
}

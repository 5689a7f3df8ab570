//! Each kind of mail with HTML, in the situations that people meet.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::desk::{Desk, GAMES, sample};
use crate::mail::Mail;

/// A mail and the name of its situation.
pub(crate) type Situation = (String, Mail);

/// Names the mails that a desk has sent by who gets them.
fn named(name: &str, desk: &Desk) -> Vec<Situation> {
    let mails = desk.mails().into_iter();
    // A question which match is meant, say, has no board to show.
    let with_html = mails.filter(|mail| mail.html.is_some());
    with_html
        .map(|mail| {
            let who = mail.to.split('@').next().unwrap_or_default();
            (format!("{name}-to-{who}"), mail)
        })
        .collect()
}

/// The same for the mails to one player: those of the other are like others.
fn named_to(user: &str, name: &str, desk: &Desk) -> Vec<Situation> {
    let mut situations = named(name, desk);
    situations.retain(|(_, mail)| mail.to == format!("{user}@example.org"));
    assert_eq!(situations.len(), 1, "{name}");
    situations
}

/// The referee's mails after a message of that player's, which must be taken
/// for `word`.
fn answered(name: &str, moves: &str, from: &str, body: &str, word: &str) -> Vec<Situation> {
    let desk = Desk::referee();
    desk.begin("unachess", moves, &["--invited"]);
    assert_eq!(desk.receive(from, body), word, "{name}");
    let mut situations = named(name, &desk);
    // One receipt is like another.
    if situations.len() > 1 && name != "words" {
        situations.retain(|(_, mail)| !mail.to.starts_with(from));
    }
    assert!(!situations.is_empty(), "{name}");
    situations
}

/// A match of each game: the invitation, a position in the middle, and the end.
pub(crate) fn of_games() -> Vec<Situation> {
    let mut situations = Vec::new();
    for game in GAMES {
        let desk = Desk::referee();
        desk.begin(game, "", &["--time", "10d", "--event", "Cup", "--send"]);
        situations.extend(named_to("ben", &format!("{game}-invitation"), &desk));

        let moves = sample(game);
        for (name, count) in [("middle", moves.len() / 2), ("end", moves.len() - 1)] {
            let desk = Desk::referee();
            desk.begin(
                game,
                &moves[..count].join(" "),
                &["--invited", "--time", "10d"],
            );
            let players = ["anna", "ben"];
            let word = desk.receive(players[count % 2], &format!("{}\n", moves[count]));
            assert_eq!(word, "accepted", "{game} {}", moves[count]);
            let opponent = players[(count + 1) % 2];
            situations.extend(named_to(opponent, &format!("{game}-{name}"), &desk));
        }
    }
    situations
}

/// Every kind of mail, in one game.
pub(crate) fn of_kinds() -> Vec<Situation> {
    let unclear = "K>e1 k>h8 N>c6 b>d7 P>a2 p>b7 P>h2 p>h7 P>a3";
    let mut situations: Vec<_> = [
        (
            "words",
            "P>e3",
            "n>g5\n\nGood luck, Anna!\nBen\n",
            "accepted",
        ),
        ("check", "K>e1 k>e8 P>a2", "r>e4\n", "accepted"),
        ("virtual-check", "K>h1", "n>f2\n", "accepted"),
        ("draw-offered", "P>e3", "n>g5\n\noffer draw\n", "accepted"),
        (
            "resigned",
            "P>e3",
            "I resign.\n\nThanks for the game!\n",
            "command",
        ),
        ("note", "P>e3", "Nice weather here.\n", "note"),
        ("refused", "P>e3", "n>e3\n", "refused"),
        ("ambiguous", unclear, "bxc6\n", "ambiguous"),
        ("confirm", "P>e3", "I'd take n>g5 here\n", "confirm"),
        ("not-your-turn", "P>e3 n>g5", "p>e5\n", "not-your-turn"),
        ("help", "P>e3", "help\n", "command"),
        ("show", "P>e3", "show\n", "command"),
        ("rules", "P>e3", "rules\n", "command"),
        ("legal", "P>e3", "legal\n", "command"),
    ]
    .into_iter()
    .flat_map(|(name, moves, body, word)| answered(name, moves, "ben", body, word))
    .collect();
    situations.extend(of_a_player());
    situations.extend(of_takebacks());
    situations.extend(of_refused_mail());
    situations
}

/// What a player with the program sends to one without.
fn of_a_player() -> Vec<Situation> {
    let desk = Desk::anna();
    desk.begin("unachess", "", &["--send"]);
    let mut situations = named("player-invitation", &desk);
    desk.run(&["move", "m", "P>e3", "--send"]);
    situations.extend(named("player-position", &desk));
    situations
}

fn of_takebacks() -> Vec<Situation> {
    let desk = Desk::referee();
    desk.begin("unachess", "P>e3 n>g5", &["--invited"]);
    desk.receive("ben", "Sorry!\n\npropose takeback\n");
    let mut situations = named("takeback-proposed", &desk);
    desk.receive("anna", "accept takeback\n");
    situations.extend(named("takeback-accepted", &desk));
    situations
}

/// A referee tells a player that the other's mail did not arrive, and asks
/// which of two matches a message is about.
fn of_refused_mail() -> Vec<Situation> {
    let desk = Desk::referee();
    desk.begin("unachess", "", &["--invited"]);
    let program = desk.path().join("sendmail");
    let script = "#!/bin/sh\ncase \"$*\" in *ben@*) echo no such user >&2; exit 67; esac\ncat > games/outbox/$$.eml\n";
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    fs::create_dir_all(desk.path().join("games/outbox")).unwrap();
    let config = desk.path().join("config.toml");
    let text = fs::read_to_string(&config).unwrap();
    let transport = "\n[transport]\nkind = \"sendmail\"\npath = \"sendmail\"\n";
    fs::write(&config, text + transport).unwrap();
    desk.receive("anna", "P>e3\n");
    named("undelivered", &desk)
}

/// The longest and the strangest of what people can write.
pub(crate) fn of_extremes() -> Vec<Situation> {
    let long = "Wolfeschlegelsteinhausenbergerdorffvoralternwarengewissenhaf";
    let scripts = [
        (
            "long-names",
            long,
            "W W W W W W W W W W W W W W W W W W W W W W W W W W W W W W",
        ),
        ("right-to-left", "שלמה בן־דוד", "محمد عبد الله"),
        ("cjk", "山田太郎左衛門尉藤原朝臣信繁", "欧阳锋·西毒"),
        ("signs", "Anna & Co (the 1st)", "Ben {{ id }} 'x'"),
    ];
    let words = format!(
        "{}\n\n{}\nhttps://example.org/{}\n\n{}\n",
        "Słowo, слово, λόγος, 言葉, كلمة, מילה, 🙂. ".repeat(20),
        "x".repeat(70),
        "path/".repeat(40),
        "> a quotation\n".repeat(20),
    );
    let mut situations = Vec::new();
    for (name, white, black) in scripts {
        let desk = Desk::referee();
        let (white, black) = (quoted(white, "anna"), quoted(black, "ben"));
        let more = [
            "--send", "--white", &white, "--black", &black, "--event", long, "--time", "365d",
        ];
        desk.begin("unachess", "", &more);
        situations.extend(named_to("ben", &format!("{name}-invitation"), &desk));
        let word = desk.receive("anna", &format!("P>e3\n\n{words}"));
        assert_eq!(word, "accepted", "{name}");
        situations.extend(named_to("ben", name, &desk));
    }
    situations
}

/// An address with a name of any characters.
fn quoted(name: &str, user: &str) -> String {
    format!("\"{name}\" <{user}@example.org>")
}

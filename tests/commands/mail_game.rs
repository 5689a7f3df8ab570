//! A whole game by mail, through a real mail server: between two players, and
//! with a referee between them.
//!
//! The game is `tests/data/whole-game.txt`: castling on both sides, en passant,
//! promotion, virtual check, a mate by drop.

use {
    crate::support::{
        Sandbox, Test,
        exim::{Exim, address, password},
    },
    lettre::{
        Message, Transport,
        message::header::{InReplyTo, References},
    },
    mail_parser::MessageParser,
    std::{ffi::OsString, fs, path::Path, process::Command},
};

const WHOLE_GAME: &str = include_str!("../data/whole-game.txt");

/// The id of every match here: each test has folders of its own.
const ID: &str = "g7";

const PLAYERS: [&str; 2] = ["white", "black"];

/// The half-moves of the game as the list has them, without marks.
fn plies() -> Vec<&'static str> {
    let plies: Vec<_> = list(WHOLE_GAME)
        .split_whitespace()
        .filter(|word| !word.ends_with('.') && !["+", "!+", "#"].contains(word))
        .skip(PLAYERS.len()) // the headings
        .collect();
    assert!(plies.len() >= 40, "{plies:?}");
    plies
}

/// The move list in a text: from its heading to the next empty line but one.
fn list(text: &str) -> &str {
    let start = text.find("White       Black\n").expect("a list");
    let rest = &text[start..];
    let body = rest.find("\n\n").expect("an empty line under the heading") + 2;
    let end = rest[body..]
        .find("\n\n")
        .map_or(rest.len(), |at| body + at + 1);
    &rest[..end]
}

/// The value of a header line of a state file.
fn header<'a>(state: &'a str, key: &str) -> &'a str {
    let (headers, _) = state.split_once("\n\n").expect("headers");
    headers
        .lines()
        .find_map(|line| line.strip_prefix(key)?.strip_prefix(": "))
        .unwrap_or_else(|| panic!("no {key} in:\n{headers}"))
}

/// Somebody with a mailbox, a configuration and a games folder.
struct Seat<'a> {
    user: &'static str,
    exim: &'a Exim,
    home: Sandbox,
}

impl<'a> Seat<'a> {
    fn new(exim: &'a Exim, user: &'static str, role: &str) -> Self {
        let seat = Self {
            user,
            exim,
            home: Sandbox::new()
                .dir("games")
                .secret("password", format!("{}\n", password(user)))
                .env("PARAPOST_CONFIG", "parapost.toml"),
        };
        seat.configure(role, exim.port);
        seat
    }

    /// Writes the configuration, with the mail server on that port.
    fn configure(&self, role: &str, port: u16) {
        let text = format!(
            r#"
[me]
name = "{user}"
address = "{address}"
role = "{role}"

[transport]
kind = "smtp"

[smtp]
host = "localhost"
port = {port}
tls = "starttls"
ca_file = "{ca_file}"
user = "{user}"
password_file = "{password_file}"
"#,
            user = self.user,
            address = address(self.user),
            ca_file = self.exim.ca_file().display(),
            password_file = self.home.path("password").display(),
        );
        self.home.write("parapost.toml", text);
    }

    fn parapost<A: Into<OsString>>(&self, arguments: impl IntoIterator<Item = A>) -> Test {
        self.home.parapost(arguments)
    }

    /// Begins the match and mails the invitations, which is told so.
    fn invite(&self, told: &str) {
        self.parapost(["new", "--game", "unachess", "--id", ID, "--send"])
            .args(["--white", "Anna White <white@example.test>"])
            .args(["--black", "Björn Black <black@example.test>"])
            .stdout(format!("{ID}\n"))
            .stderr_contains(told)
            .run();
    }

    /// Reads the whole mailbox and gives what became of the newest message.
    /// The others must have been dealt with before.
    fn receive(&self, arguments: &[&str], status: i32) -> String {
        let newest = self.newest().expect("a message").message_id;
        let mailbox = self.exim.maildir(self.user);
        let output = self
            .parapost(["receive"])
            .args(arguments)
            .args([mailbox.to_str().expect("UTF-8")])
            .any_stdout()
            .any_stderr()
            .status(status)
            .run();
        let mut fate = None;
        for line in output.stdout.lines() {
            let [id, game, word] = line.split('\t').collect::<Vec<_>>()[..] else {
                panic!("not a line of receive: {line:?}");
            };
            if id.trim_matches(['<', '>']) == newest {
                assert_eq!(game, ID, "{line}");
                assert_eq!(fate.replace(word.to_owned()), None, "told twice: {line}");
            } else {
                assert_ne!(word, "accepted", "played again: {line}");
            }
        }
        fate.unwrap_or_else(|| panic!("nothing about {newest}: {output:?}"))
    }

    fn newest(&self) -> Option<Mail> {
        let messages = self.exim.messages(self.user);
        messages.last().map(|path| Mail::read(path))
    }

    fn state(&self) -> String {
        self.home.read(format!("games/{ID}.txt"))
    }

    /// Writes to the referee as people do, with the last mail from there
    /// quoted below.
    fn write(&self, text: &str) {
        let quoted = self.newest().expect("an invitation");
        let id = format!("<{}>", quoted.message_id);
        let message = Message::builder()
            .from(address(self.user).parse().unwrap())
            .to(address("referee").parse().unwrap())
            .subject(format!("Re: {}", quoted.subject))
            .header(InReplyTo::from(id.clone()))
            .header(References::from(id))
            .message_id(None)
            .body(format!(
                "{text}\n\nThe referee wrote:\n> {}\n",
                quoted.text.trim_end().replace('\n', "\n> ")
            ))
            .unwrap();
        self.exim.client(self.user).send(&message).unwrap();
    }
}

/// A message as a mail program shows it.
struct Mail {
    message_id: String,
    subject: String,
    text: String,
}

impl Mail {
    fn read(path: &Path) -> Self {
        let bytes = fs::read(path).unwrap();
        let message = MessageParser::new().parse(&bytes).expect("a message");
        Self {
            message_id: message.message_id().expect("Message-ID").to_owned(),
            subject: message.subject().expect("Subject").to_owned(),
            text: message.body_text(0).expect("a text").replace('\r', ""),
        }
    }
}

/// Enters the match of an invitation as it tells.
fn follow_invitation(seat: &Seat<'_>) {
    let invitation = seat.newest().expect("an invitation").text;
    assert!(
        invitation.contains("\"parapost receive --accept\""),
        "{invitation}"
    );
    let output = Command::new(env!("CARGO_BIN_EXE_parapost"))
        .args(["receive", "--accept"])
        .args(seat.exim.messages(seat.user).last())
        .current_dir(seat.home.folder())
        .env_clear()
        .env("HOME", seat.home.folder())
        .env("PARAPOST_CONFIG", "parapost.toml")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.ends_with(&format!("\t{ID}\tinvitation\n")), "{told}");
}

#[test]
#[ignore = "needs Exim"]
fn two_players_play_a_whole_game() {
    let exim = Exim::start();
    let seats = PLAYERS.map(|user| Seat::new(&exim, user, "player"));
    let [white, black] = &seats;
    white.invite("Björn Black is invited");
    exim.wait_for("black", 1);
    follow_invitation(black);
    // The invitation is known by now, and nothing that Black's program would answer.
    assert_eq!(black.receive(&["--send"], 0), "duplicate");

    let mut arrived = [0, 1];
    for (number, ply) in plies().into_iter().enumerate() {
        let (mover, other) = (number % 2, 1 - number % 2);
        seats[mover]
            .parapost(["move", ID, ply, "--send"])
            .any_stdout()
            .any_stderr()
            .run();
        arrived[other] += 1;
        exim.wait_for(PLAYERS[other], arrived[other]);
        assert_eq!(seats[other].receive(&[], 0), "accepted", "{ply}");
    }

    for seat in &seats {
        let state = seat.state();
        assert_eq!(list(&state), list(WHOLE_GAME));
        assert_eq!(header(&state, "Rules"), "unachess");
    }
    let [one, other] = [white, black].map(Seat::state);
    for key in ["Id", "Game", "White", "Black", "Result"] {
        assert_eq!(header(&one, key), header(&other, key));
    }
    assert!(header(&one, "Result").contains("1-0"), "{one}");
    // Nothing was answered that nobody asked for.
    exim.wait_for("white", arrived[0]);
    exim.wait_for("black", arrived[1]);
    // Over is over, for both.
    for seat in &seats {
        seat.parapost(["move", ID, "k-e8", "--send"])
            .status(1)
            .stderr_contains("over")
            .run();
    }
}

#[test]
#[ignore = "needs Exim"]
fn a_referee_stands_between_two_players() {
    let exim = Exim::start();
    let referee = Seat::new(&exim, "referee", "referee");
    let players = PLAYERS.map(|user| Seat::new(&exim, user, "player"));
    referee.invite("Anna White and Björn Black are invited");
    // Both players are told of the match.
    for user in PLAYERS {
        exim.wait_for(user, 1);
    }

    let mut arrived = [1, 1];
    let mut asked = 0;
    for (number, ply) in plies().into_iter().enumerate() {
        let (mover, other) = (number % 2, 1 - number % 2);
        if number == 4 {
            // An illegal move on the way changes nothing and is explained.
            let before = referee.state();
            players[mover].write("P>e6");
            asked += 1;
            exim.wait_for("referee", asked);
            assert_eq!(referee.receive(&["--send"], 1), "refused");
            arrived[mover] += 1;
            exim.wait_for(PLAYERS[mover], arrived[mover]);
            let explanation = players[mover].newest().unwrap().text;
            assert!(explanation.contains("ranks 2, 3 or 4"), "{explanation}");
            assert_eq!(list(&before), list(&referee.state()));
        }
        players[mover].write(ply);
        asked += 1;
        exim.wait_for("referee", asked);
        assert_eq!(referee.receive(&["--send"], 0), "accepted", "{ply}");
        // The position for the opponent, a receipt for the mover.
        for player in [mover, other] {
            arrived[player] += 1;
            exim.wait_for(PLAYERS[player], arrived[player]);
        }
        let position = players[other].newest().unwrap();
        assert!(position.subject.contains(&format!("[{ID}]")));
        assert!(position.text.contains(ply), "{}", position.text);
    }

    let state = referee.state();
    assert_eq!(list(&state), list(WHOLE_GAME));
    assert!(header(&state, "Result").contains("1-0"), "{state}");
    let diagram = WHOLE_GAME.split("\n\n").next().unwrap();
    for player in &players {
        let last = player.newest().unwrap();
        assert!(last.text.contains(diagram), "{}", last.text);
        assert!(last.text.contains(list(WHOLE_GAME)), "{}", last.text);
    }
}

#[test]
#[ignore = "needs Exim"]
fn mail_that_cannot_go_is_owed_and_goes_later() {
    let exim = Exim::start();
    let white = Seat::new(&exim, "white", "player");
    white.invite("Björn Black is invited");
    exim.wait_for("black", 1);

    // A port that nobody listens on.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody = listener.local_addr().unwrap().port();
    drop(listener);
    white.configure("player", nobody);
    white
        .parapost(["move", ID, "K>e1", "--send"])
        .any_stdout()
        .any_stderr()
        .status(75)
        .run();
    assert!(list(&white.state()).contains("1.  K>e1"));
    white
        .parapost(["send"])
        .any_stdout()
        .any_stderr()
        .status(75)
        .run();

    white.configure("player", exim.port);
    white.parapost(["send"]).any_stdout().any_stderr().run();
    let mail = Mail::read(exim.wait_for("black", 2).last().unwrap());
    assert!(mail.text.contains("1. K>e1"), "{}", mail.text);
    // Nothing is owed any more.
    white.parapost(["send"]).any_stdout().any_stderr().run();
    exim.wait_for("black", 2);
}

#[test]
#[ignore = "needs Exim"]
fn a_server_that_is_not_vouched_for_gets_no_password() {
    let [exim, other] = [Exim::start(), Exim::start()];
    let white = Seat::new(&exim, "white", "player");
    white.configure("player", other.port);
    white
        .parapost(["new", "--game", "unachess", "--id", ID, "--send"])
        .args(["--white", "Anna White <white@example.test>"])
        .args(["--black", "Björn Black <black@example.test>"])
        .stdout(format!("{ID}\n"))
        .stderr_contains("certificate")
        .stderr_contains("owed")
        .status(1)
        .run();
    assert_eq!(other.messages("black").len(), 0);
    assert!(!other.log().contains("A="), "{}", other.log());
}

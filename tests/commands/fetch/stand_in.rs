//! A stand-in for an IMAP server that answers as a real one seldom does.

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use tempfile::TempDir;

use super::{house, letter, moves, names, place, plays, stranger, words};
use crate::servers::{certify, wait_until};
use crate::support::Sandbox;
use crate::support::exim::{address, password};

/// What a connection begins with where there is no TLS.
const CONNECTED: &str = "";

/// A referee with the match `m`, whose mailbox is on a stand-in with some messages.
struct Scene {
    house: Sandbox,
    _folder: TempDir,
}

impl Scene {
    /// `answer` says something else than a server would: it gets the number of the
    /// connection and the command, and writes `TAG` for the tag.
    fn new(
        messages: Vec<String>,
        answer: impl Fn(usize, &str) -> Option<String> + Send + 'static,
    ) -> Scene {
        let folder = tempfile::tempdir().unwrap();
        certify(folder.path());
        let certificates = CertificateDer::pem_file_iter(folder.path().join("server.pem"));
        let key = PrivateKeyDer::from_pem_file(folder.path().join("server.key")).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(certificates.unwrap().map(Result::unwrap).collect(), key)
            .unwrap();
        let config = Arc::new(config);
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                // Nothing has been there before the first run.
                let next = if number == 0 { 1 } else { messages.len() + 1 };
                let connected = answer(number, CONNECTED).unwrap_or_default();
                let answer = |command: &str| {
                    let said = answer(number, command);
                    said.unwrap_or_else(|| usual(command, &messages, next))
                };
                let server = ServerConnection::new(Arc::clone(&config)).unwrap();
                // The client may hang up at any time.
                let _ = converse(stream.unwrap(), server, &connected, &answer);
            }
        });
        let house = house(port, &folder.path().join("ca.pem"), "");
        house
            .parapost(["fetch"])
            .env("PARAPOST_WAIT", "0")
            .any_stderr()
            .either();
        Scene {
            house,
            _folder: folder,
        }
    }

    /// Fetches, and has all that is there dealt with.
    fn fetch(&self) {
        let run = self.house.parapost(["fetch"]).any_stdout();
        run.any_stderr().run();
    }
}

fn converse(
    mut tcp: TcpStream,
    server: ServerConnection,
    connected: &str,
    answer: &dyn Fn(&str) -> String,
) -> std::io::Result<()> {
    if !connected.is_empty() {
        return tcp.write_all(connected.as_bytes());
    }
    let mut stream = BufReader::new(StreamOwned::new(server, tcp));
    stream.get_mut().write_all(b"* OK here\r\n")?;
    let mut line = String::new();
    while stream.read_line(&mut line)? > 0 {
        let (tag, command) = line.trim_end().split_once(' ').unwrap_or_default();
        let said = answer(command).replace("TAG", tag);
        if said.is_empty() {
            return Ok(());
        }
        stream.get_mut().write_all(said.as_bytes())?;
        line.clear();
    }
    Ok(())
}

/// What a server says whose next message gets this UID.
fn usual(command: &str, messages: &[String], next: usize) -> String {
    let words: Vec<&str> = command.split(' ').collect();
    let mut said = String::new();
    match words.as_slice() {
        ["CAPABILITY"] => said += "* CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN IDLE\r\n",
        ["EXAMINE", _] => {
            let count = next - 1;
            let _ = write!(said, "* {count} EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n");
            let _ = write!(said, "* OK [UIDNEXT {next}] x\r\n");
        }
        ["UID", "SEARCH", "UID", set, rest @ ..] => {
            let first = set.split([':', ',']).next().unwrap().parse().unwrap();
            said += "* SEARCH";
            for uid in (first..next).filter(|_| rest.is_empty()) {
                let _ = write!(said, " {uid}");
            }
            said += "\r\n";
        }
        ["UID", "FETCH", set, items @ ..] => {
            let items = items.join(" ");
            for (at, message) in messages.iter().enumerate() {
                let uid = at + 1;
                let is_head = items.contains("HEADER");
                if !is_head && *set != uid.to_string() {
                    continue;
                }
                let head = message.find("\n\n").unwrap() + 2;
                let mut text = if is_head { &message[..head] } else { message };
                let most = items.split_once("<0.").map(|(_, most)| most);
                if let Some(most) = most.and_then(|most| most.split('>').next()) {
                    text = &text[..text.len().min(most.parse().unwrap())];
                }
                let (item, length) = (if is_head { "HEADER" } else { "" }, text.len());
                let _ = write!(
                    said,
                    "* {uid} FETCH (UID {uid} RFC822.SIZE 99 BODY[{item}] {{{length}}}\r\n{text})\r\n"
                );
            }
        }
        _ => {}
    }
    said + "TAG OK done\r\n"
}

/// A server says by a code that its trouble may pass, whatever it does not do for it.
#[test]
#[ignore = "needs openssl"]
fn a_server_in_trouble_is_a_matter_for_later() {
    let scene = Scene::new(vec![], |number, command| {
        let is_it = number == 1 && command.starts_with("EXAMINE");
        is_it.then(|| "TAG NO [SERVERBUG] Internal error occurred\r\n".to_owned())
    });
    let run = scene.house.parapost(["fetch"]).status(75);
    run.stderr_contains("Internal error occurred").run();
}

/// Without the search nobody knows whether a message quotes a mail of ours.
#[test]
#[ignore = "needs openssl"]
fn messages_that_could_not_be_searched_are_looked_at_again() {
    let scene = Scene::new(vec![stranger()], |number, command| {
        let is_it = command.contains(" BODY ");
        is_it.then(|| match number {
            1 => "TAG NO [INUSE] the index is rebuilt\r\n".to_owned(),
            _ => "* SEARCH 1\r\nTAG OK done\r\n".to_owned(),
        })
    });
    let run = scene.house.parapost(["fetch"]).status(75);
    run.stderr_contains("could not be searched: NO [INUSE] the index is rebuilt")
        .run();
    let run = scene.house.parapost(["fetch"]).any_stderr().any_stdout();
    let said = run.either().stdout;
    assert_eq!(words(&said), ["stranger"]);
}

#[test]
#[ignore = "needs openssl"]
fn a_message_longer_than_the_server_says_holds_up_no_other() {
    let long = letter("white@example.org", "[m] long", &"x\n".repeat(17 << 20));
    let scene = Scene::new(vec![long, plays("white", "P>e3")], |_, _| None);
    let run = scene.house.parapost(["fetch"]).any_stderr().any_stdout();
    let said = run.either().stdout;
    assert_eq!(words(&said), ["refused", "accepted"]);
    assert_eq!(moves(&scene.house), "1. P>e3");
}

/// A long message over a slow line does so, too.
#[test]
#[ignore = "needs openssl"]
fn a_message_that_always_ends_the_connection_holds_up_no_other_for_ever() {
    let scene = Scene::new(
        vec![plays("black", "n>g5"), plays("white", "P>e3")],
        |_, command| command.contains("FETCH 1 (BODY.PEEK[]").then(String::new),
    );
    for _ in 0..3 {
        let run = scene.house.parapost(["fetch"]).status(75);
        run.stderr_contains("it has closed the connection").run();
        assert_eq!(moves(&scene.house), "");
    }
    let run = scene.house.parapost(["fetch"]).status(75);
    run.any_stdout().any_stderr().run();
    assert_eq!(moves(&scene.house), "1. P>e3");
}

#[test]
#[ignore = "needs openssl"]
fn a_login_that_the_server_repeats_is_not_printed() {
    for (status, said) in [
        (75, "* BYE SECRET is wrong\r\n"),
        (1, "TAG NO SECRET is wrong\r\n"),
        (1, "TAG NO [SECRET] wrong\r\n"),
        (1, "TAG BAD SECRET\r\n"),
    ] {
        let scene = Scene::new(vec![], move |number, command| {
            let is_login = number == 1 && command.starts_with("AUTHENTICATE");
            is_login.then(|| said.replace("SECRET", &password("referee")))
        });
        let run = scene.house.parapost(["--verbose", "fetch"]);
        let run = run.any_stderr().status(status).run();
        let said = run.stderr.to_lowercase();
        assert!(said.contains("localhost"), "{said}");
        assert!(
            !said.contains(&password("referee").to_lowercase()),
            "{said}"
        );
    }
}

/// Whoever stands between for a moment can end no watch for ever.
#[test]
#[ignore = "needs openssl"]
fn a_watch_that_has_begun_outlasts_somebody_between() {
    let scene = Scene::new(vec![plays("white", "P>e3")], |number, command| {
        match (number, command) {
            (1, "UID SEARCH UID 1:*") => Some("* SEARCH\r\nTAG OK done\r\n".to_owned()),
            (1, "IDLE") => Some(String::new()),
            (2, CONNECTED) => Some("HTTP/1.0 302 Pay first\r\n\r\n".to_owned()),
            _ => None,
        }
    });
    let stderr = fs::File::create(scene.house.path("stderr")).unwrap();
    let mut command = scene.house.parapost(["fetch", "--watch"]).command();
    let command = command.stdin(Stdio::null()).stdout(Stdio::null());
    let mut watch = command.stderr(stderr).spawn().unwrap();
    let is_played = wait_until(|| moves(&scene.house) == "1. P>e3");
    let _ = watch.kill();
    let _ = watch.wait();
    assert!(is_played, "{}", scene.house.read("stderr"));
}

/// What has arrived since a day is read once, not anew over every connection.
#[test]
#[ignore = "needs openssl"]
fn a_watch_that_connects_again_reads_no_old_mail_again() {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    let scene = Scene::new(vec![plays("white", "P>e3")], move |number, command| {
        if command.contains(" SINCE ") {
            counted.fetch_add(1, Ordering::SeqCst);
        }
        match (number, command) {
            (1, "UID SEARCH UID 1:*") => Some("* SEARCH\r\nTAG OK done\r\n".to_owned()),
            (1, "IDLE") => Some(String::new()),
            _ if command.contains(" SINCE ") => Some("* SEARCH\r\nTAG OK done\r\n".to_owned()),
            _ => None,
        }
    });
    let words = ["fetch", "--watch", "--since", "2020-01-01"];
    let mut command = scene.house.parapost(words).command();
    let command = command.stdin(Stdio::null()).stdout(Stdio::null());
    let mut watch = command.stderr(Stdio::null()).spawn().unwrap();
    let is_played = wait_until(|| moves(&scene.house) == "1. P>e3");
    let _ = watch.kill();
    let _ = watch.wait();
    assert!(is_played);
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

/// A folder that is in use is there.
#[test]
#[ignore = "needs openssl"]
fn doctor_makes_no_folder_of_a_server_in_trouble() {
    for code in ["[INUSE]", "[UNAVAILABLE]"] {
        let scene = Scene::new(vec![], move |number, command| {
            let is_it = number > 0 && command.starts_with("EXAMINE");
            is_it.then(|| format!("TAG NO {code} not now\r\n"))
        });
        let run = scene.house.parapost(["doctor"]).status(1);
        let said = run.any_stdout().any_stderr().run().stdout;
        let line = said.lines().find(|line| line.contains("cannot be opened"));
        let line = line.unwrap_or_else(|| panic!("{said}"));
        assert!(line.ends_with("; try again later"), "{line}");
    }
}

/// The connection breaks when the mail is looked at anew for a match that was just entered.
#[test]
#[ignore = "needs openssl"]
fn mail_about_a_match_that_was_entered_last_outlasts_a_broken_connection() {
    let me = format!("Referee <{}>", address("referee"));
    let host = Sandbox::new()
        .dir("games")
        .file(
            "config.toml",
            "[me]\nname = \"Zoe\"\naddress = \"zoe@example.org\"\n",
        )
        .env("PARAPOST_CONFIG", "config.toml");
    let invitation = host
        .parapost(["new", "--game", "unachess", "--id", "new1", "--print"])
        .args(["--white", "Zoe <zoe@example.org>", "--black", &me])
        .any_stdout()
        .any_stderr()
        .run()
        .stdout;
    // The move comes before the invitation, and the answer to an earlier mail behind it.
    let moved = letter("zoe@example.org", "my move", "P>e3");
    let heads = Arc::new(AtomicUsize::new(0));
    let scene = Scene::new(
        vec![moved, invitation, stranger()],
        move |number, command| {
            let is_head = command.contains("HEADER") && number == 1;
            let count = heads.fetch_add(usize::from(is_head), Ordering::SeqCst);
            (is_head && count == 1).then(String::new)
        },
    );
    let ours = scene.house.read("config.toml");
    let mine = ours.replace("role = \"referee\"", "");
    scene.house.write("config.toml", mine);
    let run = scene.house.parapost(["fetch", "--accept"]).status(75);
    let run = run.any_stdout().any_stderr().run();
    assert_eq!(words(&run.stdout), ["invitation"], "{}", run.stderr);
    let run = scene.house.parapost(["fetch"]).any_stdout().any_stderr();
    run.either();
    let game = scene.house.read("games/new1.txt");
    assert!(game.contains("1.  P>e3\n"), "{game}");
}

/// What is said when the folder is opened: its UIDVALIDITY, the id of the mailbox if there is
/// one, and how many messages it has.
fn opened(uid_validity: u32, id: Option<&str>, messages: usize) -> String {
    let id = id.map_or(String::new(), |id| format!("* OK [MAILBOXID ({id})] x\r\n"));
    let next = messages + 1;
    format!(
        "* {messages} EXISTS\r\n* OK [UIDVALIDITY {uid_validity}] x\r\n{id}* OK [UIDNEXT {next}] x\r\nTAG OK x\r\n"
    )
}

/// Nothing but its id tells that the mailbox is another: its messages are gone from it.
#[test]
#[ignore = "needs openssl"]
fn a_mailbox_of_another_id_is_read_without_a_place() {
    for (ids, is_another) in [
        ([Some("F1"), Some("F1")], false),
        ([Some("F1"), Some("F2")], true),
        ([None, Some("F2")], false),
        ([Some("F1"), None], false),
    ] {
        let moved = names("white", "1. P>e3");
        let scene = Scene::new(vec![moved], move |number, command| {
            let id = ids[usize::from(number > 1)];
            match command.split(' ').next() {
                Some("EXAMINE") => Some(opened(7, id, usize::from(number > 0))),
                // Nothing has come to the first mailbox.
                _ if command.starts_with("UID SEARCH UID 1:*") => {
                    Some("* SEARCH\r\nTAG OK x\r\n".to_owned())
                }
                _ if command.contains(" SINCE ") => Some("* SEARCH 1\r\nTAG OK x\r\n".to_owned()),
                _ => None,
            }
        });
        scene.house.parapost(["fetch"]).run();
        let mailbox = || {
            let text = fs::read_to_string(place(&scene.house)).unwrap();
            let id = text.lines().find_map(|line| line.strip_prefix("Mailbox: "));
            id.map(ToOwned::to_owned)
        };
        assert_eq!(mailbox().as_deref(), ids[0]);
        let run = scene.house.parapost(["fetch"]).any_stdout().any_stderr();
        let run = run.run();
        assert_eq!(mailbox().as_deref(), ids[1]);
        let (played, said) = if is_another {
            (
                &["accepted"][..],
                "the messages are not those that were there",
            )
        } else {
            (&[][..], "")
        };
        assert_eq!(words(&run.stdout), played, "{run:?}");
        assert!(run.stderr.contains(said), "{run:?}");
        assert_eq!(run.stderr.is_empty(), !is_another, "{run:?}");
        assert_eq!(moves(&scene.house) == "1. P>e3", is_another);
    }
}

/// The first message is behind the place until it is dealt with.
#[test]
#[ignore = "needs openssl"]
fn a_new_numbering_whose_first_run_breaks_off_begins_once_more() {
    let moved = names("white", "1. P>e3");
    let scene = Scene::new(vec![moved], |number, command| match number {
        0 => None,
        _ if command.starts_with("EXAMINE") => Some(opened(8, None, 1)),
        _ if command.contains(" SINCE ") => Some("* SEARCH 1\r\nTAG OK x\r\n".to_owned()),
        // Not the date of the last message, which tells the present.
        1 if command.starts_with("UID FETCH") && command.contains("HEADER") => Some(String::new()),
        _ => None,
    });
    let run = scene.house.parapost(["fetch"]).status(75);
    run.stderr_contains("it has closed the connection").run();
    let run = scene.house.parapost(["fetch"]).any_stdout().run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    assert_eq!(moves(&scene.house), "1. P>e3");
}

/// A server may refuse all for the one that somebody has just removed.
#[test]
#[ignore = "needs openssl"]
fn a_message_that_is_gone_is_not_kept_where_the_server_refuses_all_for_it() {
    let moved = plays("white", "P>e3");
    let head = moved[..moved.find("\n\n").unwrap() + 2].to_owned();
    let scene = Scene::new(vec![stranger(), moved], move |number, command| {
        if command == "UID SEARCH UID 1" {
            return Some("* SEARCH\r\nTAG OK done\r\n".to_owned());
        }
        let is_head = number > 0 && command.contains("HEADER");
        let uids = command.strip_prefix("UID FETCH ")?.split(' ').next()?;
        is_head.then(|| match uids {
            "1" => "TAG OK done\r\n".to_owned(),
            "2" => format!(
                "* 2 FETCH (UID 2 RFC822.SIZE 99 BODY[HEADER] {{{}}}\r\n{head})\r\nTAG OK done\r\n",
                head.len()
            ),
            _ => "TAG NO [EXPUNGEISSUED] some are gone\r\n".to_owned(),
        })
    });
    let run = scene.house.parapost(["fetch"]).any_stdout().run();
    assert_eq!(words(&run.stdout), ["accepted"]);
    scene.house.parapost(["fetch"]).run();
}

/// The numbers of a set such as `1:3,7`.
fn numbers(set: &str) -> Vec<u32> {
    let ranges = set.split(',').flat_map(|range| {
        let (first, last) = range.split_once(':').unwrap_or((range, range));
        first.parse::<u32>().unwrap()..=last.parse().unwrap()
    });
    ranges.collect()
}

/// The place knows 10,000 messages to be tried again, and stays before the next one.
#[test]
#[ignore = "needs openssl"]
fn the_first_message_that_cannot_be_kept_is_looked_at_again() {
    const ALL: u32 = 10_001;
    let scene = Scene::new(vec![], |number, command| {
        let words: Vec<&str> = command.split(' ').collect();
        let said = match words.as_slice() {
            _ if number == 0 => return None,
            ["EXAMINE", _] => return Some(opened(7, None, 10_001)),
            ["UID", "SEARCH", "UID", range] => {
                let first = range.strip_suffix(":*")?.parse().unwrap();
                let found: Vec<String> = (first..=ALL).map(|uid: u32| uid.to_string()).collect();
                format!("* SEARCH {}\r\n", found.join(" "))
            }
            ["UID", "SEARCH", ..] => format!("* SEARCH {ALL}\r\n"),
            ["UID", "FETCH", ..] if number == 1 => return Some("TAG NO not now\r\n".to_owned()),
            // All the others are gone.
            ["UID", "FETCH", set, ..] if numbers(set).contains(&ALL) => {
                let head = "From: mallory@example.org\r\n\r\n";
                let item = if command.contains("HEADER") {
                    "HEADER"
                } else {
                    ""
                };
                let length = head.len();
                format!(
                    "* {ALL} FETCH (UID {ALL} RFC822.SIZE 99 BODY[{item}] {{{length}}}\r\n{head})\r\n"
                )
            }
            ["UID", "FETCH", ..] => String::new(),
            _ => return None,
        };
        Some(said + "TAG OK x\r\n")
    });
    let run = scene.house.parapost(["fetch"]).status(75);
    run.stderr_contains("a message cannot be read: NO not now")
        .run();
    let text = fs::read_to_string(place(&scene.house)).unwrap();
    assert!(text.contains("\nHandled: 10000\n"), "{}", &text[..200]);
    let run = scene.house.parapost(["fetch"]).any_stderr().any_stdout();
    assert_eq!(words(&run.either().stdout), ["stranger"]);
    scene.house.parapost(["fetch"]).run();
}

/// Went wrong: the place moved on, so nobody ever read the move.
#[test]
#[ignore = "needs openssl"]
fn a_message_of_which_the_server_gives_nothing_is_tried_again() {
    for said in [
        "TAG OK done\r\n",
        "* 1 FETCH (UID 1)\r\nTAG OK done\r\n",
        "* 1 FETCH (UID 1 BODY[] NIL)\r\nTAG OK done\r\n",
        "* 1 FETCH (UID 1 BODY[] \"\")\r\nTAG OK done\r\n",
    ] {
        for of in ["HEADER", "BODY.PEEK[]"] {
            let said = match of {
                "HEADER" => said.replace("BODY[]", "BODY[HEADER.FIELDS (FROM)]"),
                _ => said.to_owned(),
            };
            let told = said.clone();
            // The server recovers in the third run.
            let scene = Scene::new(
                vec![plays("white", "P>e3"), stranger()],
                move |number, command| {
                    let is_it = command.starts_with("UID FETCH 1") && command.contains(of);
                    (is_it && number < 3).then(|| told.clone())
                },
            );
            for run in 1..3 {
                let run_of = scene.house.parapost(["fetch"]).status(75).any_stdout();
                run_of
                    .stderr_contains(
                        "a message cannot be read: the server has it, but sends no data",
                    )
                    .run();
                assert_eq!(moves(&scene.house), "", "{said} {of} {run}");
                let kept = fs::read_to_string(place(&scene.house)).unwrap();
                assert!(
                    kept.contains("Again: 1") && kept.contains("Unread: 1="),
                    "{kept}"
                );
            }
            let kept = fs::read_to_string(place(&scene.house)).unwrap();
            // Not before a day has passed.
            let list = scene
                .house
                .parapost(["list"])
                .any_stdout()
                .any_stderr()
                .run();
            assert!(!list.stderr.contains("no data"), "{}", list.stderr);
            let since = kept.split_once("Unread: 1=").unwrap().1;
            let since = since.lines().next().unwrap();
            fs::write(
                place(&scene.house),
                kept.replace(since, "2026-01-02T03:00:00Z"),
            )
            .unwrap();
            let list = scene.house.parapost(["list"]).any_stdout();
            list.stderr_contains(
                "since 2026-01-02 the server has sent no data of messages in 'INBOX' (UID 1",
            )
            .run();
            let doctor = scene.house.parapost(["doctor"]).any_stderr();
            doctor
                .stdout_contains("has sent no data of messages in 'INBOX'")
                .either();
            scene.fetch();
            assert_eq!(moves(&scene.house), "1. P>e3", "{said} {of}");
            let kept = fs::read_to_string(place(&scene.house)).unwrap();
            assert!(!kept.contains("Unread"), "{kept}");
        }
    }
}

/// A message that is deleted while the folder is read is gone.
#[test]
#[ignore = "needs openssl"]
fn a_message_that_is_gone_when_it_is_asked_for_is_passed_over() {
    let scene = Scene::new(
        vec![plays("black", "n>g5"), plays("white", "P>e3")],
        |number, command| {
            let is_gone = command.starts_with("UID FETCH 1 (BODY") || command == "UID SEARCH UID 1";
            (is_gone && number > 0).then(|| "* SEARCH\r\nTAG OK done\r\n".to_owned())
        },
    );
    scene.fetch();
    assert_eq!(moves(&scene.house), "1. P>e3");
}

#[test]
#[ignore = "needs openssl"]
fn other_forms_of_the_same_answers_are_read() {
    let scene = Scene::new(
        vec![plays("white", "P>e3"), plays("black", "n>g5")],
        |number, command| {
            let messages = [plays("white", "P>e3"), plays("black", "n>g5")];
            if number > 0 && command.starts_with("UID SEARCH UID") {
                return Some(
                    "* ESEARCH (TAG \"TAG\") UID MIN 1 ALL 1:2\r\nTAG OK done\r\n".to_owned(),
                );
            }
            let at =
                (1..3).find(|at| command.starts_with(&format!("UID FETCH {at} (BODY.PEEK[]")))?;
            let text = &messages[at - 1];
            let length = text.len();
            Some(match at {
                1 => format!("* 1 FETCH (UID 1 RFC822 {{{length}}}\r\n{text})\r\nTAG OK done\r\n"),
                _ => format!("* 2 FETCH (BODY[] {{{length}}}\r\n{text})\r\nTAG OK done\r\n"),
            })
        },
    );
    scene.fetch();
    assert_eq!(moves(&scene.house), "1. P>e3 n>g5");
}

/// 163.com and its like open no folder before they know which program asks.
#[test]
#[ignore = "needs openssl"]
fn a_server_that_wants_to_know_the_program_first_is_told() {
    let told = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&told);
    let scene = Scene::new(vec![plays("white", "P>e3")], move |_, command| {
        if command == "CAPABILITY" {
            return Some(
                "* CAPABILITY IMAP4rev1 SASL-IR AUTH=PLAIN ID\r\nTAG OK done\r\n".to_owned(),
            );
        }
        if command.starts_with("ID (\"name\" \"parapost\"") {
            count.fetch_add(1, Ordering::SeqCst);
            return Some("* ID NIL\r\nTAG OK done\r\n".to_owned());
        }
        let is_unknown = command.starts_with("EXAMINE") && count.swap(0, Ordering::SeqCst) == 0;
        is_unknown
            .then(|| "TAG NO EXAMINE Unsafe Login. Please contact help@server.test\r\n".to_owned())
    });
    scene.fetch();
    assert_eq!(moves(&scene.house), "1. P>e3");
}

/// A folder that is there is not looked for under another name.
#[test]
#[ignore = "needs openssl"]
fn doctor_does_not_blame_the_name_of_a_folder_that_is_there() {
    let scene = Scene::new(vec![], |number, command| match command {
        command if number > 0 && command.starts_with("EXAMINE") => {
            Some("TAG NO EXAMINE Unsafe Login\r\n".to_owned())
        }
        command if command.starts_with("LIST") => {
            Some("* LIST () \"/\" INBOX\r\nTAG OK done\r\n".to_owned())
        }
        _ => None,
    });
    let run = scene.house.parapost(["doctor"]).any_stderr().either();
    assert!(run.stdout.contains("the folder exists"), "{}", run.stdout);
    assert!(!run.stdout.contains("correct folder"), "{}", run.stdout);
}

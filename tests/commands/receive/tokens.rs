//! No Message-ID of our mails, which proves who answers it, is carried to anybody else.

use super::{ben, header, mails, receive, referee};

/// Letters and digits alone, in small letters.
fn bare(text: &str) -> String {
    let bare = text.chars().filter(char::is_ascii_alphanumeric);
    bare.collect::<String>().to_ascii_lowercase()
}

/// The token of the player's own mail went to the other player, where the player's
/// program had written it into an attribution that was taken for words.
#[test]
#[ignore = "takes long"]
fn a_players_own_token_is_never_carried() {
    let session = referee();
    let output = receive(&session, &["--print"], &ben("help\n"), "m", "command").run();
    let id = header(&mails(&output.stdout)[0], "Message-ID:").to_owned();
    let token = id.split('.').nth(2).unwrap().split('@').next().unwrap();
    assert_eq!(token.len(), 20, "{id}");
    let wrapped = |at: usize, with: &str| {
        let at = id.find(token).unwrap() + at;
        format!("{}{with}{}", &id[..at], &id[at..])
    };
    let mut shapes = vec![
        format!("In message {id}\non Friday, the referee wrote:"),
        format!("In message {id}\n on Friday, 20 November 2026,\n the referee wrote:"),
        format!("In article {id}, the referee <ref@example.org> writes:\n"),
        format!("note The referee's {id}"),
        format!("In reply to: {}", id.to_ascii_uppercase()),
        format!(
            "mailto:ref@example.org?In-Reply-To=%3C{}%3E",
            &id[1..id.len() - 1]
        ),
        format!("(Message-ID {}\u{2026})", &id[..id.len() - 20]),
        format!("See https://archive.example/?id={token}&x=1"),
        format!("Your token: {token}"),
        format!("First {}, then {}", &token[..10], &token[10..]),
    ];
    for at in 0..=20 {
        shapes.push(format!(
            "In message {}\non Friday, X wrote:",
            wrapped(at, "\n")
        ));
        shapes.push(format!("In message {}, X wrote", wrapped(at, "=\n")));
        shapes.push(format!("In message {}, X wrote", wrapped(at, "\n| ")));
        shapes.push(format!("In message {}, X wrote", wrapped(at, "\u{200b}")));
        shapes.push(format!("In message {}, X wrote", wrapped(at, " - ")));
    }
    for (count, shape) in shapes.iter().enumerate() {
        let body = format!("{count}: thank you\n\n{shape}\n\nUntil then\n");
        let run = ["receive", "--print", "--deliver"];
        let letter = ben(&body).replace("@ben.test>", &format!(".{count}@ben.test>"));
        let output = session
            .parapost(run)
            .stdin(letter)
            .any_stdout()
            .any_stderr()
            .run();
        for mail in mails(&output.stdout) {
            if header(&mail, "To:").contains("anna") {
                assert!(!bare(&mail).contains(token), "{shape}\n{mail}");
                // Not most of it either.
                let pieces = (0..=token.len() - 10).map(|at| &token[at..at + 10]);
                for piece in pieces {
                    assert!(!bare(&mail).contains(piece), "{shape}\n{mail}");
                }
            }
        }
        let file = session.read("games/m.txt");
        let notes = file.lines().filter(|line| line.contains(" note Black "));
        let notes: Vec<String> = notes.map(bare).collect();
        assert!(!notes.is_empty() || count == 0, "{shape}");
        assert!(notes.iter().all(|note| !note.contains(token)), "{shape}");
    }
    assert!(session.read("games/m.txt").contains("thank you"));
}

/// Which Message-IDs the words may have cannot be told while another process makes the
/// index of the matches.
#[test]
fn words_wait_where_it_cannot_be_told_what_they_give_away() {
    let session = referee();
    let before = session.read("games/m.txt");
    session.parapost(["list"]).any_stdout().run();
    let lock = std::fs::File::open(session.path("games/.index/listing.lock")).unwrap();
    lock.lock().unwrap();
    std::fs::remove_file(session.path("games/.index/listed")).unwrap();
    let letter = ben("note See 01234567890123456789 there\n");
    let run = ["--wait", "0", "receive", "--print", "--deliver"];
    let deferred = session.parapost(run).stdin(letter.clone());
    deferred.any_stdout().any_stderr().status(75).run();
    assert_eq!(session.read("games/m.txt"), before);
    drop(lock);
    let taken = session.parapost(run).stdin(letter);
    taken.any_stdout().any_stderr().run();
    assert!(session.read("games/m.txt").contains(" note Black "));
}

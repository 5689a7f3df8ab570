//! The mails in programs of the terminal: w3m, lynx and mutt, and what comes back of a reply in mutt.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::desk::{Desk, GAMES, sample};
use crate::mail::Mail;
use crate::words::Pieces;

/// What mutt is told for every run: nobody answers its questions.
const MUTTRC: &str = r#"
set folder="." mbox_type=mbox spoolfile="mail" record="" postponed="" header_cache=""
set from="ben@example.org" realname="Ben" use_from=yes charset=utf-8 send_charset=utf-8
set quit=yes delete=no move=no confirmappend=no mark_old=no wait_key=no crypt_use_gpgme=no
set prompt_after=no sleep_time=0 include=yes recall=no fast_reply=yes autoedit=yes abort_unmodified=no
set editor="./editor" sendmail="./sendmail" mailcap_path="./mailcap" pager="./pager"
"#;

/// The order of the parts, for those who read HTML in mutt.
const HTML_FIRST: &str = "auto_view text/html\nalternative_order text/html text/plain\n";

/// A mail of a match at a turn of Ben's.
struct Turn {
    desk: Desk,
    game: &'static str,
    mail: Mail,
    /// A legal move.
    next: String,
    /// The state of the match.
    state: Vec<u8>,
}

/// The middle of the sample match of a game, where Ben is to move.
fn turn(game: &'static str) -> Turn {
    let moves = sample(game);
    let count = moves.len() / 2 / 2 * 2;
    let desk = Desk::referee();
    desk.begin(game, &moves[..count].join(" "), &["--invited"]);
    let word = desk.receive("anna", &format!("{}\n", moves[count]));
    assert_eq!(word, "accepted", "{game}");
    let state = fs::read(desk.path().join("games/m.txt")).unwrap();
    let mut mails = desk.mails().into_iter();
    let mail = mails.rfind(|mail| mail.to == "ben@example.org");
    Turn {
        desk,
        game,
        mail: mail.expect("a mail to Ben"),
        next: moves[count + 1].clone(),
        state,
    }
}

/// Standard output of a program that shows a file.
fn output(program: &str, arguments: &[&str], file: &Path) -> String {
    let output = Command::new(program)
        .args(arguments)
        .arg(file)
        .env("HOME", file.parent().unwrap())
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}: tests/run installs it"));
    assert!(output.status.success(), "{program}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// What w3m and lynx make of the HTML part.
fn dumps(mail: &Mail) -> [(&'static str, String); 2] {
    let folder = tempfile::tempdir().unwrap();
    let page = mail.write_page(folder.path());
    let w3m = [
        "-dump",
        "-T",
        "text/html",
        "-cols",
        "80",
        "-I",
        "UTF-8",
        "-O",
        "UTF-8",
    ];
    let lynx = [
        "-dump",
        "-force_html",
        "-nolist",
        "-width=80",
        "-display_charset=utf-8",
    ];
    [
        ("w3m", output("w3m", &w3m, &page)),
        ("lynx", output("lynx", &lynx, &page)),
    ]
}

/// Runs mutt on a mail with more settings and the keys that are pressed, in a
/// folder of its own with those files beside it, of which scripts are run.
fn mutt(mail: &Mail, settings: &str, keys: &str, files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let raw = fs::read_to_string(&mail.path).unwrap();
    let raw = raw.replace("\r\n", "\n");
    let own = [
        (
            "mail",
            format!("From ref@example.org Fri Nov 20 03:00:00 2026\n{raw}\n"),
        ),
        ("muttrc", format!("{MUTTRC}{settings}push \"{keys}\"\n")),
        (
            "mailcap",
            "text/html; w3m -dump -T text/html -I UTF-8 -O UTF-8 %s; copiousoutput\n".to_owned(),
        ),
    ];
    let files = files.iter().map(|(name, text)| (*name, (*text).to_owned()));
    for (name, text) in own.into_iter().chain(files) {
        let file = folder.path().join(name);
        fs::write(&file, &text).unwrap();
        if text.starts_with("#!") {
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }
    // mutt wants a terminal; `script` gives it one, and `timeout` its patience.
    let mut child = Command::new("timeout")
        .args([
            "120",
            "script",
            "-qec",
            "stty cols 80 rows 24; exec mutt -n -F muttrc -f mail",
            "/dev/null",
        ])
        .current_dir(folder.path())
        .env("HOME", folder.path())
        .env("TERM", "xterm")
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("timeout starts");
    // At the end of its input `script` presses Ctrl-D, and mutt forgets the keys above.
    let keyboard = child.stdin.take();
    let output = child.wait_with_output().expect("timeout ends");
    drop(keyboard);
    assert!(output.status.success(), "mutt: {output:?}");
    folder
}

/// What mutt shows of a mail.
fn shown_by_mutt(mail: &Mail, settings: &str) -> String {
    let pager = ("pager", "#!/bin/sh\ncp \"$1\" shown\n");
    let folder = mutt(mail, settings, "<display-message><exit>", &[pager]);
    fs::read_to_string(folder.path().join("shown")).expect("mutt shows the mail")
}

/// The message that mutt sends where somebody writes `words` above the quotation.
fn reply_of_mutt(mail: &Mail, settings: &str, words: &str) -> String {
    // mutt asks about an attachment that is newer than its own clock, whose ticks are
    // coarser than a file's time: one of long ago is not.
    let files = [
        (
            "editor",
            "#!/bin/sh\ncat words \"$1\" > new\ncp new \"$1\"\ntouch -d @1000000000 \"$1\"\n",
        ),
        ("sendmail", "#!/bin/sh\ncat > sent\n"),
        ("words", words),
    ];
    let folder = mutt(mail, settings, "<reply><send-message><exit>", &files);
    fs::read_to_string(folder.path().join("sent")).expect("mutt sends the reply")
}

/// A message of Ben's that nothing but its text, plain or HTML, tells from another.
fn message(turn: &Turn, subtype: &str, text: &str) -> String {
    let id = text.len();
    format!(
        "From: ben@example.org\nTo: ref@example.org\nSubject: Re: [m]\nMessage-ID: <{id}.{subtype}@{}.test>\n\
         MIME-Version: 1.0\nContent-Type: text/{subtype}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{text}\n",
        turn.game
    )
}

impl Turn {
    /// The half-moves of the match.
    fn plies(&self) -> u64 {
        self.desk.shown(&[])["ply"].as_u64().unwrap()
    }

    /// Receives a reply without words and one with talk, in neither of which
    /// anything may be played.
    #[track_caller]
    fn talk(&self, reply: impl Fn(&str) -> String) {
        let before = self.plies();
        for words in ["", "I will think about it over the weekend.\n\n"] {
            let message = reply(words);
            let word = self.desk.receive_message(&message, &[]);
            assert_eq!(self.plies(), before, "{}: {word}:\n{message}", self.game);
        }
    }

    /// The same, and then a reply with a move above what is quoted, which must
    /// be played, and no other; all that is then forgotten.
    #[track_caller]
    fn answer(&self, reply: impl Fn(&str) -> String) {
        self.talk(&reply);
        let before = self.plies();
        let message = reply(&format!("{}\n\n", self.next));
        let word = self.desk.receive_message(&message, &[]);
        assert_eq!(word, "accepted", "{} {}:\n{message}", self.game, self.next);
        let moves = self.desk.shown(&[])["moves"].clone();
        let last = moves.as_array().unwrap().last().unwrap().as_str().unwrap();
        assert_eq!(last.split(' ').next(), Some(&*self.next), "{}", self.game);
        assert_eq!(self.plies(), before + 1, "{}", self.game);
        fs::write(self.desk.path().join("games/m.txt"), &self.state).unwrap();
    }
}

#[test]
fn mutt_shows_the_position_and_answers_it() {
    for game in GAMES {
        let turn = turn(game);
        let shown = shown_by_mutt(&turn.mail, "");
        let (status, read, problems) = turn.desk.try_run(&["check", "--game", game], &shown);
        assert_eq!(status, Some(0), "{game}: {problems}{shown}");
        let json = turn.desk.shown(&[]);
        let diagram = json["diagram"].as_str().unwrap();
        assert!(read.starts_with(diagram), "{game}: {read}{diagram}");

        let shown = shown_by_mutt(&turn.mail, HTML_FIRST);
        let pieces = Pieces::of_words(&shown, game);
        assert_eq!(pieces, Some(Pieces::of_json(&json)), "{game}:\n{shown}");

        for settings in ["", HTML_FIRST] {
            turn.answer(|words| reply_of_mutt(&turn.mail, settings, words));
        }
    }
}

#[test]
fn readers_of_html_show_the_position_in_words() {
    for game in GAMES {
        let turn = turn(game);
        let pieces = Pieces::of_json(&turn.desk.shown(&[]));
        for (reader, text) in dumps(&turn.mail) {
            let read = Pieces::of_words(&text, game);
            assert_eq!(read.as_ref(), Some(&pieces), "{game} in {reader}:\n{text}");
            // Pasted without any mark below somebody's words.
            turn.talk(|words| message(&turn, "plain", &format!("{words}{text}")));
        }
        let html = turn.mail.html.as_ref().expect("a mail with HTML");
        turn.answer(|words| {
            let words = words.replace('>', "&gt;");
            message(&turn, "html", &format!("<div>{words}</div>\n{html}"))
        });
    }
}

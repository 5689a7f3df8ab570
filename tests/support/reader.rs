//! People who read their mail and answer it, each in a way of their own.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lettre::message::header::{ContentType, InReplyTo, References};
use lettre::message::{MultiPart, SinglePart};
use lettre::{Message, SmtpTransport, Transport as _};

use crate::outbound::taps::decode;
use crate::servers::{PATIENCE, wait_until};

/// How long somebody waits for Mutt before a key is pressed again.
const PRESSING: Duration = Duration::from_secs(10);

/// How somebody answers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Habit {
    /// Above what is quoted.
    Top,
    /// Below what is quoted.
    Bottom,
    /// In HTML, with the mail in a block quotation.
    Html,
    /// By a link of the HTML part, in a new message.
    Taps,
    /// Asks for the legal moves first.
    Asks,
    /// Does not want HTML, and quotes nothing.
    Plain,
    /// With Mutt.
    Mutt,
    /// With S-nail, the mailx of many systems: below what is quoted, which a tab indents.
    SNail,
}

impl Habit {
    pub(crate) const ALL: [Habit; 8] = [
        Habit::Taps,
        Habit::Top,
        Habit::Html,
        Habit::Bottom,
        Habit::Asks,
        Habit::Mutt,
        Habit::Plain,
        Habit::SNail,
    ];
}

/// A mail of the referee's as its reader sees it.
pub(crate) struct Letter {
    pub(crate) message_id: String,
    from: String,
    subject: String,
    pub(crate) text: String,
    html: Option<String>,
    /// The match that it is about.
    pub(crate) id: String,
    /// How many half-moves its foot says are made.
    pub(crate) plies: Option<usize>,
}

impl Letter {
    pub(crate) fn of(mail: &mail_parser::Message<'_>) -> Letter {
        let subject = mail.subject().expect("a subject").to_owned();
        let (_, rest) = subject.split_once('[').expect("an id");
        let (id, _) = rest.split_once(']').expect("an id");
        let text = mail.body_text(0).expect("a text").replace('\r', "");
        let foot = format!("\nGame {id}, ");
        let plies = text.rsplit_once(&foot).and_then(|(_, foot)| {
            let (number, _) = foot.split_once(' ')?;
            number.parse().ok()
        });
        let html = mail.html_body.first().and_then(|part| {
            let part = mail.part(*part)?;
            part.is_text_html().then(|| part.text_contents())?
        });
        Letter {
            message_id: mail.message_id().expect("Message-ID").to_owned(),
            from: mail
                .from()
                .and_then(|from| from.first()?.address())
                .expect("From")
                .to_owned(),
            id: id.to_owned(),
            html: html.map(str::to_owned),
            subject,
            text,
            plies,
        }
    }

    /// The legal moves that the mail names, if it answers "legal"; else those that
    /// `parapost legal` finds in it.
    pub(crate) fn legal(&self, game: &str) -> Vec<String> {
        if self.text.starts_with("You asked for the legal moves.") {
            // Each line of one paragraph begins with the name of a piece.
            let is_row = |line: &str| {
                line.split_once(": ").is_some_and(|(piece, _)| {
                    piece.chars().all(|c| c.is_ascii_lowercase() || c == ' ')
                })
            };
            let mut parts = self.text.split("\n\n");
            let rows = parts.find(|part| part.lines().all(is_row)).expect("moves");
            let rows = rows.lines().filter_map(|line| line.split_once(": "));
            let moves = rows.flat_map(|(_, moves)| moves.split(", "));
            let words = moves.filter_map(|text| text.split(' ').next());
            return words.map(str::to_owned).collect();
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_parapost"))
            .args(["legal", "--game", game, "-"])
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut stdin, self.text.as_bytes()).unwrap();
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", self.text);
        let text = String::from_utf8(output.stdout).unwrap();
        let words = text.lines().filter_map(|line| line.split(' ').next());
        words.map(str::to_owned).collect()
    }

    /// Recipient, subject and body that a link for this move begins. What the link leaves
    /// open is typed in. A link writes a move and nothing else.
    fn tap(&self, text: &str) -> Option<[String; 3]> {
        if text.contains('\n') {
            return None;
        }
        let links = self.html.as_ref()?.split("href=\"").skip(1);
        let links = links.filter_map(|link| link.split('"').next());
        let links = links.filter(|href| href.starts_with("mailto:") && href.contains("body="));
        let mut drafts = links.map(|href| decode(&href.replace("&amp;", "&")));
        drafts.find_map(|[to, subject, body]| {
            let (link, rest) = body.split_once("\r\n")?;
            let is_it = link == text || link.ends_with('>') && text.starts_with(link);
            is_it.then(|| [to, subject, format!("{text}\n{}", rest.replace('\r', ""))])
        })
    }

    fn quoted(&self) -> String {
        let text = self.text.trim_end().replace('\n', "\n> ");
        format!("The referee wrote:\n> {text}\n")
    }
}

/// Somebody with an address, who sends by a port of the loopback.
pub(crate) struct Reader {
    pub(crate) address: String,
    pub(crate) habit: Habit,
    pub(crate) port: u16,
    /// A folder for what a mail program needs.
    pub(crate) desk: PathBuf,
    pub(crate) transport: SmtpTransport,
}

impl Reader {
    /// Answers a mail, which lies in this file. Returns how: no link writes more than a
    /// move.
    pub(crate) fn write(&self, letter: &Letter, path: &Path, words: &str) -> Habit {
        match self.habit {
            Habit::Mutt => self.write_with_mutt(path, words),
            Habit::SNail => self.write_with_s_nail(path, words),
            _ => return self.write_by_hand(letter, words),
        }
        self.habit
    }

    /// Answers without a mail program.
    fn write_by_hand(&self, letter: &Letter, words: &str) -> Habit {
        let builder = Message::builder()
            .from(self.address.parse().unwrap())
            .message_id(None);
        if self.habit == Habit::Taps
            && let Some([to, subject, body]) = letter.tap(words)
        {
            let message = builder.to(to.parse().unwrap()).subject(subject).body(body);
            self.transport.send(&message.unwrap()).unwrap();
            return Habit::Taps;
        }
        let cited = format!("<{}>", letter.message_id);
        let builder = builder
            .to(letter.from.parse().unwrap())
            .subject(format!("Re: {}", letter.subject))
            .header(InReplyTo::from(cited.clone()))
            .header(References::from(cited));
        let quoted = letter.quoted();
        let message = match self.habit {
            Habit::Bottom => builder.body(format!("{quoted}\n{words}\n")),
            Habit::Plain => builder.body(format!("{words}\nmail html off\n")),
            Habit::Html => {
                let lines = |text: &str| text.replace('>', "&gt;").replace('\n', "<br>\n");
                let html = format!(
                    "<div>{}</div><br><div>The referee wrote:<blockquote type=\"cite\"><pre>{}</pre></blockquote></div>",
                    lines(words),
                    letter.text.replace('>', "&gt;")
                );
                let html = SinglePart::builder()
                    .header(ContentType::TEXT_HTML)
                    .body(html);
                let text = SinglePart::plain(format!("{words}\n\n{quoted}"));
                builder.multipart(MultiPart::alternative().singlepart(text).singlepart(html))
            }
            _ => builder.body(format!("{words}\n\n{quoted}")),
        };
        self.transport.send(&message.unwrap()).unwrap();
        match self.habit {
            Habit::Taps => Habit::Top,
            habit => habit,
        }
    }

    /// Opens the mail in Mutt, presses the key for an answer, and writes above the quotation.
    fn write_with_mutt(&self, path: &Path, words: &str) {
        let desk = &self.desk;
        self.put_into_box(path);
        fs::write(desk.join("words"), format!("{words}\n\n")).unwrap();
        let here = desk.display();
        let editor = format!(
            "#!/bin/sh\ncat {here}/words \"$1\" >{here}/draft && cat {here}/draft >\"$1\"\n"
        );
        fs::write(desk.join("editor"), editor).unwrap();
        fs::set_permissions(desk.join("editor"), fs::Permissions::from_mode(0o700)).unwrap();
        let mut settings = String::new();
        for line in [
            format!(
                "set from=\"{}\" use_from=yes hostname=player.test",
                self.address
            ),
            format!(
                "set smtp_url=\"smtp://127.0.0.1:{}\" ssl_starttls=no ssl_force_tls=no",
                self.port
            ),
            format!("set editor=\"{here}/editor\" include=yes fast_reply=yes"),
            format!("set folder=\"{here}/box\" copy=no quit=yes abort_unmodified=no"),
            "set abort_noattach=no delete=no mark_old=no".to_owned(),
            "set charset=utf-8 crypt_use_gpgme=no mbox_type=maildir confirmappend=no".to_owned(),
            "alternative_order text/plain".to_owned(),
        ] {
            let _ = writeln!(settings, "{line}");
        }
        fs::write(desk.join("rc"), settings).unwrap();
        let keys = "push '<reply><send-message><quit>'";
        let mutt = format!("mutt -n -F {here}/rc -f {here}/box -e \"{keys}\"");
        let mut child = Command::new("script")
            .args(["-qec", &mutt, "/dev/null"])
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("HOME", desk)
            .env("TERM", "vt100")
            .env("LANG", "C.UTF-8")
            .stdin(Stdio::piped())
            .stdout(fs::File::create(desk.join("screen")).unwrap())
            .spawn()
            .expect("script is there");
        let screen =
            || String::from_utf8_lossy(&fs::read(desk.join("screen")).unwrap()).into_owned();
        let (mut status, mut pressed) = (None, Instant::now());
        wait_until(|| {
            status = child.try_wait().unwrap();
            // Mutt forgets what was pushed when anything else comes in between: whoever
            // sits there presses the key again.
            if status.is_none() && pressed.elapsed() > PRESSING {
                let screen = screen();
                let is_written = screen.rfind("y:Send") > screen.rfind("q:Quit");
                let key = if is_written { "y" } else { "q" };
                let keyboard = child.stdin.as_mut().unwrap();
                let _ = keyboard.write_all(key.as_bytes());
                pressed = Instant::now();
            }
            status.is_some()
        });
        let Some(status) = status else {
            let _ = child.kill();
            panic!("mutt does not end within {PATIENCE:?}:\n{}", screen());
        };
        assert!(status.success(), "mutt: {status}:\n{}", screen());
        self.empty_box();
    }

    /// Opens the mail in S-nail, replies to it, and writes below the quotation.
    fn write_with_s_nail(&self, path: &Path, words: &str) {
        let desk = &self.desk;
        self.put_into_box(path);
        let mut command = Command::new("s-nail");
        command.args(["-n", "-#"]);
        for setting in [
            "v15-compat".to_owned(),
            format!("mta=smtp://127.0.0.1:{}", self.port),
            "smtp-auth=none".to_owned(),
            format!("from={}", self.address),
            "hostname=player.test".to_owned(),
            "quote".to_owned(),
            "ttycharset=utf-8".to_owned(),
            format!("DEAD={}", desk.join("dead").display()),
        ] {
            command.args(["-S", &setting]);
        }
        let mut child = command
            .arg("-f")
            .arg(desk.join("box"))
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("HOME", desk)
            .env("LANG", "C.UTF-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("s-nail is there: tests/run installs it");
        let typed = format!("reply 1\n{words}\n~.\nquit\n");
        let mut keyboard = child.stdin.take().unwrap();
        keyboard.write_all(typed.as_bytes()).unwrap();
        drop(keyboard);
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "s-nail: {said}");
        self.empty_box();
    }

    /// Puts a mail into the mailbox that a mail program opens.
    fn put_into_box(&self, path: &Path) {
        for part in ["box/new", "box/cur", "box/tmp"] {
            fs::create_dir_all(self.desk.join(part)).unwrap();
        }
        fs::copy(path, self.desk.join("box/new/1.mail")).unwrap();
    }

    fn empty_box(&self) {
        for part in ["box/new", "box/cur"] {
            for entry in fs::read_dir(self.desk.join(part)).unwrap() {
                fs::remove_file(entry.unwrap().path()).unwrap();
            }
        }
    }
}

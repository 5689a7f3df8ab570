//! From nothing to ten half-moves: a player who has `parapost` and one who has another mail program,
//! through a real Exim and a real Dovecot.
//!
//! The other test keeps the two servers up for somebody to try it by hand. What two people met who
//! did, one at a terminal and one with Mutt alone, is in `tests/data/first_contact`:
//!
//! ```sh
//! cargo test --test main -- --ignored --nocapture servers_for_somebody_who_tries_it
//! ```

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use lettre::Transport as _;
use lettre::address::Envelope;

use crate::commands::init::Terminal;
use crate::servers::dovecot::Dovecot;
use crate::servers::{NOBODY, wait_until};
use crate::support::Sandbox;
use crate::support::exim::{Exim, USERS, address, password};

/// The two servers, of which the first delivers into the mailboxes of the second.
struct Servers {
    exim: Exim,
    dovecot: Dovecot,
}

impl Servers {
    fn start() -> Servers {
        let dovecot = Dovecot::start("");
        let inbox = dovecot.maildir("white", "INBOX");
        let mailboxes = inbox.ancestors().nth(2).expect("a folder of mailboxes");
        let exim = Exim::delivering_into(mailboxes);
        Servers { exim, dovecot }
    }

    /// Writes the certificates of both authorities into a file.
    fn write_authorities(&self, file: &Path) {
        let files = [self.exim.ca_file(), self.dovecot.ca_file()];
        let texts = files.map(|file| fs::read_to_string(file).unwrap());
        fs::write(file, texts.concat()).unwrap();
    }

    /// Waits until a user has got so many mails, and returns the last one.
    fn mail(&self, user: &str, count: usize) -> String {
        let mut mails = Vec::new();
        wait_until(|| {
            mails = self.mails(user);
            mails.len() >= count
        });
        assert_eq!(mails.len(), count, "{user}");
        mails.pop().expect("a mail")
    }

    /// The mails of a user, the oldest first.
    fn mails(&self, user: &str) -> Vec<String> {
        let inbox = self.dovecot.maildir(user, "INBOX");
        let files = ["new", "cur"].map(|part| fs::read_dir(inbox.join(part)).unwrap());
        let paths = files.into_iter().flatten().map(|file| file.unwrap().path());
        let mut paths: Vec<PathBuf> = paths.collect();
        paths.sort_by_key(|path| fs::metadata(path).unwrap().modified().unwrap());
        let texts = paths
            .iter()
            .map(|path| fs::read_to_string(path).unwrap().replace("\r\n", "\n"));
        texts.collect()
    }
}

/// A home with `parapost` for one of the users, set up by `init` at a terminal.
fn home(servers: &Servers, user: &str, name: &str) -> Sandbox {
    let sandbox = Sandbox::new().dir("home");
    servers.write_authorities(&sandbox.path("ca.pem"));
    let home = sandbox.path("home");
    let sandbox = sandbox.env("HOME", &home);
    let init = sandbox.parapost(["init", "--ca-file", "ca.pem", "--user", user]);
    let init = init.args(["--resolver", &format!("127.0.0.1:{NOBODY}")]);
    let mut terminal = Terminal::run(&init);
    terminal.answer("Your name", name);
    terminal.answer("Your address", &address(user));
    terminal.answer("player/referee", "");
    terminal.answer(
        "read on",
        &format!("localhost:{}", servers.dovecot.tls_port),
    );
    terminal.answer(
        "sent through",
        &format!("localhost:{}", servers.exim.tls_port),
    );
    terminal.answer_hidden("not shown", &password(user));
    terminal.answer("Read the mail", "no");
    let screen = terminal.end();
    assert!(screen.contains("config.toml: written"), "{screen}");
    sandbox
}

/// The field of a message.
fn field<'m>(mail: &'m str, name: &str) -> &'m str {
    let begin = format!("{name}: ");
    let value = mail.lines().find_map(|line| line.strip_prefix(&begin));
    value.unwrap_or_else(|| panic!("no {name} in\n{mail}"))
}

/// Black answers a mail of White's as a mail program does: above the quotation.
fn answer(servers: &Servers, mail: &str, text: &str) {
    let (_, body) = mail.split_once("\n\n").expect("a body");
    let quoted = format!("> {}", body.trim_end().replace('\n', "\n> "));
    let (from, to) = (address("black"), address("white"));
    let (subject, id) = (field(mail, "Subject"), field(mail, "Message-ID"));
    let letter = format!(
        "From: Black <{from}>\nTo: {to}\nSubject: Re: {subject}\nIn-Reply-To: {id}\nReferences: {id}\n\n\
         {text}\n\nWhite wrote:\n{quoted}"
    );
    let [from, to] = [from, to].map(|address| address.parse().unwrap());
    let envelope = Envelope::new(Some(from), vec![to]).unwrap();
    let client = servers.exim.client("black");
    client.send_raw(&envelope, letter.as_bytes()).unwrap();
}

#[test]
#[ignore = "needs Dovecot"]
fn from_nothing_to_ten_half_moves_through_real_servers() {
    let servers = Servers::start();
    let white = home(&servers, "white", "White");
    let new = ["new", "--id", "first", "--game", "unachess", "--send"];
    let invited = white.parapost(new).args([address("black")]).any_stdout();
    let run = invited.any_stderr().run();
    assert!(
        run.stderr.contains("is invited; the mail is sent"),
        "{}",
        run.stderr
    );
    let moves = [
        "P>e3", "n>g5", "B>f4", "n-e6", "N>c3", "p>d5", "K>e1", "k>g8", "Q>d1", "r>f8",
    ];
    let mut mails = 1;
    for pair in moves.chunks(2) {
        white
            .parapost(["move", "first", pair[0], "--send"])
            .stderr_contains("is played; the mail is sent\n")
            .run();
        mails += 1;
        let mail = servers.mail("black", mails);
        answer(&servers, &mail, pair[1]);
        let told = "\tfirst\taccepted\n";
        let has_come = wait_until(|| {
            let fetch = white
                .parapost(["fetch", "--send"])
                .any_stdout()
                .any_stderr();
            fetch.run().stdout.contains(told)
        });
        assert!(has_come, "{}", pair[1]);
    }
    let shown = white
        .parapost(["show", "first", "--as", "post"])
        .any_stdout();
    let list = "1.  P>e3    n>g5\n2.  B>f4    n-e6\n3.  N>c3    p>d5\n4.  K>e1    k>g8\n5.  Q>d1    r>f8\n";
    let shown = shown.run().stdout;
    assert!(shown.contains(list), "{shown}");
}

#[test]
#[ignore = "by hand: it waits for somebody who tries it"]
fn servers_for_somebody_who_tries_it() {
    let servers = Servers::start();
    let authorities = std::env::temp_dir().join("parapost-ca.pem");
    servers.write_authorities(&authorities);
    println!("IMAP in TLS: localhost:{}", servers.dovecot.tls_port);
    println!("SMTP in TLS: localhost:{}", servers.exim.tls_port);
    println!("authorities: {}", authorities.display());
    for user in USERS {
        println!(
            "{}: user {user}, password '{}'",
            address(user),
            password(user)
        );
    }
    println!("They run until standard input ends.");
    let _ = io::stdin().read_to_end(&mut Vec::new());
}

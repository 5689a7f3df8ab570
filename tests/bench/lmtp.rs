//! How fast `parapost serve --lmtp` takes messages: `cargo bench -p parapost --bench lmtp [MESSAGES [CONNECTIONS [PLIES]]]`.
//!
//! The messages are games of so many half-moves, a letter for each, to a referee. Each connection brings games one after
//! another, so that more messages are more games, and not longer ones. Dovecot's LMTP, which needs the Debian package
//! `dovecot-lmtpd`, delivers the same messages into Maildirs, one for each game, in the same run. Both reply once a message
//! is on the disk. Prints a table in Markdown, and checks that each move is played once.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use parapost::matches::r#match::Match;

mod lmtp_client;
mod move_letters;
#[path = "../support/peak.rs"]
mod peak;
mod program;
mod server;

use crate::lmtp_client::Client;
use crate::move_letters::letters;
use crate::peak::peak;
use crate::program::program;
use crate::server::Server;

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .filter_map(|argument| argument.parse().ok());
    let messages: usize = arguments.next().unwrap_or(20_000);
    let connections: usize = arguments.next().unwrap_or(200);
    let plies: usize = arguments.next().unwrap_or(20);
    let matches = messages / plies;
    let games: Vec<Vec<String>> = (0..matches).map(|number| letters(number, plies)).collect();
    let folder = tempfile::Builder::new().prefix("pp").tempdir_in("/tmp");
    let folder = folder.expect("a temporary folder");
    println!("| server | messages | connections | s | messages a second | memory at most, MiB |");
    println!("|---|---|---|---|---|---|");
    let mut rates = Vec::new();
    for taker in [parapost(folder.path(), matches), dovecot(folder.path())] {
        let time = deliver(&taker, &games, connections);
        let count = plies * matches;
        let rate = f64::from(u32::try_from(count).unwrap()) / time.as_secs_f64();
        rates.push(rate);
        let memory = peak(taker.server.child.id()).filter(|_| taker.is_one);
        println!(
            "| {} | {count} | {connections} | {:.1} | {rate:.0} | {} |",
            taker.name,
            time.as_secs_f64(),
            memory.map_or("-".to_owned(), |kib| (kib >> 10).to_string()),
        );
    }
    println!("\nratio: {:.2}", rates[0] / rates[1]);
    for number in 0..matches {
        let path = folder.path().join(format!("games/m{number}.txt"));
        let game: Match = fs::read_to_string(path).unwrap().parse().unwrap();
        let moves = game.log().iter().filter(|event| event.is_move());
        assert_eq!(moves.count(), plies, "m{number}");
    }
}

/// Delivers the games over so many connections, each game over one, and returns the time for all.
fn deliver(taker: &Taker, games: &[Vec<String>], connections: usize) -> Duration {
    let mut clients: Vec<Client> = (0..connections)
        .map(|_| Client::new(taker.server.port))
        .collect();
    let start = Instant::now();
    thread::scope(|scope| {
        for (first, client) in clients.iter_mut().enumerate() {
            scope.spawn(move || {
                for number in (first..games.len()).step_by(connections) {
                    let recipient = format!("{}{number}@example.org", taker.user);
                    for letter in &games[number] {
                        client.deliver(letter, &recipient);
                    }
                }
            });
        }
    });
    start.elapsed()
}

/// A server that takes letters.
struct Taker {
    name: &'static str,
    server: Server,
    /// The name of a recipient, without the number of the game.
    user: &'static str,
    /// True if it is one process, whose memory can be told.
    is_one: bool,
}

fn parapost(folder: &Path, matches: usize) -> Taker {
    let config = "[me]\naddress = \"ref@example.org\"\nrole = \"referee\"\n[mail]\nhtml = false\n";
    fs::write(folder.join("config.toml"), config).unwrap();
    fs::create_dir(folder.join("games")).unwrap();
    for number in 0..matches {
        let id = format!("m{number}");
        let line = ["new", "--game", "unachess", "--invited", "--id", &id];
        let players = ["--white", "anna@example.org", "--black", "ben@example.org"];
        let made = program(folder)
            .args(line)
            .args(players)
            .stdout(Stdio::null())
            .status()
            .unwrap();
        assert!(made.success());
    }
    Taker {
        name: "parapost",
        server: Server::start(folder, drop),
        user: "ref+",
        is_one: true,
    }
}

fn dovecot(folder: &Path) -> Taker {
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let here = folder.join("dovecot");
    let here = here.display();
    let status = Command::new("sh")
        .args([
            "-c",
            &format!(
                "mkdir -p {here}/mail && chown -R nobody {here} && chmod 755 {}",
                folder.display()
            ),
        ])
        .status();
    assert!(status.unwrap().success());
    let config = format!(
        "base_dir = {here}/run
state_dir = {here}/state
log_path = {here}/log
protocols = lmtp
ssl = no
default_internal_user = nobody
default_internal_group = nogroup
default_login_user = nobody
mail_location = maildir:~/Maildir
service anvil {{
  chroot =
  client_limit = 4000
}}
service stats {{
  chroot =
  client_limit = 4000
}}
service auth {{
  client_limit = 4000
}}
service lmtp {{
  process_limit = 300
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {port}
  }}
}}
first_valid_uid = 1
passdb {{
  driver = static
  args = nopassword=y
}}
userdb {{
  driver = static
  args = uid=nobody gid=nogroup home={here}/mail/%n allow_all_users=yes
}}
"
    );
    fs::write(folder.join("dovecot.conf"), config).unwrap();
    let child = Command::new("setpriv")
        .args([
            "--reuid=nobody",
            "--regid=nogroup",
            "--clear-groups",
            "--pdeathsig",
            "TERM",
        ])
        .args(["/usr/sbin/dovecot", "-F", "-c"])
        .arg(folder.join("dovecot.conf"))
        .spawn()
        .expect("setpriv");
    let deadline = Instant::now() + Duration::from_secs(30);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < deadline, "Dovecot does not listen");
        thread::sleep(Duration::from_millis(20));
    }
    Taker {
        name: "Dovecot",
        server: Server { child, port },
        user: "box",
        is_one: false,
    }
}

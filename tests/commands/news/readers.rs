//! What newsreaders write: slrn and tin by their keys against INN, and the letters of others as
//! articles.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use crate::commands::news::attack::{config_at, house_at};
use crate::commands::news::fetch::{fetched, posted};
use crate::commands::news::play::begun;
use crate::commands::news::post::log;
use crate::commands::news::stand_in;
use crate::servers::NOBODY;
use crate::servers::inn::{GROUP, Inn};
use crate::support::Sandbox;
use crate::support::exim::password;

/// Where the programs that make letters are.
const MAKE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mail/make");

/// A person at a newsreader.
struct Reader<'i> {
    inn: &'i Inn,
    home: Sandbox,
    name: &'static str,
    address: &'static str,
}

impl Reader<'_> {
    fn new<'i>(inn: &'i Inn, name: &'static str, address: &'static str) -> Reader<'i> {
        Reader {
            inn,
            home: Sandbox::new(),
            name,
            address,
        }
    }

    /// The file in which a program notes what was read: so many articles.
    fn newsrc(read: usize) -> String {
        let read = (1..=read).map(|number| number.to_string());
        format!("{GROUP}: {}\n", read.collect::<Vec<_>>().join(","))
    }

    /// Has the program's editor put a text above or below the quotation.
    fn edits(&self, how: &str, text: &str) {
        let editor =
            format!("#!/bin/sh\nfor file; do :; done\nexec {MAKE}/edit {how} '{text}' \"$file\"\n");
        self.home.write("editor", editor);
        let mode = Permissions::from_mode(0o755);
        fs::set_permissions(self.home.path("editor"), mode).unwrap();
    }

    /// Runs a program at a terminal. Behind each text that it shows these keys are typed.
    fn runs(&self, program: &str, keys: &[(&str, &str)]) {
        let typed: Vec<String> = keys
            .iter()
            .map(|(shown, keys)| format!("{shown}\t{keys}\n"))
            .collect();
        self.home.write("keys", typed.concat());
        let home = self.home.folder();
        // A name of its own, without which tin posts nothing.
        let line = format!("hostname reader.example.test && exec {program}");
        let run = Command::new(format!("{MAKE}/terminal"))
            .args(["90", "unshare", "-r", "-u", "sh", "-c", &line])
            .stdin(fs::File::open(self.home.path("keys")).unwrap())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .env("EXPECT", "yes")
            .env("HOME", home)
            .env("LC_ALL", "C.UTF-8")
            .env("VISUAL", self.home.path("editor"))
            .output()
            .unwrap();
        assert!(
            run.status.success(),
            "{}",
            String::from_utf8_lossy(&run.stderr)
        );
    }

    /// Follows up the article of the group behind so many, by slrn.
    fn slrn(&self, read: usize, text: &str) {
        self.edits("bottom", text);
        let (user, host) = self.address.split_once('@').unwrap();
        let (name, home) = (self.name, self.home.folder().display());
        self.home.write(
            "slrnrc",
            format!(
                "set username \"{user}\"\nset hostname \"{host}\"\nset realname \"{name}\"\n\
                 set editor_command \"{home}/editor %s\"\nset force_authentication 1\n\
                 nnrpaccess \"127.0.0.1\" \"black\" \"{}\"\n",
                password("black")
            ),
        );
        self.home.write("newsrc", Reader::newsrc(read));
        let line = format!(
            "slrn -n -i {home}/slrnrc -f {home}/newsrc -h 127.0.0.1 -p {}",
            self.inn.port
        );
        let keys = [
            ("SPC:Select", "\r"),
            ("Unachess", "f"),
            ("want to followup", "y"),
            ("Post the message", "y"),
            ("done.", "qq"),
            ("want to quit", "y"),
        ];
        self.runs(&line, &keys);
    }

    /// The same by tin.
    fn tin(&self, read: usize, text: &str) {
        self.edits("bottom", text);
        let settings = format!(
            "mail_address={} <{}>\nbeginner_level=OFF\nsigfile=--none\n",
            self.name, self.address
        );
        let home = self.home.clone().dir(".tin");
        home.write(".tin/tinrc", settings);
        home.write(".newsrc", Reader::newsrc(read));
        let password = password("black");
        let _ = home.secret(".newsauth", format!("127.0.0.1 \"{password}\" black\n"));
        let line = format!("tin -r -n -A -g 127.0.0.1 -p {}", self.inn.port);
        // It begins with the first of a thread, though that was read.
        let on = std::iter::repeat_n(("Next response", "N"), read);
        let keys = [("End of groups", "\r"), ("End of articles", "\r")];
        let then = [
            ("Last response", "f"),
            ("p=post", "p"),
            ("Last response", "q"),
            ("articles", "q"),
            ("groups", "q"),
            ("want to quit", "y"),
        ];
        let keys: Vec<_> = keys.into_iter().chain(on).chain(then).collect();
        self.runs(&line, &keys);
    }
}

/// The Message-ID of the last article in the group.
fn last_id(inn: &Inn) -> String {
    let article = inn.articles(GROUP).pop().unwrap();
    let id = article
        .lines()
        .find_map(|line| line.strip_prefix("Message-ID: "));
    id.unwrap().to_owned()
}

#[test]
#[ignore = "needs INN, openssl, slrn, tin, root"]
fn slrn_and_tin_answer_by_themselves() {
    for is_slrn in [true, false] {
        // Where moves are played by mail, the player is told; others comment.
        let inn = Inn::start(true);
        let house = posted(&inn);
        let answers = |address, text: &str| {
            let reader = Reader::new(&inn, "Ben", address);
            if is_slrn {
                reader.slrn(0, text);
            } else {
                reader.tin(0, text);
            }
            last_id(&inn)
        };
        let id = answers("ben@example.test", "1... n>g5");
        let said = fetched(&house, 1, &[]);
        assert!(said.contains(&format!("{id}\tdemo\trefused\n")), "{said}");
        assert!(log(&house).contains(" news - told "), "{}", log(&house));
        let run = house.parapost(["news", "comments", "demo"]).any_stdout();
        let said = run.run().stdout;
        assert!(
            said.contains("\n> 1.  P>e3\n") && said.contains("\n1... n>g5\n"),
            "{said}"
        );
    }
}

#[test]
#[ignore = "needs INN, openssl, slrn, tin, root"]
fn slrn_and_tin_play_where_moves_count_from_the_group() {
    for is_slrn in [true, false] {
        let inn = Inn::start(true);
        let [anna, _ben] = begun(&inn, "unachess", "address");
        // The first article shows what both have played.
        assert_eq!(inn.articles(GROUP).len(), 1);
        anna.parapost(["move", "duel", "K>e1", "--send"])
            .any_stderr()
            .run();
        let reader = Reader::new(&inn, "Ben", "ben@example.invalid");
        if is_slrn {
            reader.slrn(1, "2... k>e8");
        } else {
            reader.tin(1, "2... k>e8");
        }
        let said = fetched(&anna, 0, &[]);
        let accepted = format!("{}\tduel\taccepted\n", last_id(&inn));
        assert!(said.contains(&accepted), "{said}");
        anna.parapost(["verify", "duel"]).any_stdout().run();
    }
}

/// The letters of newsreaders (tests/mail), as articles below one of a match.
#[test]
fn what_newsreaders_write_is_read_in_a_group_as_by_mail() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail");
    let index = fs::read_to_string(folder.join("index.tsv")).unwrap();
    let (house, cited) = house_at(NOBODY);
    let current = Arc::new(Mutex::new(String::new()));
    let given = Arc::clone(&current);
    let article: stand_in::Article = Arc::new(move |_| given.lock().unwrap().clone());
    house.write("white.toml", config_at(stand_in::serve(1..=1, article)));
    let before = log(&house);
    let mut tried = 0;
    for row in index.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let letter = fs::read_to_string(folder.join(format!("{}.eml", columns[0])));
        // Some are in no encoding of text.
        let Ok(letter) = letter else { continue };
        let (header, body) = letter.split_once("\n\n").unwrap();
        if !header.contains("\nNewsgroups: ") {
            continue;
        }
        let fields = header.lines().filter(|line| {
            !["From:", "References:", "In-Reply-To:", "Message-ID:"]
                .iter()
                .any(|name| line.starts_with(name))
        });
        let fields: Vec<&str> = fields.collect();
        let body = body
            .replace("white@example.test", "anna@example.invalid")
            .replace("<g7.m1@mail.example.test>", &cited)
            .replace("<g7.m1.news@mail.example.test>", &cited);
        *current.lock().unwrap() = format!(
            "From: Ben <ben@example.test>\nMessage-ID: <{}@reader.test>\nReferences: {cited}\n{}\n\n{body}",
            columns[0],
            fields.join("\n")
        );
        house.write("games/demo.txt", &before);
        let _ = fs::remove_dir_all(house.path("games/news"));
        // Whoever plays is told how, and so is one who would be asked by mail: nobody asks here.
        let (status, word) = match columns[1] {
            "move" | "confirm" => (1, "refused"),
            _ => (0, "ignored"),
        };
        let said = fetched(&house, status, &[]);
        let expected = format!("<{}@reader.test>\tdemo\t{word}\n", columns[0]);
        assert!(said.contains(&expected), "{expected}{said}");
        let owed = log(&house).matches(" owed Black answer ").count();
        assert_eq!(
            owed,
            usize::try_from(status).unwrap(),
            "{expected}{}",
            log(&house)
        );
        // A move that nobody can be sure of is not said to be the player's.
        if columns[1] == "confirm" {
            let shown = house.parapost(["send", "--print", "demo"]);
            let shown = shown.any_stdout().any_stderr().run().stdout;
            let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(shown.contains("bears your name may have a move"), "{shown}");
            assert!(shown.contains("with your move alone on a line"), "{shown}");
        }
        tried += 1;
    }
    assert!(tried >= 25, "{tried}");
}

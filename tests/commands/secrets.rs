//! No password and no token is told to anybody but the server that it is for.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::commands::submission::begin;
use crate::servers::dovecot::Dovecot;
use crate::servers::dovecot_auth::{base64, token};
use crate::servers::postfix::Postfix;
use crate::support::exim::{address, password};
use crate::support::{Sandbox, Test};

/// What a secret looks like when it stands in a text, as it is or as a login has it.
fn forms(secret: &str) -> Vec<String> {
    [
        secret.to_owned(),
        format!("white\0{secret}"),
        format!("\0white\0{secret}"),
        format!("user=white\u{1}auth=Bearer {secret}\u{1}\u{1}"),
    ]
    .iter()
    .flat_map(|text| [text.clone(), base64(text.as_bytes(), false)])
    .collect()
}

/// The two servers, and all that they log.
struct Scene {
    dovecot: Dovecot,
    postfix: Postfix,
}

impl Scene {
    fn new() -> Scene {
        Scene {
            dovecot: Dovecot::start("auth_verbose = yes\n"),
            postfix: Postfix::start(),
        }
    }

    /// White's house. `imap` and `smtp` say where the secrets are.
    fn house(&self, imap: &str, smtp: &str) -> Sandbox {
        let (dovecot, postfix) = (&self.dovecot, &self.postfix);
        let config = format!(
            "[me]\nname = \"White\"\naddress = \"{}\"\n\
             [imap]\nhost = \"localhost\"\nport = {}\nca_file = \"{}\"\nuser = \"white\"\n{imap}\n\
             [transport]\nkind = \"smtp\"\n\
             [smtp]\nhost = \"localhost\"\nport = {}\nca_file = \"{}\"\nuser = \"white\"\n{smtp}\n",
            address("white"),
            dovecot.tls_port,
            dovecot.ca_file().display(),
            postfix.port,
            postfix.ca_file().display(),
        );
        Sandbox::new()
            .dir("games")
            .file("config.toml", config)
            .env("PARAPOST_CONFIG", "config.toml")
    }
}

/// A command that notes arguments and environment of itself and of the processes above it,
/// up to the program, and then prints a secret.
fn spying(house: &Sandbox, name: &str, secret: &str) {
    house.write(format!("{name}.secret"), format!("{secret}\n"));
    let script = format!(
        "p=$$\n\
         while :; do\n\
         tr '\\0' '\\n' </proc/$p/cmdline >>notes\n\
         tr '\\0' '\\n' </proc/$p/environ >>notes\n\
         tr '\\0' '\\n' </proc/$p/cmdline | grep -q '/parapost$' && break\n\
         p=$(cut -d ' ' -f 4 /proc/$p/stat)\n\
         done\n\
         echo asked >>notes\n\
         cat {name}.secret\n"
    );
    house.write(name, script);
}

/// Runs a command with a log, whatever comes of it. Returns all that it says.
fn said(test: Test) -> String {
    let test = test.args(["--verbose"]);
    let run = test.command().stdin(Stdio::null()).output().unwrap();
    let said = [run.stdout, run.stderr].map(|said| String::from_utf8(said).unwrap());
    assert!(!said[1].contains("panicked at"), "{}", said[1]);
    said.concat()
}

fn is_without(text: &str, secrets: &[String], what: &str) {
    for secret in secrets {
        for form in forms(secret) {
            assert!(!text.contains(&form), "{what} has {form:?}:\n{text}");
        }
    }
}

/// Holds the output, the notes of the spies, every file of the house but those of the
/// secrets, and the logs of the servers against the secrets.
fn check(scene: &Scene, house: &Sandbox, said: &str, secrets: &[String], what: &str) {
    is_without(said, secrets, what);
    let is_secret = |path: &Path| path.extension().is_some_and(|it| it == "secret");
    for (path, bytes) in house.contents() {
        if !is_secret(&path) {
            let text = String::from_utf8_lossy(&bytes);
            is_without(&text, secrets, &format!("{what}: {}", path.display()));
        }
    }
    is_without(&scene.postfix.log(), secrets, "the log of Postfix");
    is_without(&scene.dovecot.log(), secrets, "the log of Dovecot");
}

#[test]
#[ignore = "needs Dovecot"]
fn no_command_tells_a_secret_whether_it_is_right_or_wrong() {
    let scene = Scene::new();
    let right = [password("white"), token("white", 600)];
    let wrong = ["guesswork".to_owned(), token("white", -60)];
    for (secrets, is_right) in [(right, true), (wrong, false)] {
        let [by_word, by_token] = [
            "password_command = \"sh word\"",
            "token_command = \"sh token\"",
        ];
        for (imap, smtp) in [(by_word, by_token), (by_token, by_word)] {
            let house = scene.house(imap, smtp);
            spying(&house, "word", &secrets[0]);
            spying(&house, "token", &secrets[1]);
            begin(&house, "m", &address("black"));
            for command in ["doctor", "send", "fetch"] {
                let told = said(house.parapost([command]));
                let what = format!("{command}, {imap}");
                check(&scene, &house, &told, &secrets, &what);
                let is_done = command == "fetch" && told.contains("this is the first run")
                    || command == "send" && told.contains("m: 1 mail sent")
                    || command == "doctor" && !told.contains("wrong  ");
                assert_eq!(is_done, is_right, "{what}:\n{told}");
            }
            let notes = house.read("notes");
            assert_eq!(notes.matches("\nasked\n").count(), 4, "{notes}");
            assert!(notes.contains("\ndoctor\n") && notes.contains("PARAPOST_CONFIG="));
        }
    }
}

/// `init` reads the secret of a file, of a command or of the environment, and writes it
/// nowhere.
#[test]
#[ignore = "needs Dovecot"]
fn init_tells_no_secret_and_writes_none() {
    let scene = Scene::new();
    let authorities = [scene.dovecot.ca_file(), scene.postfix.ca_file()];
    let authorities = authorities.map(|file| fs::read_to_string(file).unwrap());
    for (word, is_right) in [(password("white"), true), ("guesswork".to_owned(), false)] {
        for source in [
            ["--password-command", "sh word"],
            ["--password-file", "word.secret"],
            ["--password-env", "WORD"],
        ] {
            let mut house = Sandbox::new().file("ca.pem", authorities.concat());
            spying(&house, "word", &word);
            if source[1] == "WORD" {
                house = house.env("WORD", &word);
            }
            let secrets = [word.clone()];
            let told = said(
                house
                    .parapost(["init", "--name", "White", "--address", &address("white")])
                    .args(["--imap", &format!("localhost:{}", scene.dovecot.tls_port)])
                    .args([
                        "--imap-tls",
                        "tls",
                        "--user",
                        "white",
                        "--ca-file",
                        "ca.pem",
                    ])
                    .args(["--smtp", &format!("localhost:{}", scene.postfix.port)])
                    .args(source),
            );
            check(&scene, &house, &told, &secrets, source[0]);
            assert_eq!(told.contains("config.toml: written"), is_right, "{told}");
        }
    }
}

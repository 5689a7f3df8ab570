//! Who is trusted with a password, and what is said where something is wrong.

use super::{PASSWORD, Scene, config};
use crate::servers::dovecot_auth::token;

impl Scene {
    /// Writes the configuration anew.
    fn configured(&self, port: u16, secret: &str, imap: &str) -> &Scene {
        let config = config(port, &self.dovecot.ca_file(), secret, imap);
        self.house.write("config.toml", config);
        self
    }

    fn is_refused(&self, why: &str) {
        let run = self.fetch(&[]).status(1).stderr_contains(why).run();
        assert!(!run.stderr.contains("secret of"), "{}", run.stderr);
    }
}

#[test]
#[ignore = "needs Dovecot"]
fn passwords_and_tokens_open_a_mailbox_in_tls_and_in_starttls() {
    let scene = Scene::new();
    let (port, tls_port) = (scene.dovecot.port, scene.dovecot.tls_port);
    scene.house.write("token", token("referee", 600));
    scene.first();
    for (port, imap) in [(tls_port, ""), (port, "tls = \"starttls\"")] {
        for secret in [
            PASSWORD,
            "token_file = \"token\"",
            "token_command = \"cat token\"",
        ] {
            scene
                .configured(port, secret, imap)
                .house
                .parapost(["fetch"])
                .any_stderr()
                .run();
        }
    }
}

#[test]
#[ignore = "needs Dovecot"]
fn a_password_may_have_any_letters() {
    let other = "passdb {\n driver = static\n args = password=ä\"\\b\n}";
    let scene = Scene::with(other, "");
    scene.house.write("password", "ä\"\\b\n");
    scene.first();
}

#[test]
#[ignore = "needs Dovecot"]
fn a_server_that_takes_no_password_gets_none() {
    let scene = Scene::with("auth_mechanisms = xoauth2", "");
    scene.house.write("token", token("referee", 600));
    scene.is_refused("it takes no password (LOGINDISABLED, and no AUTH=PLAIN)");
    let secret = "token_file = \"token\"";
    scene.configured(scene.dovecot.tls_port, secret, "").first();
    let scene = Scene::with("auth_mechanisms = plain", "");
    scene.house.write("token", token("referee", 600));
    let scene = scene.configured(scene.dovecot.tls_port, secret, "");
    scene.is_refused("it takes no token (AUTH=XOAUTH2)");
}

#[test]
#[ignore = "needs Dovecot"]
fn what_is_wrong_is_said_and_no_password_goes_astray() {
    let scene = Scene::new();
    let (port, tls_port) = (scene.dovecot.port, scene.dovecot.tls_port);
    scene.house.write("wrong", "guesswork\n");
    scene.house.write("old", token("referee", -50));
    let wrong = "password_file = \"wrong\"";
    scene
        .configured(tls_port, wrong, "")
        .is_refused("it does not accept the password of 'referee'");
    let old = "token_file = \"old\"";
    scene
        .configured(tls_port, old, "")
        .is_refused("it does not accept the token of 'referee'");
    let scene = scene.configured(tls_port, PASSWORD, "folder = \"Games\"");
    scene.is_refused("the folder 'Games' cannot be opened");
    // Not the name in its certificate, and an authority that is not known.
    let text = scene.house.read("config.toml");
    let text = text.replace("folder = \"Games\"", "");
    scene.house.write(
        "config.toml",
        text.replace("\"localhost\"", "\"127.0.0.2\""),
    );
    scene.is_refused("certificate");
    let without = text.lines().filter(|line| !line.starts_with("ca_file"));
    scene
        .house
        .write("config.toml", without.collect::<Vec<_>>().join("\n"));
    scene.is_refused("certif");
    // The port of the other kind of TLS.
    scene.configured(port, PASSWORD, "");
    scene.fetch(&[]).status(1).any_stderr().run();
    // Nothing listens there.
    scene
        .configured(1, PASSWORD, "")
        .fetch(&[])
        .status(75)
        .stderr_contains("port 1")
        .run();
    let said = scene.dovecot.said("referee", true);
    assert!(!said.contains("secret of"), "{said}");
}

#[test]
#[ignore = "needs Dovecot"]
fn a_server_without_tls_gets_nothing() {
    let scene = Scene::with("ssl = no\ndisable_plaintext_auth = no", "");
    let port = scene.dovecot.port;
    let scene = scene.configured(port, PASSWORD, "tls = \"starttls\"");
    scene.is_refused("it does not offer STARTTLS; nothing is sent to it without TLS");
    scene
        .configured(port, PASSWORD, "")
        .is_refused("the mail server localhost");
}

#[test]
#[ignore = "needs Dovecot"]
fn a_mailbox_that_is_not_configured_is_asked_for() {
    let scene = Scene::new();
    let text = scene.house.read("config.toml");
    let (without, _) = text.split_once("[imap]").unwrap();
    scene.house.write("config.toml", without);
    scene
        .fetch(&[])
        .status(1)
        .stderr_contains("\n\n[imap]\nhost = ")
        .run();
}

//! The sample configuration is one, and what is wrong in a section is said.

use std::path::PathBuf;

use parapost::config::Config;
use parapost::config::store::StoreSettings;
use parapost::config::transport::TransportSettings;
use parapost::mail::settings::Tls;

const SAMPLE: &str = include_str!("../docs/parapost.toml");

fn parse(text: &str) -> Config {
    Config::parse(text, PathBuf::from("/home/anna/config.toml"))
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

#[test]
fn the_sample_configuration_is_one() {
    let config = parse(SAMPLE);
    assert_eq!(config.me().unwrap().player.name(), "Anna White");
    let TransportSettings::Smtp(smtp) = config.transport else {
        panic!("not smtp");
    };
    assert_eq!((smtp.host.as_str(), smtp.port), ("mail.example.org", 587));
    assert_eq!(smtp.tls, Tls::Starttls);
    assert!(smtp.login.is_some());
}

/// A folder and standard output take one mail at a time.
#[test]
fn a_server_has_two_connections_by_default_and_a_folder_one() {
    for (transport, connections) in [
        ("", 1),
        ("[transport]\nkind = \"folder\"\n", 1),
        ("[transport]\nkind = \"print\"\n", 1),
        ("[transport]\nkind = \"sendmail\"\n", 2),
        (
            "[transport]\nkind = \"smtp\"\n[smtp]\nhost = \"mail.example.org\"\n",
            2,
        ),
    ] {
        assert_eq!(parse(transport).connections, connections, "{transport}");
    }
}

/// The lines of a database stand together: one alone is of no use.
#[test]
fn the_sample_of_a_database_is_one() {
    let lines = SAMPLE.lines().filter_map(|line| line.strip_prefix("#   "));
    let lines: Vec<&str> = lines.collect();
    let config = parse(&format!("[store]\n{}", lines.join("\n")));
    let StoreSettings::Postgres(database) = &config.store else {
        panic!("a folder");
    };
    assert_eq!(database.hosts.len(), 2);
    assert_eq!(config.secret_files().count(), 1);
}

/// The section that a line of a manual belongs to.
fn section(manual: &str, at: usize) -> Option<&str> {
    let lines = manual.lines().take(at + 1);
    lines.filter(|line| line.starts_with('[')).last()
}

#[test]
fn every_line_that_is_commented_out_can_be_said() {
    try_manual(SAMPLE);
}

/// Reads a configuration that is a manual, as it stands, and with each line that is commented out in it.
pub(crate) fn try_manual(manual: &str) {
    parse(manual);
    let mut tried = 0;
    for (at, line) in manual.lines().enumerate() {
        let Some(setting) = line.strip_prefix('#').filter(|line| {
            line.starts_with(|c: char| c.is_ascii_lowercase()) && line.contains(" = ")
        }) else {
            continue;
        };
        let (key, _) = setting.split_once(" = ").unwrap();
        // It takes the place of another of its kind.
        let rivals: &[&str] = match key {
            "password_command" | "password_env" | "token_command" => &["password_file"],
            "path" => &["kind"],
            _ => &[],
        };
        let lines = manual.lines().enumerate().map(|(i, line)| {
            let said = line.split(" = ").next().unwrap();
            match () {
                () if i == at => setting.to_owned(),
                () if section(manual, i) != section(manual, at) => line.to_owned(),
                () if key == "move_to" && said == "after" => "after = \"move\"".to_owned(),
                () if key == "path" && said == "kind" => "kind = \"folder\"".to_owned(),
                () if said == key || rivals.contains(&said) => String::new(),
                () => line.to_owned(),
            }
        });
        parse(&lines.collect::<Vec<_>>().join("\n"));
        tried += 1;
    }
    assert!(tried > 5, "{tried}");
}

#[test]
fn what_is_wrong_in_the_section_of_news_is_said() {
    let news = "host = \"news.example.org\"\ngroup = \"rec.games.abstract\"\nfrom = \"Anna <anna@example.invalid>\"\n";
    let section = |from: &str, to: &str| format!("[news]\n{}", news.replace(from, to));
    parse(&section("", ""));
    for (from, to, expected) in [
        (
            "anna@example.invalid",
            "anna@ex\u{e4}mple.invalid",
            "in ASCII",
        ),
        ("Anna <", "Anna, too <", "stands in quotes"),
        (
            "rec.games.abstract",
            "control.cancel",
            "not the name of a newsgroup",
        ),
        (
            "host",
            "user = \"anna\"\nhost",
            "password_env), and they need user",
        ),
        (
            "host",
            "user = \"anna\"\npassword_file = \"x\"\ntls = \"none\"\nhost",
            "no password is sent without TLS",
        ),
    ] {
        let text = section(from, to);
        let error = Config::parse(&text, PathBuf::new())
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}

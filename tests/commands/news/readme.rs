//! The lines of the README about a match in a newsgroup, as they stand there.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::servers::inn::{GROUP, Inn};

/// The lines below a heading of the README that are set off.
fn lines(heading: &str) -> Vec<String> {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(readme).unwrap();
    let (_, section) = readme.split_once(&format!("\n## {heading}\n")).unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let set_off = section.lines().filter_map(|line| line.strip_prefix("    "));
    set_off.map(str::to_owned).collect()
}

/// How Anna and Ben begin in the README.
fn beginning() -> String {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = fs::read_to_string(readme).unwrap();
    let (_, section) = readme.split_once("\n## A game in ten minutes\n").unwrap();
    let (_, block) = section.split_once("```console\n").unwrap();
    let (block, _) = block.split_once("```\n").unwrap();
    block.replace("$ ", "")
}

#[test]
#[ignore = "needs INN, openssl"]
fn the_lines_of_the_readme_post_a_match() {
    let inn = Inn::start(false);
    let lines = lines("A match in a newsgroup");
    assert!((5..=10).contains(&lines.len()), "{lines:#?}");
    let folder = tempfile::tempdir().unwrap();
    let mut script = format!("shopt -s expand_aliases\n{}", beginning());
    for line in &lines {
        let _ = writeln!(script, "{line}");
    }
    let program = Path::new(env!("CARGO_BIN_EXE_parapost"));
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let run = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &script])
        .current_dir(folder.path())
        .env_clear()
        .env("PATH", path)
        .env("HOME", folder.path())
        .env("SSL_CERT_FILE", inn.ca_file())
        .env("server", "localhost")
        .env("port", inn.tls_port.to_string())
        .output()
        .unwrap();
    let [printed, said] = [&run.stdout, &run.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    assert!(run.status.success(), "{printed}\n{said}");
    assert!(printed.contains("2.  K>e1\n"), "{printed}\n{said}");
    let articles = inn.articles(GROUP);
    assert_eq!(articles.len(), 2, "{printed}\n{said}\n{articles:#?}");
    assert!(
        articles[0].contains("\nSubject: [public] Unachess: Anna - Ben\n"),
        "{}",
        articles[0]
    );
    assert!(
        articles[1].contains("\n\nPoster: My king comes early.\n\n"),
        "{}",
        articles[1]
    );
}

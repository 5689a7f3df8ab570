//! Completions and the manual, made by the program and read by shells and by `man`.

use std::process::Command;

use crate::commands::play::demo;
use crate::support::terminal::by_shell;
use crate::support::{Sandbox, parapost};

/// Whether a program is on this machine.
fn has(program: &str) -> bool {
    let mut which = Command::new("sh");
    let which = which.args(["-c", &format!("command -v {program}")]);
    which.output().unwrap().status.success()
}

#[test]
fn every_shell_gets_its_completions_and_reads_them() {
    for (shell, checker) in [
        ("bash", Some("bash -n script")),
        ("zsh", Some("zsh -n script")),
        ("fish", Some("fish --no-execute script")),
        ("elvish", Some("elvish -compileonly script")),
        ("powershell", None),
    ] {
        let script = parapost(["completions", shell]).any_stdout().run().stdout;
        assert!(script.contains("PARAPOST_COMPLETE"), "{shell}");
        let Some(checker) = checker else { continue };
        let program = checker.split(' ').next().unwrap();
        if !has(program) {
            continue;
        }
        let folder = Sandbox::new().file("script", &script);
        let mut run = Command::new("sh");
        let output = run
            .args(["-c", checker])
            .current_dir(folder.folder())
            .output()
            .unwrap();
        assert!(output.status.success(), "{shell}: {output:?}");
    }
    parapost(["completions", "tcsh"])
        .status(2)
        .stderr_contains("powershell")
        .run();
}

/// Matches, one of which has the name of an order to a shell, which is no id.
fn house_with_matches() -> Sandbox {
    let house = demo();
    let games = house.path("games");
    let text = std::fs::read_to_string(games.join("demo.txt")).unwrap();
    let other = text.replace("Id: demo", "Id: derby");
    std::fs::write(games.join("derby.txt"), other).unwrap();
    std::fs::write(games.join("d$(touch gone).txt"), text).unwrap();
    house
}

/// What the program says to a shell at the end of a line of words.
fn completed(house: &Sandbox, words: &[&str]) -> String {
    let index = (words.len() - 1).to_string();
    let mut line = vec!["--", "parapost"];
    line.extend(&words[1..]);
    let told = house
        .parapost(line)
        .env("PARAPOST_COMPLETE", "bash")
        .env("_CLAP_COMPLETE_INDEX", &index)
        .env("_CLAP_IFS", " ")
        .env("PARAPOST_GAMES", "games")
        .any_stdout()
        .run();
    told.stdout
}

#[test]
fn commands_options_their_values_and_matches_are_completed() {
    let house = house_with_matches();
    for (line, expected) in [
        ("parapost che", "check"),
        ("parapost check --ga", "--game --games"),
        ("parapost check --game unac", "unachess unachess2"),
        ("parapost takeback acc", "accept"),
        ("parapost mail ret", "retry"),
        ("parapost --color al", "always"),
        ("parapost show de", "demo derby"),
        ("parapost move dem", "demo"),
        ("parapost send d", "demo derby"),
        ("parapost draw offer der", "derby"),
        ("parapost mail drop der", "derby"),
        ("parapost new --id de", ""),
        ("parapost show --as marK", ""),
        ("parapost show --as mark", "markdown"),
        (
            "parapost new --game unashogi --option promote-",
            "promote-both-kings promote-enemy-king promote-own-king",
        ),
        ("parapost new --game chess --option promote-", ""),
        ("parapost --games nowhere show de", ""),
        ("parapost help mov", "move moves"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(completed(&house, &words), expected, "{line}");
    }
    assert!(!house.path("gone").exists());
}

/// Somebody presses Tab in a shell and then Enter: the command runs.
#[test]
fn tab_completes_matches_and_games_in_the_shells() {
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_parapost"));
    let folder = program.parent().unwrap().display();
    let path = format!("{folder}:{}", std::env::var("PATH").unwrap());
    for (shell, start, load) in [
        ("bash", "bash --norc --noprofile -i", "source ./script"),
        (
            "zsh",
            "zsh -f -i",
            "autoload -U compinit; compinit -u -D; source ./script",
        ),
        ("fish", "fish --no-config -i", "source ./script"),
    ] {
        if !has(shell) {
            continue;
        }
        let script = parapost(["completions", shell]).any_stdout().run().stdout;
        let house = house_with_matches().file("script", script);
        let run = house
            .parapost([""])
            .env("PATH", &path)
            .env("PARAPOST_GAMES", "games")
            .env("NO_COLOR", "1")
            .env("TERM", "dumb")
            .any_stdout()
            .any_stderr();
        let typed = format!("{load}\nparapost show dem\t--as fen\nparapost rules kingc\t\nexit\n");
        let screen = by_shell(&run.command(), 80, start, &typed);
        drop(run);
        let sent = &screen.sent;
        assert!(
            sent.contains("[RRB-NNQKPPPPPPP-")
                || sent.contains(" w - - 0 ")
                || sent.contains(" b - - 0 "),
            "{shell}: {sent}"
        );
        assert!(sent.contains("Sinelnikov"), "{shell}: {sent}");
        assert!(!house.path("gone").exists(), "{shell}");
    }
}

#[test]
fn the_manual_has_a_page_for_each_command_that_man_reads() {
    let folder = Sandbox::new();
    folder.parapost(["man", "man1"]).run();
    for page in [
        "parapost",
        "parapost-check",
        "parapost-mail-retry",
        "parapost-man",
    ] {
        let text = folder.read(format!("man1/{page}.1"));
        assert!(text.contains(".TH") && text.contains("NAME"), "{page}");
        if has("mandoc") {
            let mut lint = Command::new("mandoc");
            let lint = lint.args(["-T", "lint", "-W", "error"]);
            let output = lint
                .arg(folder.path(format!("man1/{page}.1")))
                .output()
                .unwrap();
            assert!(output.status.success(), "{output:?}");
        }
        if has("man") && has("groff") {
            let mut man = Command::new("man");
            let man = man
                .args(["--warnings", "-l"])
                .arg(folder.path(format!("man1/{page}.1")));
            let output = man.env("MANWIDTH", "80").output().unwrap();
            let told = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && told.is_empty(), "{told}");
            let text = String::from_utf8_lossy(&output.stdout);
            assert!(
                text.contains("Global options") || text.contains("GLOBAL"),
                "{text}"
            );
        }
    }
    let pages = std::fs::read_dir(folder.path("man1")).unwrap().count();
    assert!(pages > 30, "{pages}");
    parapost(["man", "/dev/null/x"])
        .status(1)
        .any_stderr()
        .run();
}

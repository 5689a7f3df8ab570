//! Completions and the manual, made by the program and read by shells and by `man`.

use std::process::Command;

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
        assert!(
            script.contains("takeback") && script.contains("option"),
            "{shell}"
        );
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

/// bash completes a line with the script as it does when Tab is pressed.
#[test]
fn bash_completes_commands_options_and_games() {
    let script = parapost(["completions", "bash"]).any_stdout().run().stdout;
    let folder = Sandbox::new().file("script", script);
    for (words, expected) in [
        (&["parapost", "che"][..], "check"),
        (&["parapost", "check", "--ga"], "--game --games"),
        (
            &["parapost", "check", "--game", "unac"],
            "unachess unachess2",
        ),
        (&["parapost", "takeback", "acc"], "accept"),
        (&["parapost", "mail", "ret"], "retry"),
        (&["parapost", "--color", "al"], "always"),
    ] {
        let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
        let line = format!(
            "source ./script\nCOMP_WORDS=({})\nCOMP_CWORD={}\nf=$(complete -p parapost)\nf=${{f##*-F }}\n\"${{f%% *}}\" parapost '{}' '{}'\necho \"${{COMPREPLY[*]}}\"",
            quoted.join(" "),
            words.len() - 1,
            words[words.len() - 1],
            words[words.len() - 2],
        );
        let mut bash = Command::new("bash");
        let bash = bash
            .args(["--norc", "-c", &line])
            .current_dir(folder.folder());
        let output = bash.output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        assert_eq!(
            told.trim(),
            expected,
            "{words:?} {:?}",
            String::from_utf8(output.stderr)
        );
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

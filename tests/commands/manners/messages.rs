//! What help and errors say to somebody who has just come.

use std::process::Command;

use crate::commands::play::{demo, of, refused};
use crate::support::{Sandbox, parapost};

#[test]
fn the_name_of_a_game_is_read_in_any_case() {
    parapost(["check", "--game", "UnaShogi"])
        .stdin("1. P>e4\n")
        .any_stdout()
        .stderr("-: Unashogi, 1 half-move, Gote to move\n")
        .run();
    parapost(["rules", "Chess"])
        .stdout_contains("(chess)")
        .run();
    parapost(["check", "--game", "Unaches"])
        .status(2)
        .stderr_contains("'unachess'")
        .run();
}

#[test]
fn several_texts_are_checked_as_grep_searches_them() {
    let folder = Sandbox::new()
        .file("good.txt", "1. P>e3 n>g5\n")
        .file("bad.txt", "1. P>e9\n");
    let alone = folder
        .parapost(["check", "good.txt"])
        .any_stdout()
        .stderr("good.txt: Unachess, 2 half-moves, White to move\n")
        .run()
        .stdout;
    let run = folder.parapost(["check", "good.txt", "bad.txt", "none.txt", "good.txt"]);
    let run = run.status(1).any_stdout();
    let run = run
        .stderr_contains("bad.txt:1:4: error: ")
        .stderr_contains("none.txt: ");
    let told = run.run().stdout;
    let named = alone.lines().map(|line| format!("good.txt:{line}\n"));
    let named = named.collect::<Vec<_>>().concat();
    assert_eq!(told, named.repeat(2));
    folder
        .parapost(["check", "good.txt", "good.txt"])
        .stdout(named.repeat(2))
        .stderr("good.txt: Unachess, 2 half-moves, White to move\n".repeat(2))
        .run();
    let json = folder.parapost(["check", "--json", "good.txt", "bad.txt"]);
    let json = json.status(1).any_stdout().run().stdout;
    let files: Vec<serde_json::Value> = json
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        (&files[0]["file"], &files[1]["file"]),
        (&"good.txt".into(), &"bad.txt".into())
    );
    assert_eq!(files[1]["matches"][0]["legal"], false);
    let one = folder
        .parapost(["check", "--json", "good.txt"])
        .any_stdout()
        .run();
    assert!(one.stdout.starts_with("{\"matches\""), "{}", one.stdout);
}

#[test]
fn the_match_that_was_meant_is_suggested() {
    let house = demo();
    for words in [
        &["show", "dmeo"][..],
        &["move", "dem", "P>e3"],
        &["send", "demoo"],
        &["mail", "list", "demos"],
        &["verify", "dmo"],
    ] {
        house
            .parapost(of("anna", words))
            .status(1)
            .stderr_contains("did you mean 'demo'?")
            .run();
    }
    let told = house
        .parapost(["show", "nosuch"])
        .status(1)
        .any_stderr()
        .run();
    assert!(!told.stderr.contains("did you mean"), "{}", told.stderr);
}

/// Somebody who has saved a text without an ending takes its name for that of a file.
#[test]
fn a_file_that_has_the_name_of_no_match_is_named_with_its_folder() {
    let house = demo().file("game", "1. P>e3 n>g5\n");
    let hint = "\na file here is written ./game\n";
    let run = |words: &[&str]| house.parapost(of("anna", words)).any_stdout().any_stderr();
    for words in [
        &["show", "game"][..],
        &["show", "game", "--answer"],
        &["legal", "game"],
        &["verify", "demo", "game"],
        &["--games", "nowhere", "show", "game"],
    ] {
        let told = run(words).status(1).run().stderr;
        assert!(told.contains(hint), "{words:?} {told}");
    }
    run(&["show", "./game"]).run();
    for words in [&["show", "games2"][..], &["send", "game"]] {
        let told = run(words).status(1).run().stderr;
        assert!(!told.contains("a file here"), "{words:?} {told}");
    }
}

/// The suggestion reads names alone: a match that is damaged costs no more than another.
#[test]
fn a_suggestion_reads_no_match() {
    let mut house = demo();
    for number in 0..500 {
        house = house.file(format!("games/m{number}xyzzy.txt"), "Format: 1\n");
    }
    house
        .parapost(["show", "m77xyzy"])
        .status(1)
        .stderr_contains("did you mean 'm77xyzzy'?")
        .run();
}

#[test]
fn help_lists_the_options_of_each_game_and_sets_the_global_ones_apart() {
    for command in ["check", "show", "legal", "perft", "new"] {
        let help = parapost([command, "--help"]).any_stdout().run().stdout;
        for line in [
            "  unashogi    promote-own-king, promote-enemy-king, promote-both-kings",
            "  shogi       none",
            "Global options:\n",
        ] {
            assert!(help.contains(line), "{command}: {line}\n{help}");
        }
        let (own, global) = help.split_once("Global options:").unwrap();
        for option in [
            "--games",
            "--config",
            "--wait",
            "--color",
            "--verbose",
            "--metrics",
        ] {
            assert!(
                global.contains(option) && !own.contains(&format!("{option} ")),
                "{help}"
            );
        }
    }
    let help = parapost(["list", "--help"]).any_stdout().run().stdout;
    assert!(!help.contains("unashogi"), "{help}");
}

#[test]
fn the_mark_of_a_reading_is_explained_where_it_stands() {
    for game in parapost::rules::games::ALL {
        let rules = parapost(["rules", game.id]).any_stdout().run().stdout;
        let explained = rules.contains("[R] marks what the source leaves open");
        assert_eq!(explained, game.text.contains("[R]"), "{rules}");
    }
}

/// A password that stands in the configuration, where it must not, was printed.
#[test]
fn a_wrong_configuration_shows_no_password() {
    let me = "[me]\nname = \"Anna\"\naddress = \"anna@example.org\"\n";
    let smtp = format!("{me}[transport]\nkind = \"smtp\"\n[smtp]\nhost = \"mx.test\"\n");
    for (line, shown) in [
        ("password = \"hunter2\"", "8 | password =\n  | ^^^^^^^^\n"),
        ("password_file = 0xF2f2", "8 | password_file =\n"),
        ("password: hunter2", "8 | password:\n"),
        ("\"my Password\" = \"hunter2", "8 | \"my Password\" =\n"),
        ("login = { token = \"hunter2\" }", "8 | login = { token =\n"),
    ] {
        let house = Sandbox::new()
            .dir("games")
            .file("c.toml", format!("{smtp}{line}\n"));
        let run = house.parapost(["--config", "c.toml", "list"]);
        let run = run.status(1).stderr_contains(shown).run();
        assert!(!run.stderr.contains("hunter2"), "{}", run.stderr);
        assert!(!run.stderr.contains("0xF2f2"), "{}", run.stderr);
        assert!(!run.stderr.contains("62194"), "{}", run.stderr);
    }
}

#[test]
fn a_wrong_configuration_is_told_in_a_users_words() {
    let me = "[me]\nname = \"Anna\"\naddress = \"anna@example.org\"\n";
    let smtp = format!("{me}[transport]\nkind = \"smtp\"\n[smtp]\nhost = \"mx.test\"\n");
    for (text, told) in [
        (
            format!("{smtp}port = \"25\"\n"),
            "config.toml: line 8: a number from 0 to 65535 is needed, not the text \"25\"\n  |\n8 | port = \"25\"\n  |        ^^^^\n",
        ),
        (
            format!("{smtp}port = 70000\n"),
            "a number from 0 to 65535 is needed, not the number 70000",
        ),
        (
            "[me]\nname = \"Anna\"\nadress = \"a@x.test\"\n".to_owned(),
            "line 3: there is no setting `adress` here (did you mean `address`?); the settings are `name`, `address`, `role`",
        ),
        (
            format!("{me}[mial]\nhtml = true\n"),
            "there is no section [mial] (did you mean `mail`?); the sections are ",
        ),
        (
            format!("{me}[transport]\nkind = \"pigeon\"\n"),
            "`pigeon` is not one of `folder`, `print`, `smtp`, `sendmail`",
        ),
        (
            format!("{me}[policy]\nidentity = \"tokn\"\n"),
            "`tokn` is not one of `address`, `token`, `dkim` (did you mean `token`?)",
        ),
        (
            format!("{me}[mail]\nhtml = \"yes\"\n"),
            "true or false is needed, not the text \"yes\"",
        ),
        (
            format!("{me}[smtp]\nport = 25\n"),
            "this section needs `host`",
        ),
        (
            format!("{me}[policy]\nanswers = -1\n"),
            "a number, 0 or more is needed, not the number -1",
        ),
        (
            "me = 1\n".to_owned(),
            "a section, such as [me], is needed, not the number 1",
        ),
        (
            "[me]\naddress = 1\n".to_owned(),
            "a text in quotes, or a list of such texts, is needed",
        ),
        ("[me\n".to_owned(), "line 1: "),
        ("name = Anna\n".to_owned(), "line 1: "),
    ] {
        let home = Sandbox::new().dir("games").file("config.toml", &text);
        let run = home.parapost(["--config", "config.toml", "list"]).status(1);
        let run = run.stderr_contains(told).run();
        for word in [
            "u16",
            "usize",
            "struct",
            "Raw",
            "invalid type",
            "TOML",
            "variant",
        ] {
            assert!(!run.stderr.contains(word), "{text}\n{}", run.stderr);
        }
    }
}

/// The shell has made a file of the square by then, which is easily overlooked.
#[test]
fn an_unquoted_drop_names_the_file_that_the_shell_has_made() {
    let house = demo();
    let program = house.parapost(of("anna", &["move", "demo"])).command();
    let run = |line: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", line, "sh"]).arg(program.get_program());
        let output = command
            .args(program.get_args())
            .current_dir(house.folder())
            .env_clear()
            .envs(
                program
                    .get_envs()
                    .filter_map(|(key, value)| Some((key, value?))),
            )
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stderr).unwrap()
    };
    let told = run("\"$@\" P>e3");
    assert!(told.contains("write the move in quotes"), "{told}");
    assert!(
        told.contains("It has made an empty file 'e3' of the rest"),
        "{told}"
    );
    assert!(house.path("e3").exists());
    for line in ["\"$@\" P", "\"$@\" P | cat", "\"$@\" P > /dev/null"] {
        let mut told = String::new();
        if !line.contains('|') {
            told = run(line);
        }
        assert!(!told.contains("empty file"), "{told}");
    }
}

/// What a stranger tries first, in an empty home: each answer says what is the matter and
/// what to do.
#[test]
fn a_newcomer_is_told_what_to_do() {
    for (words, status, told) in [
        (&["list"][..], 0, "There are no matches yet. "),
        (&["show", "nosuch"], 1, "there is no folder of matches "),
        (&["status"], 1, "'parapost new' begins a match and makes it"),
        (&["status"], 1, "'parapost receive --accept' enters a match"),
        (
            &["check", "nosuch.txt"],
            1,
            "nosuch.txt: No such file or directory\n",
        ),
        (
            &["--config", "nosuch.toml", "list"],
            1,
            "nosuch.toml: No such file or directory; 'parapost init' makes a configuration, --config names another\n",
        ),
        (&["fetch"], 1, "'parapost init' asks"),
        (&["send"], 1, "'parapost init' asks"),
        (&["serve"], 1, "'parapost init' asks"),
        (&["move", "nosuch", "e4"], 1, "'parapost init' asks"),
        (&["init"], 2, "there is no terminal to ask on; say --name"),
        (&["store", "setup"], 1, "which needs no setup"),
        (&["lst"], 2, "a similar subcommand exists: 'list'"),
    ] {
        let run = parapost(words.iter().copied()).status(status).any_stdout();
        run.stderr_contains(told).run();
    }
    let folder = Sandbox::new();
    let run = folder
        .parapost(["doctor"])
        .status(1)
        .any_stdout()
        .any_stderr();
    assert!(run.run().stdout.contains("'parapost init'"));
}

/// What is done in a match may stand before the match and behind it.
#[test]
fn the_order_of_a_match_and_what_is_done_in_it_does_not_matter() {
    let house = demo();
    let run = |who: &str, words: &[&str]| {
        let test = house.parapost(of(who, words));
        test.any_stdout().any_stderr().run().stderr
    };
    run("anna", &["draw", "demo", "offer"]);
    run("ben", &["draw", "demo", "decline"]);
    run("anna", &["move", "P>e3", "demo"]);
    run("anna", &["takeback", "demo", "propose"]);
    run("ben", &["takeback", "decline", "demo"]);
    run("ben", &["say", "Well played!", "demo"]);
    run("anna", &["mail", "demo", "list"]);
    let log = house.read("games/demo.txt");
    for event in [
        "decline Black -",
        "takeback Black decline",
        "text=\"Well played!\"",
    ] {
        assert!(log.contains(event), "{event}\n{log}");
    }
    // Nothing is guessed: this could be a match of that name.
    let wrong = of("ben", &["move", "e4", "demo"]);
    refused(
        &house,
        wrong,
        1,
        "the match comes first: parapost --config ben.toml move demo e4\n",
    );
    let wrong = of("ben", &["draw", "demo", "dmo"]);
    refused(&house, wrong, 2, "invalid value 'demo'");
}

#[test]
fn a_misspelt_match_or_game_is_answered_with_the_near_one() {
    let house = demo();
    for (words, status, meant) in [
        (&["show", "dmeo"][..], 1, "did you mean 'demo'?"),
        (&["move", "demi", "P>e3"], 1, "did you mean 'demo'?"),
        (&["draw", "offer", "demoo"], 1, "did you mean 'demo'?"),
        (&["verify", "dem"], 1, "did you mean 'demo'?"),
        (&["send", "demp"], 1, "did you mean 'demo'?"),
        (&["mail", "list", "demp"], 1, "did you mean 'demo'?"),
        (&["undo", "demp"], 1, "did you mean 'demo'?"),
        (&["open", "demp"], 1, "did you mean 'demo'?"),
        (&["new", "--rematch", "demp"], 1, "did you mean 'demo'?"),
        (&["say", "demp", "hello"], 1, "did you mean 'demo'?"),
        (&["note", "demp", "hello"], 1, "did you mean 'demo'?"),
        (&["show", "Demo"], 2, "did you mean 'demo'?"),
        (&["move", "DEMO", "P>e3"], 2, "did you mean 'demo'?"),
        (&["rules", "unches"], 2, "'unachess'"),
        (
            &["new", "--game", "kingches", "x@example.org"],
            2,
            "'kingchess'",
        ),
        (&["check", "--game", "shogy"], 2, "'shogi'"),
        (&["lisst"], 2, "'list'"),
    ] {
        house
            .parapost(of("anna", words))
            .status(status)
            .stderr_contains(meant)
            .run();
    }
}

//! What somebody sees who runs the program for the first time.

use crate::commands::play::{DEMO, house, of};
use crate::support::terminal::at_terminal;
use crate::support::{Sandbox, parapost};

/// The command of the README, at a terminal: what is printed, and the folder.
fn referee(words: &[&str]) -> (Sandbox, String) {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).unwrap();
    let home = Sandbox::new()
        .file("games/demo.txt", read("demo.txt"))
        .file("referee.toml", read("referee.toml"))
        .file("reply.eml", read("reply.eml"));
    let line = [&["--config", "referee.toml"], words].concat();
    let screen = at_terminal(home.parapost(line), 80, "");
    assert_eq!(screen.status, 0, "{}", screen.sent);
    assert!(
        screen.columns() <= 80 || words.contains(&"--print=raw"),
        "{}",
        screen.sent
    );
    let text = screen.text();
    (home, text)
}

#[test]
fn the_first_command_says_what_the_program_does() {
    let (home, text) = referee(&["receive", "--send", "reply.eml"]);
    assert!(text.lines().count() <= 40, "{text}");
    for part in [
        "demo: Ben played 2... n-e6, and writes:",
        "\n- - - - n - - -       rrbbn-qk\n",
        "\n2.  B>f4    n-e6\n",
        "\nTo Anna <anna@example.org>: [demo] Unachess: Anna - Ben\n",
        "demo.23.html (its page, for a browser)",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let page = text
        .lines()
        .find(|line| line.contains("demo.23.html"))
        .unwrap();
    let page = page.trim().split(' ').next().unwrap();
    let page = std::fs::read_to_string(home.folder().join(page)).unwrap();
    assert!(
        page.contains("src=\"data:image/png;base64,") && !page.contains("cid:"),
        "no picture"
    );
    assert!(
        page.contains("Ben (Black) has played 2... n-e6."),
        "no words"
    );
}

#[test]
fn a_mail_at_a_terminal_is_what_its_reader_sees() {
    let (_, text) = referee(&["receive", "--print", "reply.eml"]);
    for part in [
        "\nFrom: Referee <games@example.net>\nTo: Anna <anna@example.org>\nSubject: [demo] Unachess: Anna - Ben\n\nBen (Black)",
        "\n\nBeside the text: a page, to open in a browser (",
        "\nBeside the text: board.png, a picture (",
        "\n\nFrom: Referee <games@example.net>\nTo: Ben <ben@example.test>\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    for part in ["base64", "boundary", "=3D", "Content-", "iVBOR"] {
        assert!(!text.contains(part), "{part}\n{text}");
    }
    let (_, whole) = referee(&["receive", "--print=raw", "reply.eml"]);
    assert!(
        whole.contains("Content-Transfer-Encoding: base64"),
        "{whole}"
    );
}

/// An invitation by a referee is two mails.
#[test]
fn mails_of_one_command_are_set_apart() {
    let house = house();
    let line = [DEMO, &["--print"]].concat();
    let printed = house
        .parapost(of("ref", &line))
        .any_stdout()
        .any_stderr()
        .run()
        .stdout;
    let postmarks = printed.lines().filter(|line| line.starts_with("From "));
    assert_eq!(postmarks.count(), 2, "{printed}");
    let one = crate::commands::play::house()
        .parapost(of("anna", &[DEMO, &["--print"]].concat()))
        .any_stdout()
        .any_stderr()
        .run()
        .stdout;
    assert!(one.starts_with("From: "), "{one}");
}

#[test]
fn the_program_alone_says_what_to_do_first() {
    let home = Sandbox::new();
    let told = home.parapost::<&str>([]).any_stdout().run().stdout;
    assert_eq!(told.lines().count(), 10, "{told}");
    for part in [
        "parapost play",
        "parapost init",
        "parapost rules",
        "parapost fetch --send",
    ] {
        assert!(told.contains(part), "{told}");
    }
    let help = parapost(["--help"]).any_stdout().run().stdout;
    let headings: Vec<&str> = help
        .lines()
        .filter(|line| line.ends_with(':') && !line.starts_with(' '))
        .collect();
    let groups = [
        "Play:",
        "Read and send mail:",
        "Look:",
        "Club:",
        "Keep:",
        "Options:",
        "Example:",
    ];
    assert_eq!(headings, groups, "{help}");
    assert_eq!(parapost(["help"]).any_stdout().run().stdout, help);
    let of_move = parapost(["move", "--help"]).any_stdout().run().stdout;
    assert_eq!(
        parapost(["help", "move"]).any_stdout().run().stdout,
        of_move
    );
    let moves = parapost(["help", "moves"]).any_stdout().run().stdout;
    for example in ["'N>d2/c4'", "'K>e1,B>c1,P>d2'", "'S-c7=+S'", "'Nxe5'"] {
        let is_in =
            |text: &str| text.contains(example) || text.contains(example.trim_matches('\''));
        assert!(
            is_in(&moves) && is_in(&of_move),
            "{example}\n{moves}\n{of_move}"
        );
    }
    parapost(["help", "frobnicate"])
        .status(2)
        .any_stderr()
        .run();
}

#[test]
fn legal_moves_are_grouped_for_people() {
    let home = Sandbox::new();
    let screen = at_terminal(home.parapost(["legal", "--game", "unachess"]), 80, "");
    assert!(screen.text().contains("P> a2-h4\n"), "{}", screen.sent);
    assert!(screen.text().lines().count() < 12, "{}", screen.sent);
    let screen = at_terminal(home.parapost(["legal", "--game", "chess"]), 80, "");
    let told = "a3-h4 stands for every square between these corners.\n";
    assert_eq!(screen.text(), format!("N- a3 c3 f3 h3\nP- a3-h4\n\n{told}"));
}

#[test]
fn a_text_that_fits_another_game_says_which() {
    for (text, named) in [
        ("1. P-e4 p-e5 2. N-f3 n-c6 3. B-b5 p-a6\n", "--game chess"),
        ("1. P>e4 p>e6 2. P>d4 g>d9\n", "--game unashogi"),
    ] {
        parapost(["check"])
            .stdin(text)
            .status(1)
            .stderr_contains(named)
            .run();
        let told = parapost(["check", "--game", "parachute"])
            .stdin(text)
            .status(1);
        let told = told.any_stderr().run().stderr;
        assert!(!told.contains("--game"), "{told}");
    }
}

/// Somebody who plays wants to know what waits, and nobody who runs it wants a fault.
#[test]
fn the_program_alone_begins_with_the_matches_that_wait() {
    let house = house();
    let alone = |who: &str| {
        let line = of(who, &["--games", "games"]);
        house.parapost(line).any_stdout().run().stdout
    };
    let [nothing] = [alone("anna")];
    assert!(
        nothing.starts_with("parapost plays chess by post."),
        "{nothing}"
    );
    for number in 1..=7 {
        let id = format!("m{number}");
        let (anna, ben) = ("Anna <anna@example.org>", "Ben <ben@example.org>");
        let time = format!("{}d", 20 - number);
        let line = ["new", "--invited", "--game", "chess", "--id", &id];
        let line = [
            &line[..],
            &["--white", anna, "--black", ben, "--time", &time],
        ]
        .concat();
        house.parapost(of("anna", &line)).any_stdout().run();
    }
    let told = alone("anna");
    // The nearest deadline comes first.
    assert!(
        told.starts_with("7 matches wait for you:\n  m7  chess  Anna - Ben  0 half-moves, White to move (you) by 2026-12-03T"),
        "{told}"
    );
    let listed = told.lines().filter(|line| line.starts_with("  m"));
    assert_eq!(listed.count(), 5, "{told}");
    assert!(
        told.contains("\n  and 2 more: parapost list\n\nparapost plays"),
        "{told}"
    );
    assert_eq!(told.lines().count(), 8 + 10, "{told}");
    // Nobody else is told of them, and what is broken is nobody's concern here.
    for who in ["ben", "ref"] {
        assert_eq!(alone(who), nothing, "{who}");
    }
    house.write("games/m7.txt", "Format: nonsense\n");
    assert!(alone("anna").starts_with("6 matches wait for you:\n  m6  "));
    house.write("anna.toml", "[me");
    assert_eq!(alone("anna"), nothing);
}

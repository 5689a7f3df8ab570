//! The forms that are posted: how they look, and that all of them are read back.

use fastrand::Rng;
use parapost::notation::header;
use parapost::notation::judge::{self, GameChoice};
use parapost::notation::positions::alone::alone;
use parapost::notation::reader::pasted;
use parapost::render::format::{OutputFormat, Style};
use parapost::render::view::View;
use parapost::rules::{Record, Variant, games};

use crate::playing;
use crate::support::{Sandbox, parapost};

/// The forms that hold the whole post.
const POSTS: [OutputFormat; 7] = [
    OutputFormat::Post,
    OutputFormat::Coords,
    OutputFormat::Unicode,
    OutputFormat::Bbcode,
    OutputFormat::Markdown,
    OutputFormat::Svg,
    OutputFormat::Html,
];

/// Every choice that the form takes.
fn styles(form: OutputFormat) -> impl Iterator<Item = Style> {
    (0..8).filter_map(move |choice| {
        let style = Style {
            is_flipped: choice & 1 > 0,
            has_marks: choice & 2 > 0,
            is_indented: choice & 4 > 0,
            ..Style::default()
        };
        form.check(&style).is_ok().then_some(style)
    })
}

/// What becomes of a post on its way.
const WAYS: [fn(&str) -> String; 12] = [
    str::to_owned,
    str::to_owned,
    |text| quoted(text, "> "),
    |text| quoted(text, ">> "),
    |text| quoted(text, "| "),
    |text| quoted(text, "AW> "),
    |text| quoted(text, "\t"),
    |text| text.replace('\n', "\r\n"),
    |text| text.replace(' ', "\u{a0}"),
    // Forums that take the line ends off the ends of a block.
    |text| {
        text.replace("[code]\n", "[code]")
            .replace("\n[/code]", "[/code]")
    },
    |text| format!("[quote=Anna][CODE]{}[/code] [/quote]\n", text.trim_end()),
    |text| format!("[quote=\"Anna\"]Here it is.\n\n{text}[/quote]\nThank you!\n"),
];

fn quoted(text: &str, mark: &str) -> String {
    text.lines().flat_map(|line| [mark, line, "\n"]).collect()
}

/// The matches of a text that nobody says the game of.
fn judged(text: &str) -> Vec<judge::Judged> {
    judge::judge(&pasted(text), &GameChoice::Named(header::DEFAULT)).unwrap()
}

#[test]
#[ignore = "takes long"]
fn every_form_of_every_variant_reads_back() {
    let mut rng = Rng::with_seed(2710);
    let mut games = 0;
    for variant in crate::variants::variants() {
        for form in POSTS {
            for style in styles(form) {
                let plies = rng.usize(1..140);
                let whole = playing::game(&variant, plies, &mut rng);
                let record = whole.until(rng.usize(..=whole.steps().len()));
                let shown = form.render(&View::of(&record), &style).unwrap();
                let text = String::from_utf8(shown).unwrap();
                // The lines of a drawing and of a page are not for people.
                if form.is_text() {
                    assert_narrow(&text, &style);
                }
                let way = rng.choice(WAYS).unwrap();
                assert_reads(&way(&text), &record);
                games += 1;
            }
        }
    }
    assert!(games > 500, "{games}");
}

/// Words tell a position: its board, its reserves and whose turn it is, whatever the turn before did.
#[test]
fn every_position_reads_back_from_its_words() {
    let mut rng = Rng::with_seed(53);
    for variant in crate::variants::variants() {
        let whole = playing::game(&variant, 60, &mut rng);
        for plies in 0..=whole.steps().len() {
            let record = whole.until(plies);
            let position = record.position();
            let style = Style {
                is_flipped: rng.bool(),
                ..Style::default()
            };
            let shown = OutputFormat::Words.render(&View::of(&record), &style);
            let text = String::from_utf8(shown.unwrap()).unwrap();
            let joined = text
                .replace("\n\n", "\t")
                .replace('\n', " ")
                .replace('\t', "\n\n");
            let ways = [
                text.clone(),
                quoted(&text, "> "),
                text.replace(' ', "\u{a0}"),
                joined,
                format!("{text}Best wishes from Peter\n"),
                format!("{}\nBest, Bob\n", quoted(&text, "> ")),
                format!("{text}\nGood luck, and pawn takes!\n"),
                format!("{text}\nSolution in a week. Kind regards, R.\n"),
                format!("{text}From a book of 1920, page 5\n"),
            ];
            for text in ways {
                let choice = GameChoice::Named(header::DEFAULT);
                let found = alone(&pasted(&text), &choice).unwrap();
                let [Ok(found)] = found.as_slice() else {
                    panic!("{found:?}\n{text}");
                };
                assert_eq!(found.warnings, [], "{text}");
                let is_over = record.outcome().is_some();
                let turn = Some(position.turn()).filter(|_| !is_over);
                assert_eq!(found.turn, turn, "{text}");
                let board = |fen: &str| fen.split(' ').next().unwrap().to_owned();
                let read = found.fen(position.turn());
                assert_eq!(board(&read), board(&position.fen()), "{text}");
            }
        }
    }
}

/// Lists of chess end at column 72; those 4 of an indented block are no text.
#[track_caller]
fn assert_narrow(text: &str, style: &Style) {
    let most = if style.is_indented { 76 } else { 72 };
    for line in text.lines() {
        assert_eq!(line, line.trim_end(), "{text}");
        // A character of shogi takes two columns.
        let wide = line.chars().filter(|c| *c >= '\u{3000}').count();
        assert!(line.chars().count() + wide <= most, "{line}");
    }
}

#[track_caller]
fn assert_reads(text: &str, record: &Record) {
    let variant = record.position().variant();
    let judged = judged(text);
    let name = format!("{} {:?}", variant.game().id, variant.options());
    let [one] = judged.as_slice() else {
        panic!("{name}: {} matches\n{text}", judged.len());
    };
    assert_eq!(one.variant.game().id, variant.game().id, "{name}\n{text}");
    assert_eq!(one.variant.options(), variant.options(), "{name}\n{text}");
    assert_eq!(one.problems, [], "{name}\n{text}");
    assert_eq!(one.game.record().steps(), record.steps(), "{name}\n{text}");
    let [claim] = one.game.claims.as_slice() else {
        panic!("{name}: {} diagrams\n{text}", one.game.claims.len());
    };
    assert!(
        claim.drawn.diagram.shows(record.position()),
        "{name}\n{text}"
    );
    let has_reserve = variant.rules().has_reserve();
    assert_eq!(
        claim.drawn.diagram.reserves().is_some(),
        has_reserve,
        "{name}\n{text}"
    );
    // The places of the squares are right: those of pieces are not those of
    // empty squares.
    let lines = pasted(text);
    for (square, piece) in claim.drawn.diagram.board().pieces() {
        let place = claim.drawn.place_of(square).expect("a square of the board");
        let shown: String = lines[place.line - 1]
            .source
            .chars()
            .skip(place.column - 1)
            .take(place.width)
            .collect();
        let is_small = shown.contains(|c: char| c.is_ascii_lowercase() || ('♚'..='♟').contains(&c));
        assert_eq!(
            is_small,
            piece.color.index() == 1,
            "{square} {shown}\n{text}"
        );
    }
}

const LIST: &str = "1. P>e3 n>g5 2. B>f4 n-e6\n";

/// A game in which every piece that can be is promoted, of both sides.
const SHOGI: &str = "\
Rules: shogi

- - +r - - - - - +N       Gote: p
- - - - - - k - -
- +P - - - - - - -
- - - - +b - - - -
- - - +p - - - - -
- - - - - +R - - -
- - - - - - - - +l
- - K - - - - - -
+s - - - +n - +B +S +L       Sente: GGP
";

#[test]
fn a_post_in_every_dress() {
    let shown = |arguments: &[&str], stdout: &str| {
        let arguments = ["show"].iter().chain(arguments);
        parapost(arguments).stdin(LIST).stdout(stdout).run();
    };
    let tail = "\nWhite       Black\n\n1.  P>e3    n>g5\n2.  B>f4    n-e6\n\nWhite to move.\n";
    let post = "\
- - - - - - - -       Black's pieces in reserve:
- - - - - - - -
- - - - n - - -       rrbbn-qk
- - - - - - - -       pppppppp
- - - - - B - -
- - - - P - - -
- - - - - - - -       White's pieces in reserve:
- - - - - - - -
                      RRB-NNQK
                      PPPPPPP-
"
    .to_owned()
        + tail;
    shown(&["--as", "post"], &post);
    shown(&["--as", "bbcode"], &format!("[code]\n{post}[/code]\n"));
    shown(&["--as", "markdown"], &format!("```\n{post}```\n"));
    let indented: String = post
        .lines()
        .map(|line| format!("    {line}"))
        .map(|line| line.trim_end().to_owned() + "\n")
        .collect();
    shown(&["--as", "markdown", "--indent"], &indented);
    let coords = "\
8  - - - - - - - -       Black's pieces in reserve:
7  - - - - - - - -
6  - - - - n - - -       rrbbn-qk
5  - - - - - - - -       pppppppp
4  - - - - - B - -
3  - - - - P - - -
2  - - - - - - - -       White's pieces in reserve:
1  - - - - - - - -
   a b c d e f g h       RRB-NNQK
                         PPPPPPP-
";
    shown(&["--as", "coords"], &(coords.to_owned() + tail));
    let marked = "\
1   -  -  -  -  -  -  -  -       White's pieces in reserve:
2   -  -  -  -  -  -  -  -
3   -  -  -  P  -  -  -  -       RRB-NNQK
4   -  -  B  -  -  -  -  -       PPPPPPP-
5   -  -  -  -  -  -  -  -
6   -  -  - vn  -  -  -  -
7   -  -  -  -  -  -  -  -       Black's pieces in reserve:
8   -  -  -  -  -  -  -  -
    h  g  f  e  d  c  b  a       rrbbn-qk
                                 pppppppp
";
    shown(&["--flip", "--mark"], marked);
    let unicode = "\
· · · · · · · ·       Black's pieces in reserve:
· · · · · · · ·
· · · · · · · ·       ♜♜♝♝♞·♛♚
· · · · · · ♞ ·       ♟︎♟︎♟︎♟︎♟︎♟︎♟︎♟︎
· · · · · · · ·
· · · · ♙ · · ·
· · · · · · · ·       White's pieces in reserve:
· · · · · · · ·
                      ♖♖♗♗♘♘♕♔
                      ♙♙♙♙♙♙♙·

White       Black

1.  P>e3    n>g5

White to move.
";
    shown(&["--as", "unicode", "--at", "2"], unicode);
}

#[test]
fn a_post_names_its_game_unless_that_is_plain_unachess() {
    let shown = |arguments: &[&str]| {
        let arguments = ["show", "--as", "post"].iter().chain(arguments);
        let output = parapost(arguments).stdin("1. K>e1 k>e8").any_stdout();
        output.run().stdout
    };
    let board = "- - - - k - - -       Black's pieces in reserve:\n";
    assert!(shown(&[]).starts_with(board));
    for (arguments, header) in [
        (
            ["--game", "parachute"].as_slice(),
            "Game: Parachute chess\n",
        ),
        (
            &["--option", "pawns-1-4", "--option", "no-double-step"],
            "Game: Unachess\nOptions: no-double-step, pawns-1-4\n",
        ),
    ] {
        let post = shown(arguments);
        assert!(post.starts_with(&format!("{header}\n{board}")), "{post}");
    }
}

#[test]
#[ignore = "takes long"]
fn a_diagram_alone_in_every_dress() {
    let plain = parapost(["show"]).stdin(SHOGI).any_stdout().run().stdout;
    assert!(
        plain.starts_with(" - -+r - - - - -+N       Gote's pieces in reserve:\n"),
        "{plain}"
    );
    for form in POSTS.iter().chain([&OutputFormat::Diagram]) {
        for flags in [
            vec![],
            vec!["--flip"],
            vec!["--mark"],
            vec!["--flip", "--mark"],
        ] {
            // A picture has no pieces that need a mark.
            if !form.is_text() && flags.contains(&"--mark") {
                continue;
            }
            let name = form.to_string();
            let arguments = ["show", "--as", name.trim_matches('\'')];
            let shown = parapost(arguments.iter().chain(&flags))
                .stdin(SHOGI)
                .any_stdout()
                .run()
                .stdout;
            // The diagram itself does not say what it is of.
            let game: &[&str] = match form {
                OutputFormat::Diagram => &["--game", "shogi"],
                _ => &[],
            };
            for command in ["show", "check"] {
                let read = parapost([command].iter().chain(game)).stdin(shown.clone());
                let found = if command == "check" {
                    "-: Shogi, a position\n"
                } else {
                    ""
                };
                read.stdout(plain.clone()).stderr(found).run();
            }
        }
    }
    let kanji = parapost(["show", "--as", "unicode"])
        .stdin(SHOGI)
        .any_stdout()
        .run()
        .stdout;
    assert_eq!(
        kanji,
        "Game: Shogi

\x20・ ・v龍 ・ ・ ・ ・ ・ 圭       Gote's pieces in reserve:
 ・ ・ ・ ・ ・ ・v玉 ・ ・
 ・ と ・ ・ ・ ・ ・ ・ ・       ・・・・・・・・・・
 ・ ・ ・ ・v馬 ・ ・ ・ ・       歩・・・・・・・・
 ・ ・ ・vと ・ ・ ・ ・ ・
 ・ ・ ・ ・ ・ 龍 ・ ・ ・
 ・ ・ ・ ・ ・ ・ ・ ・v杏
 ・ ・ 玉 ・ ・ ・ ・ ・ ・       Sente's pieces in reserve:
v全 ・ ・ ・v圭 ・ 馬 全 杏
                                  ・・金金・・・・・・
                                  歩・・・・・・・・
"
    );
    for form in ["fen", "json"] {
        parapost(["show", "--as", form])
            .stdin(SHOGI)
            .status(1)
            .stderr_contains("does not tell who is to move")
            .run();
    }
    parapost(["show", "--at", "0"])
        .stdin(SHOGI)
        .status(1)
        .stderr_contains("the list of moves is needed")
        .run();
}

#[test]
fn a_form_that_there_is_not_or_that_cannot_do_it_is_wrong_usage() {
    parapost(["show", "--as", "html4"])
        .status(2)
        .stderr_contains(
            "[possible values: diagram, post, coords, unicode, bbcode, markdown, fen, json, pgn, kif, svg, png, gif, words, html]",
        )
        .run();
    for (arguments, why) in [
        (
            ["--as", "fen", "--flip"],
            "the form 'fen' has no board to flip",
        ),
        (
            ["--as", "json", "--mark"],
            "the form 'json' has no board to mark",
        ),
        (
            ["--as", "bbcode", "--indent"],
            "only the form 'markdown' is indented",
        ),
    ] {
        let arguments = ["show"].iter().chain(&arguments);
        parapost(arguments)
            .stdin(LIST)
            .status(2)
            .stderr_contains(why)
            .run();
    }
}

/// A link to a pipe without a name, as `/dev/stdout` is, was replaced by a
/// file.
#[cfg(unix)]
#[test]
fn a_link_to_a_pipe_stays_one() {
    let here = Sandbox::new().file("list.txt", LIST);
    std::os::unix::fs::symlink("/proc/self/fd/1", here.path("out")).unwrap();
    here.parapost(["show", "--as", "fen", "-o", "out", "list.txt"])
        .stdout("8/8/4n3/8/5B2/4P3/8/8[RRBNNQKPPPPPPPrrbbnqkpppppppp] w - - 1 3\n")
        .run();
    assert!(here.path("out").is_symlink());
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let here = Sandbox::new()
        .file("list.txt", LIST)
        .file("old.txt", "old\n")
        .file("sub/there.txt", "");
    let fen = "8/8/4n3/8/5B2/4P3/8/8[RRBNNQKPPPPPPPrrbbnqkpppppppp] w - - 1 3\n";
    let show = |output: &str| here.parapost(["show", "--as", "fen", "-o", output, "list.txt"]);
    show("new.txt").run();
    show("old.txt").run();
    for name in ["new.txt", "old.txt"] {
        assert_eq!(here.read(name), fen);
    }
    show("-").stdout(fen).run();
    // The input may be the output.
    here.parapost(["show", "--as", "markdown", "-o", "list.txt", "list.txt"])
        .run();
    assert!(here.read("list.txt").starts_with("```\n- - -"));
    show("sub").status(1).stderr_contains("sub").run();
    show("none/new.txt")
        .status(1)
        .stderr_contains("none/new.txt")
        .run();
    here.parapost(["show", "--at", "9", "-o", "old.txt", "list.txt"])
        .status(1)
        .stderr_contains("only 4 half-moves")
        .run();
    assert_eq!(
        here.read("old.txt"),
        fen,
        "what cannot be shown replaces nothing"
    );
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("sub/there.txt", here.path("link.txt")).unwrap();
        show("link.txt").run();
        assert_eq!(here.read("sub/there.txt"), fen);
        assert!(here.path("link.txt").is_symlink());
        show("/dev/null").run();
        assert!(
            !std::path::Path::new("/dev/null").is_file(),
            "a device stays one"
        );
    }
    let names: Vec<_> = here.contents().into_iter().map(|(name, _)| name).collect();
    assert!(
        names
            .iter()
            .all(|name| !name.to_string_lossy().contains("tmp")),
        "{names:?}"
    );
}

/// A page may go by mail, and be kept by the hundred: at most 400 kB for 200 moves. A
/// random game that ends sooner may have its part of what the positions take.
#[test]
#[ignore = "takes long"]
fn a_page_of_two_hundred_moves_is_short() {
    const FIXED: usize = 120_000;
    let mut rng = Rng::with_seed(400);
    for game in games::ALL {
        let variant = Variant::new(game, &[]).unwrap();
        let longest = (0..12)
            .map(|_| playing::game(&variant, 400, &mut rng))
            .max_by_key(|record| record.steps().len())
            .unwrap();
        let plies = longest.steps().len();
        let page = OutputFormat::Html
            .render(&View::of(&longest), &Style::default())
            .unwrap();
        let most = FIXED + (400_000 - FIXED) * plies / 400;
        assert!(plies > 60, "{}: {plies}", game.id);
        assert!(page.len() <= most, "{} {plies}: {}", game.id, page.len());
    }
}

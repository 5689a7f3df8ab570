//! Pictures: what is in them, in SVG and in PNG.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use parapost::command;
use parapost::command::context::{Io, Status};
use parapost::notation::judge;
use parapost::render::annotation::{Annotations, Coords};
use parapost::render::picture::{LEAST_WITH_RESERVES, Picture, SIZES, Theme, svg};
use parapost::render::raster::png;
use parapost::render::view::View;
use parapost::rules::{Color, Piece, Ply, Position, Record, Setup, Side, Variant, games};
use resvg::usvg::roxmltree::{Document, Node};

use crate::playing;
use crate::support::{Sandbox, parapost};

const LIST: &str = "1. P>e3 n>g5 2. B>f4 n-e6\n";

fn record(game: &str, moves: &str) -> Record {
    let variant = Variant::find(game, &[]).unwrap();
    judge::record(moves, &variant).unwrap()
}

fn from_fen(game: &str, fen: &str) -> Record {
    let variant = Variant::find(game, &[]).unwrap();
    let setup = Setup::from_fen(&variant, fen).unwrap();
    Record::new(Position::from_setup(&variant, &setup).unwrap())
}

/// The names and attributes that a picture may have: nothing leads out of it, runs, or needs a font.
const ELEMENTS: [&str; 9] = [
    "svg", "title", "desc", "defs", "g", "path", "rect", "circle", "use",
];

/// A picture as XML whose every reference leads to a piece that it defines, and which uses all it defines.
fn assert_sound(markup: &str) {
    let document = Document::parse(markup).unwrap_or_else(|error| panic!("{error}\n{markup}"));
    let mut defined = BTreeSet::new();
    let mut used = BTreeSet::new();
    for node in document.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        assert!(ELEMENTS.contains(&name), "{name}");
        for attribute in node.attributes() {
            let value = attribute.value();
            match attribute.name() {
                "id" => assert!(defined.insert(value), "{value} twice"),
                "href" => {
                    used.insert(value.strip_prefix('#').expect("a piece of this picture"));
                }
                name => {
                    assert!(!name.starts_with("on") && name != "style", "{name}");
                    assert!(
                        !value.contains(['#', ':', '(']) || is_plain(value),
                        "{value}"
                    );
                }
            }
        }
    }
    assert_eq!(defined, used);
    for name in ["title", "desc"] {
        let mut all = document.descendants();
        let named = all.find(|node| node.tag_name().name() == name);
        let text = named.and_then(|node| node.text()).unwrap_or_default();
        assert!(!text.trim().is_empty(), "{name}");
    }
    assert!(markup.is_ascii());
}

/// A colour or a transformation.
fn is_plain(value: &str) -> bool {
    let is_color = value
        .strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.chars().all(|c| c.is_ascii_hexdigit()));
    is_color
        || ["translate(", "rotate(", "scale("]
            .iter()
            .any(|word| value.starts_with(word))
}

#[test]
fn every_picture_is_sound_and_stands_alone() {
    let mut rng = fastrand::Rng::with_seed(12);
    for variant in crate::variants::variants() {
        let record = playing::game(&variant, rng.usize(..60), &mut rng);
        let picture = Picture {
            size: rng.u32(LEAST_WITH_RESERVES..=*SIZES.end()),
            is_flipped: rng.bool(),
            theme: *rng
                .choice(&[Theme::Light, Theme::Dark, Theme::Framed])
                .unwrap(),
            has_letters: rng.bool(),
            is_compact: rng.bool(),
            annotations: Annotations {
                arrows: vec!["a1b3:red".parse().unwrap()],
                circles: vec!["c3,d4".parse().unwrap()],
                lights: vec!["h8:yellow".parse().unwrap()],
                caption: Some("Übung: White's move & \"mate\" <in> 2?".to_owned()),
                coords: Some(
                    *rng.choice(&[Coords::Out, Coords::In, Coords::None])
                        .unwrap(),
                ),
            },
        };
        assert_sound(&svg(&View::of(&record), &picture).unwrap());
    }
}

/// The pixels of a picture, as brightness, with its width and height.
struct Pixels {
    width: usize,
    height: usize,
    bright: Vec<u8>,
}

fn pixels(file: &[u8]) -> Pixels {
    let mut decoder = ::png::Decoder::new(std::io::Cursor::new(file));
    decoder.set_transformations(::png::Transformations::EXPAND);
    let mut reader = decoder.read_info().unwrap();
    let mut data = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut data).unwrap();
    assert_eq!(
        info.color_type,
        ::png::ColorType::Rgb,
        "the palette is looked up"
    );
    let bright = data.chunks(3).map(|rgb| {
        let [red, green, blue] = [rgb[0], rgb[1], rgb[2]].map(u32::from);
        u8::try_from((299 * red + 587 * green + 114 * blue) / 1000).unwrap()
    });
    Pixels {
        width: info.width as usize,
        height: info.height as usize,
        bright: bright.collect(),
    }
}

fn drawn(record: &Record, picture: &Picture) -> Pixels {
    pixels(&png(&View::of(record), picture).unwrap())
}

impl Pixels {
    /// The part of the picture that a square takes, of a board with the first player's side below.
    fn square(&self, name: &str, width: usize) -> Vec<u8> {
        let name = name.as_bytes();
        let (file, rank) = (usize::from(name[0] - b'a'), usize::from(name[1] - b'1'));
        let whole = 46 + 14 + 100 * width;
        // What is below the board is 38 higher than what is above it.
        let scaled = |length: usize| length * self.width / whole;
        let (side, left) = (scaled(100), scaled(46 + 100 * file));
        let board_end = usize::midpoint(self.height, scaled(100 * width) - scaled(38));
        let top = board_end - (rank + 1) * side;
        let rows = top..top + side;
        rows.flat_map(|row| {
            let start = row * self.width + left;
            self.bright[start..start + side].iter().copied()
        })
        .collect()
    }
}

/// How much two squares differ: the mean difference of their brightness.
fn difference(one: &[u8], other: &[u8]) -> f64 {
    let sum: u64 = one
        .iter()
        .zip(other)
        .map(|(one, other)| u64::from(one.abs_diff(*other)))
        .sum();
    #[allow(clippy::cast_precision_loss, reason = "a few thousand pixels")]
    let mean = sum as f64 / one.len() as f64;
    mean
}

#[test]
fn a_picture_of_pixels_has_the_size_that_was_asked_for() {
    let record = record("unachess", "1. P>e3");
    for size in [160, 480, 481, 1600] {
        let picture = Picture {
            size,
            ..Picture::default()
        };
        let pixels = drawn(&record, &picture);
        assert_eq!(pixels.width, size as usize);
        let markup = svg(&View::of(&record), &picture).unwrap();
        let height = format!("width=\"{size}\" height=\"{}\"", pixels.height);
        assert!(markup.contains(&height), "{height}");
        let expected = pixels.width * 1110 / 860;
        assert!(pixels.height.abs_diff(expected) <= 1, "{}", pixels.height);
    }
    for size in [0, 63, 4097, u32::MAX] {
        let picture = Picture {
            size,
            ..Picture::default()
        };
        let error = png(&View::of(&record), &picture).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("a picture is 64 to 4096 pixels wide, not {size}")
        );
    }
    // The numbers in reserve need more room than a board without them.
    let small = Picture {
        size: 64,
        ..Picture::default()
    };
    let error = png(&View::of(&record), &small).unwrap_err().to_string();
    assert!(
        error.contains("must be at least 160 pixels wide, not 64"),
        "{error}"
    );
    let start = Record::new(Variant::find("chess", &[]).unwrap().start());
    assert_eq!(drawn(&start, &small).width, 64);
}

/// The square e5 of a picture that shows nothing but a piece on it.
fn alone(game: &str, piece: Piece, more: &[&str]) -> Vec<u8> {
    let variant = Variant::find(game, &[]).unwrap();
    let width = usize::from(variant.rules().width);
    let row = |rank: usize| {
        let sign = |file: usize| match (file, rank) {
            (4, 4) => format!("{piece:>2}"),
            _ => " -".to_owned(),
        };
        (0..width).map(sign).collect::<String>() + "\n"
    };
    let rows: String = (0..width).rev().map(row).collect();
    let here = Sandbox::new().file("one.txt", format!("Rules: {game}\n\n{rows}"));
    let line = ["show", "--as", "png", "--size", "320", "-o", "one.png"];
    here.parapost(line.iter().chain(more).chain(&["one.txt"]))
        .stderr_contains("warning: no game can reach this position")
        .run();
    pixels(&fs::read(here.path("one.png")).unwrap()).square("e5", width)
}

#[test]
#[ignore = "takes long"]
fn roles_and_sides_differ_by_more_than_colour() {
    for (game, more) in [
        ("chess", &[][..]),
        ("shogi", &[]),
        ("shogi", &["--letters"]),
    ] {
        let variant = Variant::find(game, &[]).unwrap();
        let roles = variant.rules().kinds.iter().map(|kind| kind.role);
        let pieces = roles.flat_map(|role| Color::ALL.map(|color| Piece { color, role }));
        let drawn: Vec<(Piece, Vec<u8>)> = pieces
            .map(|piece| (piece, alone(game, piece, more)))
            .collect();
        for (at, (piece, shown)) in drawn.iter().enumerate() {
            for (other, differs) in &drawn[..at] {
                let far = difference(shown, differs);
                assert!(far > 3.0, "{game} {more:?}: {piece} {other}: {far}");
            }
        }
    }
}

/// What each mark is: the position, the square, and another position that differs by the mark alone.
#[test]
fn what_happened_is_marked_and_not_by_colour_alone() {
    let picture = Picture {
        size: 320,
        ..Picture::default()
    };
    let plain = |record: &Record| {
        let fen = record.position().fen();
        from_fen(record.position().variant().game().id, &fen)
    };
    // The squares of a move, of a drop, of castling, of a relocation with its pawn, of a placement.
    let mut castled = from_fen("chess", "4k3/8/8/8/8/8/8/4K2R w K");
    castled.play(&Ply::Castle(Side::King)).unwrap();
    for (record, marked, plain_ones) in [
        (
            record("chess", "1. P-e4"),
            &["e2", "e4"][..],
            &["d2", "c3"][..],
        ),
        (record("unachess", "1. P>e3 n>g5"), &["g5"], &["e3", "c5"]),
        (castled, &["e1", "f1", "g1", "h1"], &["e8", "c1"]),
        (
            record("newchess", "1. N>a2/e4"),
            &["a2", "e4"],
            &["f2", "h3"],
        ),
        (
            record("kingchess", "1. K>b1,B>b2,P>c2"),
            &["b1", "b2", "c2"],
            &["h1"],
        ),
    ] {
        let other = plain(&record);
        let width = usize::from(record.position().variant().rules().width);
        let [shown, without] = [&record, &other].map(|record| drawn(record, &picture));
        let far = |name| difference(&shown.square(name, width), &without.square(name, width));
        for name in marked {
            let far = far(name);
            assert!(far > 5.0, "{name}: {far}");
        }
        for name in plain_ones {
            let far = far(name);
            assert!(far < 3.0, "{name}: {far}");
        }
    }
    // A king aimed at: virtual, real. The same square without it.
    let virtual_check = record("unachess", "1. K>h1 n>f2 !+");
    let check = record("unachess", "1. K>h1 n>f2 !+ 2. Q>g3 k>d8 +");
    let quiet = record("unachess", "1. K>h1 n>f3");
    let [quiet, aimed, checked] =
        [&quiet, &virtual_check, &check].map(|record| drawn(record, &picture).square("h1", 8));
    for (one, other) in [(&quiet, &aimed), (&quiet, &checked), (&aimed, &checked)] {
        let far = difference(one, other);
        assert!(far > 5.0, "{far}");
    }
}

#[test]
fn whose_turn_it_is_and_how_it_ended_is_seen() {
    let picture = Picture {
        size: 160,
        ..Picture::default()
    };
    let draw = |moves: &str| drawn(&record("unachess", moves), &picture);
    let [white, black] = ["1. P>e3 n>g5", "1. P>e3"].map(draw);
    let strip = |pixels: &Pixels, is_above: bool| {
        let rows = 20 * pixels.width;
        if is_above {
            pixels.bright[..rows].to_vec()
        } else {
            pixels.bright[pixels.bright.len() - rows..].to_vec()
        }
    };
    for is_above in [true, false] {
        let far = difference(&strip(&white, is_above), &strip(&black, is_above));
        assert!(far > 3.0, "{far}");
    }
    let mated = record("chess", "1. P-f3 p-e5 2. P-g4 q-h4");
    let markup = svg(&View::of(&mated), &Picture::default()).unwrap();
    let title =
        "<title>Chess. Last move: 2... q-h4 #. Black has won by checkmate. White: king on e1;";
    assert!(markup.contains(title), "{markup}");
    // The score stands where the turn was told.
    let going_on = svg(&View::of(&mated.until(3)), &Picture::default()).unwrap();
    let told = |markup: &str| (markup.contains("h36l-18"), markup.contains("scale(0.800)"));
    assert_eq!(told(&markup), (false, true));
    assert_eq!(told(&going_on), (true, false));
}

#[test]
fn a_match_that_was_given_up_shows_its_score_and_no_turn() {
    let config = "[me]\nname = \"Anna\"\naddress = \"anna@example.org\"\n";
    let sandbox = Sandbox::new().file("config.toml", config);
    let run = |arguments: &[&str]| {
        let global = ["--config", "config.toml", "--games", "g"];
        let line = global.iter().chain(arguments);
        let test = sandbox.parapost(line).any_stdout().any_stderr();
        test.run().stdout
    };
    let shown = |more: &[&str]| {
        let markup = run(&[&["show", "--as", "svg", "one"], more].concat());
        (markup.contains("h36l-18"), markup.contains("scale(0.800)"))
    };
    let white = ["--white", "Anna <anna@example.org>"];
    let black = ["--black", "Ben <ben@example.test>"];
    let new = ["new", "--id", "one", "--game", "unachess"];
    run(&[&new[..], &white, &black].concat());
    run(&["move", "one", "P>e3"]);
    assert_eq!(shown(&[]), (true, false));
    run(&["resign", "one", "--yes"]);
    assert_eq!(shown(&[]), (false, true));
    assert_eq!(shown(&["--at", "0"]), (true, false));
}

#[test]
fn a_picture_of_pixels_goes_to_a_file_and_not_to_a_terminal() {
    let here = Sandbox::new().file("list.txt", LIST);
    here.parapost(["show", "--as", "png", "-o", "board.png", "list.txt"])
        .run();
    let file = fs::read(here.path("board.png")).unwrap();
    assert!(file.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(pixels(&file).width, 480);
    let run = |is_shown: bool, more: &[&str]| {
        let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
        let line = ["parapost", "show", "--as", "png"].iter().chain(more);
        let status = command::run(
            line.map(Into::into),
            Io {
                stdin: &mut LIST.as_bytes(),
                stdout: &mut stdout,
                stderr: &mut stderr,
                is_terminal: is_shown,
                is_shown,
            },
            None,
        );
        (status, stdout, String::from_utf8(stderr).unwrap())
    };
    let (status, stdout, _) = run(false, &[]);
    assert_eq!((status, stdout), (Status::Done, file));
    for more in [&[][..], &["-o", "-"]] {
        let (status, stdout, stderr) = run(true, more);
        assert_eq!((status, stdout), (Status::Usage, Vec::new()));
        assert!(stderr.contains("name a file with -o"), "{stderr}");
    }
}

#[test]
fn what_is_no_picture_has_no_size_and_a_picture_no_mark() {
    for (arguments, why) in [
        (
            &["--size", "200"][..],
            "--size, --theme and --letters need --as svg, png or gif",
        ),
        (
            &["--as", "post", "--letters"],
            "--size, --theme and --letters need --as svg, png or gif",
        ),
        (
            &["--as", "json", "--theme", "dark"],
            "--size, --theme and --letters need --as svg, png or gif",
        ),
        (
            &["--as", "svg", "--mark"],
            "the form 'svg' has no board to mark",
        ),
        (
            &["--as", "png", "--indent"],
            "only the form 'markdown' is indented",
        ),
        (&["--as", "svg", "--size", "63"], "63 is not in 64..=4096"),
        (
            &["--as", "png", "--size", "4097"],
            "4097 is not in 64..=4096",
        ),
        (
            &["--as", "svg", "--theme", "red"],
            "[possible values: light, dark]",
        ),
    ] {
        let arguments = ["show"].iter().chain(arguments);
        parapost(arguments)
            .stdin(LIST)
            .status(2)
            .stderr_contains(why)
            .run();
    }
}

/// What stands in tags is no move, and what stands beside them is one.
#[test]
fn a_picture_hides_no_move() {
    let list = "1. P>e3 n>g5 2. B>f4 <g>n-e6</g>\n<svg> 3. N>e4\n";
    let out = parapost(["check"])
        .stdin(list)
        .any_stdout()
        .stderr("-: Unachess, 5 half-moves, Black to move\n")
        .run()
        .stdout;
    assert!(out.ends_with("2.  B>f4    n-e6\n3.  N>e4\n"), "{out}");
}

/// The picture in the README is what the command beside it makes today. After a change of pictures:
/// `cargo run -- show --as svg --at 22 games/unachess.txt -o docs/position.svg`.
#[test]
fn the_picture_of_the_readme_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let line = "parapost show --as svg --at 22 -o docs/position.svg games/unachess.txt";
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    assert!(readme.contains("<img src=\"docs/position.svg\"") && readme.contains(line));
    let kept = fs::read_to_string(root.join("docs/position.svg")).unwrap();
    let sample = fs::read_to_string(root.join("games/unachess.txt")).unwrap();
    let made = parapost(["show", "--as", "svg", "--at", "22"])
        .stdin(sample)
        .any_stdout()
        .run()
        .stdout;
    assert!(kept == made, "make it again: {line}");
}

/// The gallery is what the commands in it make today. After a change of pictures run them in the root of the checkout.
#[test]
fn the_gallery_is_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let gallery = fs::read_to_string(root.join("docs/gallery.md")).unwrap();
    let here = Sandbox::new();
    for game in games::ALL {
        let id = game.id;
        for (page, folder) in [(&readme, "docs/pictures"), (&gallery, "pictures")] {
            let picture = format!("<img src=\"{folder}/{id}.svg\" alt=\"{} after ", game.name);
            assert!(page.contains(&picture), "{picture}");
        }
    }
    let shown: Vec<&str> = gallery
        .split("<img src=\"pictures/")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .collect();
    let lines = gallery.lines().map(str::trim);
    let lines = lines.filter(|line| line.starts_with("parapost show "));
    let mut made = Vec::new();
    for line in lines {
        let (_, name) = line.split_once("-o docs/pictures/").unwrap();
        let (name, _) = name.split_once(' ').unwrap();
        // Quotation marks are around the caption alone.
        let (before, caption) = line.split_once(" \"").unwrap_or((line, ""));
        let (caption, behind) = caption.split_once("\" ").unwrap_or_default();
        let words = before
            .split(' ')
            .chain(Some(caption))
            .chain(behind.split(' '));
        let words = words.skip(1).filter(|word| !word.is_empty());
        let words = words.map(|word| match word {
            word if word.starts_with("docs/") => name.to_owned(),
            word if word.starts_with("games/") => root.join(word).to_str().unwrap().to_owned(),
            word => word.to_owned(),
        });
        here.parapost(words.collect::<Vec<String>>()).run();
        let file = fs::read(here.path(name)).unwrap();
        let kept = fs::read(root.join("docs/pictures").join(name)).unwrap();
        assert!(kept == file, "make it again: {line}");
        let most = if line.contains("--as gif") {
            150_000
        } else {
            20_000
        };
        assert!(kept.len() < most, "{name}: {} bytes", kept.len());
        made.push(name);
    }
    assert_eq!(made, shown);
    assert!(made.len() > games::ALL.len() + 3);
}

#[test]
#[ignore = "takes long"]
fn all_games_have_pictures_of_their_start() {
    for game in games::ALL {
        let record = Record::new(Variant::new(game, &[]).unwrap().start());
        for theme in [Theme::Light, Theme::Dark, Theme::Framed] {
            let picture = Picture {
                size: 160,
                theme,
                ..Picture::default()
            };
            let start = drawn(&record, &picture);
            let different: BTreeSet<u8> = start.bright.iter().copied().collect();
            assert!(different.len() > 50, "{}: {}", game.id, different.len());
            let compact = Picture {
                is_compact: true,
                ..picture
            };
            let compact = drawn(&record, &compact);
            let different: BTreeSet<u8> = compact.bright.iter().copied().collect();
            assert!((8..=16).contains(&different.len()), "{}", different.len());
        }
    }
}

/// Two pictures on one page: an id stands for one drawing, whatever picture it is of.
#[test]
fn ids_of_two_pictures_are_the_same_for_the_same_drawing_alone() {
    let mut drawings = BTreeMap::new();
    for (game, has_letters) in [("chess", false), ("shogi", false), ("shogi", true)] {
        for is_flipped in [false, true] {
            let record = Record::new(Variant::find(game, &[]).unwrap().start());
            let picture = Picture {
                has_letters,
                is_flipped,
                ..Picture::default()
            };
            let markup = svg(&View::of(&record), &picture).unwrap();
            for line in markup.lines().filter(|line| line.starts_with("<g id=")) {
                let (id, drawing) = line.split_once('>').unwrap();
                let known = drawings
                    .entry(id.to_owned())
                    .or_insert_with(|| drawing.to_owned());
                assert_eq!(known, drawing, "{id}");
            }
        }
    }
    assert!(drawings.len() > 12 + 28, "{}", drawings.len());
}

/// The board of a picture is where its coordinates leave it, and each drawing is on its square.
#[test]
fn drawings_are_on_their_squares() {
    let record = Record::new(Variant::find("chess", &[]).unwrap().start());
    let plain = Picture::default();
    let without = drawn(&record, &plain);
    for (annotations, marked, quiet) in [
        (
            Annotations {
                arrows: vec!["e3e6".parse().unwrap()],
                ..Annotations::default()
            },
            &["e4", "e5"][..],
            &["d4", "f5"][..],
        ),
        (
            Annotations {
                circles: vec!["d5,e4:blue".parse().unwrap()],
                ..Annotations::default()
            },
            &["d5", "e4"],
            &["d4", "e5"],
        ),
        (
            Annotations {
                lights: vec!["c3,c4:yellow".parse().unwrap()],
                ..Annotations::default()
            },
            &["c3", "c4"],
            &["c5", "b3"],
        ),
    ] {
        let shown = drawn(
            &record,
            &Picture {
                annotations,
                ..plain.clone()
            },
        );
        let far = |name: &str| difference(&shown.square(name, 8), &without.square(name, 8));
        for name in marked {
            assert!(far(name) > 5.0, "{name}: {}", far(name));
        }
        for name in quiet {
            assert!(far(name) < 1.0, "{name}: {}", far(name));
        }
    }
}

/// A page draws on the board what a picture draws, with other words for readers who do not see it.
#[test]
fn a_page_has_the_drawings_of_a_picture() {
    let sandbox = Sandbox::new();
    for game in games::ALL {
        let file = format!("{}/games/{}.txt", env!("CARGO_MANIFEST_DIR"), game.id);
        let shown = |form: &str| {
            let drawn = [
                "--arrow", "b2d7:red", "--circle", "c3:blue", "--light", "h8",
            ];
            let words = [
                "show",
                "--as",
                form,
                "--at",
                "8",
                &file,
                "--caption",
                "Look",
            ];
            let run = sandbox.parapost(words.iter().chain(&drawn));
            let markup = run.any_stdout().any_stderr().run().stdout;
            let (_, markup) = markup.split_once("<svg").expect("a picture");
            let (_, markup) = markup.split_once('>').expect("its tag");
            let (markup, _) = markup.split_once("</svg>").expect("its end");
            let words = markup.rsplit_once("</desc>");
            words
                .map_or(markup, |(_, drawing)| drawing)
                .trim()
                .to_owned()
        };
        let picture = shown("svg");
        assert!(picture.contains("#d2291f"), "no red arrow: {picture}");
        assert_eq!(shown("html"), picture, "{}", game.id);
    }
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    for (arguments, why) in [
        (
            &["--arrow", "e2"][..],
            "an arrow needs two squares, as in '--arrow e2e4'",
        ),
        (
            &["--arrow", "e2e2"],
            "an arrow needs two squares, as in '--arrow e2e4'",
        ),
        (
            &["--arrow", "e2z4"],
            "'e2z4' is not a list of squares: write 'e4'",
        ),
        (&["--circle", "a1-h8"], "'a1-h8' is not a list of squares"),
        (&["--circle", "d5,"], "'d5,' is not a list of squares"),
        (&["--arrow", "e2e4:"], "'' is not a colour here"),
        (&["--circle", "i9"], "this board has no square i9"),
        (&["--light", "e4:pink"], "'pink' is not a colour here"),
        (
            &["--caption", "Ходят белые"],
            "a caption cannot have 'Х': it can have Latin letters, digits",
        ),
        (&["--coords", "shogi"], "needs a board of shogi"),
        (&["--from", "1"], "--from, --to and --delay need --as gif"),
    ] {
        let arguments = ["show", "--as", "svg"].iter().chain(arguments);
        parapost(arguments)
            .stdin(LIST)
            .status(2)
            .stderr_contains(why)
            .run();
    }
    parapost(["show", "--as", "post", "--caption", "x"])
        .stdin(LIST)
        .status(2)
        .stderr_contains("--arrow, --circle, --light, --caption and --coords need --as svg")
        .run();
}

/// A caption is a line of words wherever it stands, and no line of the text that is read back.
#[test]
fn a_caption_is_one_line() {
    let here = Sandbox::new().file("list.txt", LIST);
    let shown = |form: &str, caption: &str| {
        let line = ["show", "--as", form, "--caption", caption, "list.txt"];
        here.parapost(line).any_stdout().run().stdout
    };
    let caption = "“1. P>a2” …\n\n3. N>c3\t<b>&\r\nWhite’s – move";
    let svg = shown("svg", caption);
    let title = "<title>\"1. P>a2\" ... 3. N>c3 &lt;b>&amp; White's - move. Unachess. Last move";
    assert!(svg.contains(title), "{svg}");
    parapost(["check"])
        .stdin(svg)
        .stdout_contains("2.  B>f4    n-e6\n")
        .stderr("-: Unachess, 4 half-moves, White to move\n")
        .run();
    let page = shown("html", caption);
    let words = "... 3. N>c3 &lt;b>&amp; White's - move</bdi>";
    assert!(page.contains(words), "{page}");
    for empty in ["", " \n"] {
        let svg = shown("svg", empty);
        assert!(svg.contains("<title>Unachess. Last move"), "{svg}");
    }
}

/// The squares of a kind are in the order of the ranks, from the reader's side.
#[test]
fn words_go_through_the_ranks_from_the_reader_s_side() {
    for (more, squares) in [
        (&[][..], "pawns on c2, b3 and a4"),
        (&["--flip"], "pawns on a4, b3 and c2"),
    ] {
        let fen = [
            "show",
            "--as",
            "words",
            "--fen",
            "4k3/8/8/8/P7/1P6/2P5/4K3 w - - 0 1",
        ];
        parapost(fen.iter().chain(more))
            .stdout_contains(squares)
            .any_stderr()
            .run();
    }
}

/// A diagram alone says whose turn it is, where that is known, in every form.
#[test]
fn a_diagram_alone_says_whose_turn_it_is() {
    let rows = "- - - - k - - -\n- - - - - - - -\n- - - - - - - -\n- - - - - - - -\n".to_owned()
        + "- - - - - - - -\n- - - - - - - -\n- - - - - - - -\n- - - - - - - -\n\nBlack to move.\n";
    let text = format!("Rules: chess\n\n{rows}");
    for (form, words) in [
        ("post", "\nBlack to move.\n"),
        ("markdown", "\nBlack to move.\n"),
        ("words", "\nBlack to move.\n"),
        ("svg", "<title>Chess. Black to move. White: no piece"),
        ("svg", "h36l-18"),
    ] {
        parapost(["show", "--as", form])
            .stdin(text.as_str())
            .any_stderr()
            .stdout_contains(words)
            .run();
    }
}

/// A picture says in words what it shows, for people who do not see it.
#[test]
fn pixels_have_their_words() {
    let record = record("unachess", LIST);
    let file = png(&View::of(&record), &Picture::default()).unwrap();
    let reader = ::png::Decoder::new(std::io::Cursor::new(file))
        .read_info()
        .unwrap();
    let chunk = &reader.info().utf8_text[0];
    let words = chunk.get_text().unwrap();
    assert_eq!(chunk.keyword, "Description");
    assert!(
        words.starts_with("Unachess. Last move: 2... n-e6. White to move. White: bishop on f4; pawn on e3. In reserve:"),
        "{words}"
    );
}

/// Each frame of a moving picture, laid over those before it, is the picture of its position.
#[test]
fn a_moving_picture_shows_each_position() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (game, form) in [("unachess", "light"), ("shogi", "dark")] {
        let sample = root.join(format!("games/{game}.txt"));
        let sample = sample.to_str().unwrap();
        let here = Sandbox::new();
        let look = ["--size", "360", "--theme", form];
        let line = [
            "show", "--as", "gif", "-o", "game.gif", "--delay", "500", "--from", "3", "--to", "45",
        ];
        here.parapost(line.iter().chain(&look).chain(&[sample]))
            .run();
        let file = fs::read(here.path("game.gif")).unwrap();
        assert!(file.len() < 1_000_000, "{}", file.len());
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(file.as_slice()).unwrap();
        let palette = decoder.global_palette().unwrap().to_vec();
        let width = usize::from(decoder.width());
        let mut shown = vec![0; width * usize::from(decoder.height())];
        let mut plies = 3;
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            assert_eq!(frame.delay, if plies == 45 { 200 } else { 50 }, "{plies}");
            let rows = frame.buffer.chunks(usize::from(frame.width));
            for (row, top) in rows.zip(usize::from(frame.top)..) {
                for (color, left) in row.iter().zip(usize::from(frame.left)..) {
                    if Some(*color) != frame.transparent {
                        shown[top * width + left] = *color;
                    }
                }
            }
            if plies % 9 == 0 {
                let at = plies.to_string();
                let still = ["show", "--as", "png", "-o", "still.png", "--at", &at];
                here.parapost(still.iter().chain(&look).chain(&[sample]))
                    .run();
                let still = pixels(&fs::read(here.path("still.png")).unwrap()).bright;
                let bright: Vec<u8> = shown
                    .iter()
                    .map(|color| {
                        let rgb = &palette[3 * usize::from(*color)..][..3];
                        let [red, green, blue] = [rgb[0], rgb[1], rgb[2]].map(u32::from);
                        u8::try_from((299 * red + 587 * green + 114 * blue) / 1000).unwrap()
                    })
                    .collect();
                let far = difference(&still, &bright);
                assert!(far < 2.0, "{game} {plies}: {far}");
            }
            plies += 1;
        }
        assert_eq!(plies, 46);
    }
}

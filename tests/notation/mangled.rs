//! Posts as forums, mailers and terminals give them back: each reads as the same position, or is
//! refused, and is never another one in silence.

use std::collections::HashMap;

use fastrand::Rng;
use parapost::notation::diagram::Diagram;
use parapost::notation::header;
use parapost::notation::judge::{self, GameChoice};
use parapost::notation::positions::alone::alone;
use parapost::notation::reader::posted;
use parapost::render::format::{OutputFormat, Style};
use parapost::render::view::View;
use parapost::rules::{Record, Square, games};

use crate::playing;
use crate::support::parapost;

type Mangling = (&'static str, fn(&str) -> String);

const MANGLINGS: [Mangling; 70] = [
    ("nothing", str::to_owned),
    ("leading blanks stripped", |text| {
        each(text, |line| line.trim_start().to_owned())
    }),
    ("trailing blanks stripped", |text| {
        each(text, |line| line.trim_end().to_owned())
    }),
    ("all blanks stripped", |text| {
        each(text, |line| line.trim().to_owned())
    }),
    ("blanks collapsed", |text| each(text, collapsed)),
    ("blanks stripped and collapsed", |text| {
        each(text, |line| collapsed(line).trim().to_owned())
    }),
    ("blanks doubled", |text| text.replace(' ', "  ")),
    ("blanks tripled", |text| text.replace(' ', "   ")),
    ("lines doubled", |text| text.replace('\n', "\n\n")),
    ("lines tripled", |text| text.replace('\n', "\n\n\n")),
    ("lines and blanks doubled", |text| {
        text.replace('\n', "\n\n").replace(' ', "  ")
    }),
    ("lines doubled, blanks stripped", |text| {
        each(text, |line| line.trim().to_owned() + "\n")
    }),
    ("empty lines lost", |text| {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        lines.flat_map(|line| [line, "\n"]).collect()
    }),
    ("rows of dashes lost", |text| {
        let is_rule = |line: &&str| line.trim().chars().all(|c| matches!(c, '-' | ' '));
        let lines = text
            .lines()
            .filter(|line| line.trim().is_empty() || !is_rule(line));
        lines.flat_map(|line| [line, "\n"]).collect()
    }),
    ("quoted", |text| before(text, "> ")),
    ("quoted twice", |text| before(text, ">> ")),
    ("quoted twice apart", |text| before(text, "> > ")),
    ("quoted close", |text| before(text, ">")),
    ("quoted by bars", |text| before(text, "| ")),
    ("quoted by colons", |text| before(text, ": ")),
    ("quoted by initials", |text| before(text, "AW> ")),
    ("quoted and lines doubled", |text| {
        before(&text.replace('\n', "\n\n"), "> ")
    }),
    ("quoted by entities", |text| before(text, "&gt; ")),
    ("indented by a tab", |text| before(text, "\t")),
    ("indented", |text| before(text, "    ")),
    ("tabs for blanks", |text| text.replace(' ', "\t")),
    ("tabs for wide gaps", |text| text.replace("    ", "\t")),
    ("escaped", escaped),
    ("escaped twice", |text| escaped(&escaped(text))),
    ("no-break blanks", |text| text.replace(' ', "\u{a0}")),
    ("every other blank no-break", |text| {
        text.replace("  ", "\u{a0} ")
    }),
    ("entities for blanks", |text| text.replace(' ', "&nbsp;")),
    ("entities for blanks, escaped", |text| {
        text.replace(' ', "&amp;nbsp;")
    }),
    ("numbers for blanks", |text| text.replace(' ', "&#160;")),
    ("entities for wide gaps", |text| {
        text.replace("  ", "&nbsp; ")
    }),
    ("no-break blanks in the wrong encoding", |text| {
        text.replace(' ', "Â\u{a0}")
    }),
    ("en blanks", |text| text.replace(' ', "\u{2002}")),
    ("thin blanks", |text| text.replace(' ', "\u{2009}")),
    ("narrow blanks", |text| text.replace(' ', "\u{202f}")),
    ("wide blanks", |text| text.replace(' ', "\u{3000}")),
    ("lines numbered 1:", |text| {
        numbered(text, |at| format!("{at}: "))
    }),
    ("lines numbered 01", |text| {
        numbered(text, |at| format!("{at:02} "))
    }),
    ("lines numbered 1", |text| {
        numbered(text, |at| format!("{at:>2} "))
    }),
    ("lines numbered 1.", |text| {
        numbered(text, |at| format!("{at}. "))
    }),
    ("lines numbered 1|", |text| {
        numbered(text, |at| format!("{at:>3} | "))
    }),
    ("lines numbered by tabs", |text| {
        numbered(text, |at| format!("{at}\t"))
    }),
    ("wrapped at 60", |text| wrapped(text, 60)),
    ("wrapped at 40", |text| wrapped(text, 40)),
    ("wrapped at 30", |text| wrapped(text, 30)),
    ("wrapped at 40 and quoted", |text| {
        before(&wrapped(text, 40), "> ")
    }),
    ("joined", |text| text.replace('\n', " ")),
    ("in BBCode", |text| {
        format!("[quote=Anna][code]{}[/code][/quote]\n", text.trim_end())
    }),
    ("in a block of BBCode", |text| {
        format!("[CODE]\n{text}[/CODE]\n")
    }),
    ("in a fence", |text| format!("Look:\n```text\n{text}```\n")),
    ("in a fence of tildes", |text| format!("~~~\n{text}~~~\n")),
    ("each line in bold", |text| {
        each(text, |line| format!("**{line}**"))
    }),
    ("each line as code", |text| {
        each(text, |line| format!("`{line}`"))
    }),
    ("bullets", |text| before(text, "• ")),
    ("bullets of dashes", |text| before(text, "- ")),
    ("smart quotes", |text| {
        text.replace('\'', "’").replace("--", "–")
    }),
    ("zero-width characters", |text| {
        text.replace(' ', "\u{200b} ").replace('-', "-\u{200d}")
    }),
    ("text figurines", |text| selected(text, '\u{fe0e}')),
    ("emoji", |text| selected(text, '\u{fe0f}')),
    ("line ends of Windows", |text| text.replace('\n', "\r\n")),
    ("breaks", |text| text.replace('\n', "<br>\n")),
    ("breaks alone", |text| text.replace('\n', "<br />")),
    ("paragraphs", |text| {
        each(text, |line| format!("<p>{line}</p>"))
    }),
    ("typographic dashes", |text| text.replace('-', "–")),
    ("minus signs", |text| text.replace('-', "−")),
    ("wide characters", wide),
];

/// Changes each line.
fn each(text: &str, way: impl Fn(&str) -> String) -> String {
    let mut all = String::new();
    for line in text.lines() {
        all += &way(line);
        all.push('\n');
    }
    all
}

fn collapsed(line: &str) -> String {
    let mut last = 'x';
    let kept = |c: &char| {
        let is_kept = *c != ' ' || last != ' ';
        last = *c;
        is_kept
    };
    line.chars().filter(kept).collect()
}

fn before(text: &str, mark: &str) -> String {
    each(text, |line| format!("{mark}{line}"))
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('\'', "&#39;")
}

fn numbered(text: &str, number: impl Fn(usize) -> String) -> String {
    let lines = (1..).zip(text.lines());
    lines.map(|(at, line)| number(at) + line + "\n").collect()
}

/// Breaks lines between words, as a mailer does.
fn wrapped(text: &str, columns: usize) -> String {
    each(text, |line| {
        let (mut all, mut rest) = (String::new(), line);
        while rest.chars().count() > columns {
            let blanks = rest.char_indices().take(columns + 1);
            let blanks = blanks.filter(|(at, c)| *c == ' ' && *at > 0);
            let Some((at, _)) = blanks.last() else {
                break;
            };
            all += rest[..at].trim_end();
            all.push('\n');
            rest = rest[at..].trim_start();
        }
        all + rest
    })
}

/// Puts a variation selector behind each figurine.
fn selected(text: &str, selector: char) -> String {
    let text = text.replace(['\u{fe0e}', '\u{fe0f}'], "");
    let signs = text.chars().flat_map(|c| {
        let is_figurine = ('♔'..='♟').contains(&c);
        [Some(c), is_figurine.then_some(selector)]
    });
    signs.flatten().collect()
}

/// Sets letters, digits and signs in full width.
fn wide(text: &str) -> String {
    let sign = |c: char| match c {
        ' ' => '\u{3000}',
        '!'..='~' => char::from_u32(u32::from(c) + 0xfee0).unwrap(),
        c => c,
    };
    text.chars().map(sign).collect()
}

/// What a text is read as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reading {
    Same,
    Refused,
    Other,
}

/// Reads a text as the commands do, and compares it with the last position of a match.
fn reading(text: &str, choice: &GameChoice, record: &Record) -> Reading {
    let lines = posted(text);
    let position = record.position();
    let shown = Diagram::of(position);
    let is_same = |read: &Diagram| {
        let squares = Square::all(position.variant().rules().width);
        let has_reserve = position.variant().rules().has_reserve();
        let reserves = read.reserves();
        read.board().width() == shown.board().width()
            && squares
                .into_iter()
                .all(|at| read.board().get(at) == shown.board().get(at))
            && (reserves == shown.reserves() || reserves.is_none() && !has_reserve)
    };
    let Ok(found) = alone(&lines, choice) else {
        return Reading::Refused;
    };
    if !found.is_empty() {
        return match found.as_slice() {
            [Ok(one)] if is_same(&one.diagram()) => Reading::Same,
            all if all.iter().any(Result::is_err) => Reading::Refused,
            [one] if one.as_ref().unwrap().fault().is_some() => Reading::Refused,
            _ => Reading::Other,
        };
    }
    let Ok(judged) = judge::judge(&lines, choice) else {
        return Reading::Refused;
    };
    match judged.as_slice() {
        all if all.iter().any(|one| !one.is_legal()) => Reading::Refused,
        [] => Reading::Refused,
        [one] if one.game.record().steps() == record.steps() => Reading::Same,
        _ => Reading::Other,
    }
}

/// The forms that are posted.
const FORMS: [OutputFormat; 6] = [
    OutputFormat::Diagram,
    OutputFormat::Post,
    OutputFormat::Coords,
    OutputFormat::Unicode,
    OutputFormat::Bbcode,
    OutputFormat::Markdown,
];

/// Every form of a match and of its last position alone.
fn posts(record: &Record) -> Vec<(String, String)> {
    let mut posts = Vec::new();
    for form in FORMS {
        for choice in 0..8 {
            let [is_alone, is_flipped, has_marks] = [1, 2, 4].map(|bit| choice & bit > 0);
            let style = Style {
                is_flipped,
                has_marks,
                ..Style::default()
            };
            let view = if is_alone {
                View::drawn(Diagram::of(record.position()))
            } else {
                View::of(record)
            };
            let text = String::from_utf8(form.render(&view, &style).unwrap()).unwrap();
            let name = format!("{form} alone {is_alone} flipped {is_flipped} marks {has_marks}");
            posts.push((name, text));
        }
    }
    posts
}

/// What leaves little of a diagram may be refused.
const HARSH: [&str; 14] = [
    "bullets",
    "bullets of dashes",
    "each line as code",
    "each line in bold",
    "breaks alone",
    "joined",
    "paragraphs",
    "rows of dashes lost",
    "entities for blanks, escaped",
    "no-break blanks in the wrong encoding",
    "lines tripled",
    "wrapped at 30",
    "wrapped at 40",
    "wrapped at 40 and quoted",
];

#[test]
#[ignore = "takes long"]
fn a_mangled_post_is_the_same_position_or_is_refused() {
    let mut rng = Rng::with_seed(53);
    let mut refused = HashMap::<&str, usize>::new();
    let mut all = 0;
    for (game, plies) in games::ALL
        .iter()
        .copied()
        .zip([3, 60, 14].into_iter().cycle())
    {
        let variant = header::variant(game, "").unwrap();
        let record = playing::game(&variant, plies, &mut rng);
        for (form, text) in posts(&record) {
            all += 1;
            for (name, way) in MANGLINGS {
                let mangled = way(&text);
                let choice = if text.contains("Game:") && rng.bool() {
                    GameChoice::Named(header::DEFAULT)
                } else {
                    GameChoice::Given(variant.clone())
                };
                let is = reading(&mangled, &choice, &record);
                assert_ne!(is, Reading::Other, "{name}, {}, {form}\n{mangled}", game.id);
                *refused.entry(name).or_default() += usize::from(is == Reading::Refused);
            }
        }
    }
    refused.retain(|name, count| !HARSH.contains(name) && *count > all / 10);
    assert!(refused.is_empty(), "{all}: {refused:?}");
}

/// Went wrong: a board whose edges were lost was another position without a word.
#[test]
fn a_flipped_board_without_its_edges_is_told() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
    let shown = parapost([
        "show", "--game", "chess", "--fen", fen, "--as", "diagram", "--flip",
    ]);
    let flipped = shown.any_stdout().run().stdout;
    parapost(["check"])
        .stdin(flipped.clone())
        .any_stdout()
        .any_stderr()
        .run();
    let rows = flipped.lines().take(8);
    let bare: String = rows.flat_map(|row| [&row[2..], "\n"]).collect();
    for command in ["check", "show"] {
        parapost([command, "-"])
            .stdin(bare.clone())
            .any_stdout()
            .stderr_contains("note: each king stands on the other side's home row")
            .run();
        let run = parapost([command, "-"])
            .stdin(flipped.clone())
            .any_stdout()
            .any_stderr()
            .run();
        assert!(!run.stderr.contains("note:"), "{}", run.stderr);
    }
}

/// Went wrong: emphasis and tags hid whose turn it is.
#[test]
fn words_in_any_dress_say_whose_turn_it_is() {
    let board = "- - - - k - - -\n- - - - p - - -\n- - - - - - - -\n- - - - - - - -\n- - - - - - - -\n- - - - - - - -\n- - - - P - - -\n- - - - K - - -\n";
    for words in [
        "Black to move.",
        "**Black** to move",
        "[b]Black[/b] to play",
        "[color=white]Black to move[/color]",
        "[Black to move]",
        "<b>Black</b>&nbsp;to&nbsp;move",
        "Black is to move.",
        "Black on move",
        "_Black mates in two_",
        "A study by me.\n\n*Black to play and mate in two*",
    ] {
        parapost(["show", "--game", "chess", "--as", "fen", "-"])
            .stdin(format!("{board}\n{words}\n"))
            .stdout("4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 1\n")
            .run();
    }
}

/// What `XBoard` writes to a file.
#[test]
fn the_board_of_xboard_reads_back() {
    let rows = ". . . . k . . .\n. . . . . . . .\n. . . . . . . .\n. . . . . . . .\n. . . . . . . .\n. . . . . . . .\n. . . . P . . .\n. . . . K . . .\n";
    for (above, below) in [
        ("[--------------", "--------------]"),
        ("{--------------", "--------------}"),
    ] {
        parapost(["show", "--game", "chess", "--as", "fen", "-"])
            .stdin(format!("# xboard position file -- Mon Nov 30 12:00:00 2026\nFairy-Max vs. human\n{above}\n{rows}white to play\n{below}\n"))
            .stdout("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n")
            .run();
    }
}

//! The tables of `docs/moves.md`, line by line: what somebody writes, and what is played or why nothing is.

use std::fs;

use parapost_rules::notation::{MoveText, ReadError, Voice};
use parapost_rules::{Position, Record, Setup, Variant};
use regex::Regex;

/// A table of `docs/moves.md`: a position, who reads it, and its rows.
struct Table {
    position: Position,
    voices: Vec<Voice>,
    rows: Vec<Row>,
}

/// A row: forms that all mean the same.
struct Row {
    line: usize,
    written: Vec<String>,
    meant: String,
}

fn tables(text: &str) -> Vec<Table> {
    let head = Regex::new(
        "^In `([a-z0-9]+)`(?: with `([a-z0-9 -]+)`)? (after|from) `([^`]*)`(, in a list|, alone in a mail)?:$",
    )
    .expect("a pattern");
    let row = Regex::new(r"^\| (`.*`) \| (.+) \|$").expect("a pattern");
    let code = Regex::new("`([^`]*)`").expect("a pattern");
    let mut tables: Vec<Table> = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        if let Some(found) = head.captures(text) {
            let options = found.get(2).map_or("", |options| options.as_str());
            let options: Vec<&str> = options.split_whitespace().collect();
            let variant = Variant::find(&found[1], &options).expect("a game");
            tables.push(Table {
                position: if &found[3] == "after" {
                    after(&variant, &found[4])
                } else {
                    from(&variant, &found[4])
                },
                voices: match found.get(5).map(|voice| voice.as_str()) {
                    Some(", in a list") => vec![Voice::List],
                    Some(_) => vec![Voice::Alone],
                    None => vec![Voice::List, Voice::Alone],
                },
                rows: Vec::new(),
            });
        } else if let Some(found) = row.captures(text) {
            let table = tables.last_mut().expect("a table after its position");
            table.rows.push(Row {
                line,
                written: code
                    .captures_iter(&found[1])
                    .map(|code| code[1].to_owned())
                    .collect(),
                meant: found[2].to_owned(),
            });
        } else {
            assert!(
                !text.starts_with('|') || text.starts_with("| written |") || text == "|---|---|",
                "docs/moves.md:{line}: not understood"
            );
            assert!(
                !text.starts_with("In `"),
                "docs/moves.md:{line}: not understood"
            );
        }
    }
    tables
}

fn after(variant: &Variant, moves: &str) -> Position {
    let mut record = Record::new(variant.start());
    for text in moves.split_whitespace() {
        let reading = record.position().read(text);
        let ply = reading
            .unwrap_or_else(|error| panic!("{text}: {error}"))
            .ply;
        record.play(&ply).expect("a legal move");
    }
    record.position().clone()
}

fn from(variant: &Variant, fen: &str) -> Position {
    let setup = Setup::from_fen(variant, fen).expect("a FEN");
    Position::from_setup(variant, &setup).expect("a position that can stand")
}

#[test]
fn the_tables_of_the_manual_are_true() {
    let path = crate::of_the_package("docs/moves.md");
    let text = fs::read_to_string(path).expect("the manual of moves");
    let mut wrong = Vec::new();
    let mut forms = 0;
    for table in tables(&text) {
        for row in &table.rows {
            for written in &row.written {
                for &voice in &table.voices {
                    forms += 1;
                    let place = format!("docs/moves.md:{}: {written} ({voice:?})", row.line);
                    if let Err(problem) = judge(&table.position, written, voice, &row.meant) {
                        wrong.push(format!("{place}: {problem}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(forms > 300, "only {forms} forms");
}

/// Compares the meaning of a form with the manual.
fn judge(position: &Position, written: &str, voice: Voice, meant: &str) -> Result<(), String> {
    let reading = position.read_with(written, voice);
    if let Some(why) = meant.strip_prefix("it is not: ") {
        return match reading {
            Ok(reading) => Err(format!("is {}", position.text(&reading.ply))),
            Err(error) if error.to_string() == why => shown_forms_are_read(position, &error, voice),
            Err(error) => Err(format!("says \"{error}\"")),
        };
    }
    let reading = reading.map_err(|error| error.to_string())?;
    let (canonical, remark) = meant[1..].split_once('`').ok_or("not understood")?;
    let text = position.text(&reading.ply);
    if text != canonical {
        return Err(format!("is {text}"));
    }
    if (remark == " with a draw offer") != reading.offers_draw {
        return Err(format!("offers a draw: {}", reading.offers_draw));
    }
    let expected = remark.strip_prefix(", warned: ");
    // A form that is not canonical has a warning with the one that is.
    let core = written.parse::<MoveText>().expect("a move");
    let mut as_written = format!("'{}' is read as '{text}'", core.as_str());
    let forced = expected == Some("the promotion is forced");
    if forced {
        as_written = format!("the promotion is forced: {as_written}");
    }
    let mut warnings = Vec::new();
    if core.as_str() != text {
        warnings.push(as_written);
    }
    warnings.extend(expected.filter(|_| !forced).map(str::to_owned));
    let warned: Vec<String> = reading.warnings.iter().map(ToString::to_string).collect();
    if warned != warnings {
        return Err(format!("warns {warned:?}"));
    }
    Ok(())
}

/// The forms that a refusal shows can each be read in one way.
fn shown_forms_are_read(
    position: &Position,
    error: &ReadError,
    voice: Voice,
) -> Result<(), String> {
    let (ReadError::Ambiguous(forms) | ReadError::Promotion(forms)) = error else {
        return Ok(());
    };
    for form in forms {
        position
            .read_with(form, voice)
            .map_err(|error| format!("shows {form}, which is not read: {error}"))?;
    }
    Ok(())
}

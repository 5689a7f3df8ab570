//! Every rule of docs/rules.md tried by name: a move that it allows, a move that it forbids, and the reason a player is
//! given. The doc comment of a test begins with the number of its rule, and `[R]` where it tries a ruling.

mod chess;
mod ends;
mod kingchess;
mod newchess;
mod parachute;
mod repetition;
mod scene;
mod shared;
mod shogi;
mod unachess;
mod unachess2;
mod unashogi;
mod worked;

use std::collections::BTreeSet;
use std::fs;

use regex::Regex;

/// A rule without a test is a rule that nothing holds to.
#[test]
fn every_rule_has_its_test() {
    let rules = fs::read_to_string(crate::of_the_package("docs/rules.md")).expect("the rules");
    let mut tests = String::new();
    for file in
        fs::read_dir(crate::of_the_package("tests/by_number")).expect("the tests of the rules")
    {
        tests += &fs::read_to_string(file.expect("a file").path()).expect("a text");
    }
    let number =
        Regex::new(r"(?:^|\s)([1-8]\.[0-9]+) [*`A-Z]|\*\*([1-8]\.[0-9]+)\*\*|Option `([a-z-]+)`")
            .expect("a pattern");
    let mut wanted = BTreeSet::new();
    let mut rule = String::new();
    for line in rules.lines().take_while(|line| !line.starts_with("## 9")) {
        for found in number.captures_iter(line) {
            let [rule_number, bold, option] = [1, 2, 3].map(|i| found.get(i));
            if let Some(option) = option {
                wanted.insert(format!("/// `{}`", option.as_str()));
            } else if let Some(number) = rule_number.or(bold) {
                number.as_str().clone_into(&mut rule);
                wanted.insert(format!("/// {rule}"));
            }
        }
        if line.contains("[R") && !rule.is_empty() {
            wanted.insert(format!("/// {rule} [R]"));
        }
        if let Some(option) = line.strip_prefix("- `")
            && let Some((name, _)) = option.split_once('`')
        {
            rule = format!("`{name}`");
            wanted.insert(format!("/// {rule}"));
        }
        if line.starts_with("## ") {
            rule.clear();
        }
    }
    assert!(wanted.len() > 50, "{wanted:?}");
    // Resignation and time are a match's, not a position's.
    wanted.retain(|heading| !["/// 1.11", "/// 1.14"].contains(&heading.as_str()));
    let missing: Vec<&String> = wanted
        .iter()
        .filter(|heading| {
            !tests.lines().any(|line| {
                line.strip_prefix(heading.as_str())
                    .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
            })
        })
        .collect();
    assert!(missing.is_empty(), "rules without a test: {missing:#?}");
}

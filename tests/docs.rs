//! The pages of the manual as files: they are read in editors and terminals, too.

use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

/// The most columns of a line.
const WIDTH: usize = 160;

#[test]
fn no_line_of_a_page_is_too_wide() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages: Vec<PathBuf> = vec![root.join("README.md"), root.join("SECURITY.md")];
    for entry in fs::read_dir(root.join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    assert!(pages.len() > 8, "{pages:?}");
    let mut wide = Vec::new();
    for page in &pages {
        let text = fs::read_to_string(page).unwrap();
        for (number, line) in text.lines().enumerate() {
            let columns = line.chars().count();
            if columns > WIDTH {
                wide.push(format!("{}:{}: {columns}", page.display(), number + 1));
            }
        }
    }
    assert!(wide.is_empty(), "too wide:\n{}", wide.join("\n"));
}

/// The words of a text, with one blank between two.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns true if a test of this name is there: the path of its file below `tests/` or
/// `src/`, and its function.
fn is_test(root: &Path, name: &str) -> bool {
    let (file, function) = name.rsplit_once("::").unwrap_or(("", name));
    let file = file.replace("::", "/");
    let test = format!(r"#\[test\](\s*#\[[^\]]*\])*\s*fn {function}\(");
    let test = Regex::new(&test).unwrap();
    let places = ["tests", "src"].into_iter().flat_map(|folder| {
        let ends = [".rs", "/mod.rs", "/tests.rs"];
        ends.map(|end| root.join(folder).join(format!("{file}{end}")))
    });
    let mut texts = places.filter_map(|path| fs::read_to_string(path).ok());
    texts.any(|text| test.is_match(&text))
}

#[test]
fn each_promise_stands_on_its_page_and_has_a_test() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = fs::read_to_string(root.join("docs/promises.md")).unwrap();
    let (mut page, mut name, mut promises) = (String::new(), "", 0);
    let mut wrong = Vec::new();
    for line in table.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            name = title;
            page = words(&fs::read_to_string(root.join("docs").join(name)).unwrap());
        }
        let Some(row) = line.strip_prefix("| ").filter(|_| !name.is_empty()) else {
            continue;
        };
        let Some((promise, tests)) = row.split_once(" | ").filter(|(one, _)| *one != "words")
        else {
            continue;
        };
        promises += 1;
        if !page.contains(promise) {
            wrong.push(format!("{name} does not say: {promise}"));
        }
        let tests: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        if tests.is_empty() {
            wrong.push(format!("{name} has no test for: {promise}"));
        }
        let missing = tests.iter().filter(|test| !is_test(root, test));
        wrong.extend(missing.map(|test| format!("there is no test {test}")));
    }
    assert!(promises > 150, "{promises}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

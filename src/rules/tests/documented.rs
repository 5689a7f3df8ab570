//! Every public type has an example, and no comment points outside the package.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The crate's modules, without its tests, benchmarks and what is built.
fn modules() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    sources(root, &mut found);
    found.retain(|path| {
        let inside = path.strip_prefix(root).expect("inside the package");
        !["tests", "benches", "target"]
            .iter()
            .any(|folder| inside.starts_with(folder))
    });
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a text");
        (path, text)
    };
    found.into_iter().map(read).collect()
}

#[test]
fn every_public_type_has_an_example() {
    let mut types = 0;
    for (path, text) in modules() {
        let mut has_example = false;
        // Those of a macro have an example where it is used.
        let lines = text.lines().map(str::trim_start);
        for line in lines.filter(|line| !line.contains('$')) {
            if line.starts_with("///") {
                has_example |= line.contains("```");
            } else if ["pub struct ", "pub enum ", "pub trait "]
                .iter()
                .any(|start| line.starts_with(start))
            {
                assert!(has_example, "{}: no example: {line}", path.display());
                types += 1;
                has_example = false;
            } else if line.is_empty() || line == "}" {
                has_example = false;
            }
        }
    }
    assert!(types > 40, "{types} types found");
}

#[test]
fn no_comment_points_outside_the_package() {
    for (path, text) in modules() {
        for (at, line) in text.lines().enumerate() {
            let comment = line.split_once("//").map_or("", |(_, comment)| comment);
            let is_outside = ["docs/", "tests/", "../"]
                .iter()
                .any(|part| comment.contains(part));
            assert!(!is_outside, "{}:{}: {line}", path.display(), at + 1);
        }
    }
}

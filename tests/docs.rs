//! The pages of the manual as files: they are read in editors and terminals, too.

use std::fs;
use std::path::{Path, PathBuf};

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

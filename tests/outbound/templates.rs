//! Templates of the user's own.

use std::fs;

use parapost::outbound::compose;

use super::messages::{after_one_move, anna, text, text_alone};
use crate::matches::log::ids;

#[test]
fn a_template_of_the_users_takes_the_place_of_the_built_in_one() {
    let folder = tempfile::tempdir().unwrap();
    let game = after_one_move();
    let templates = text_alone(folder.path());
    let compose = || compose::compose(&game, &game.owed()[0], &anna(), &templates, &ids());
    let own = folder.path().join("foot.txt");
    fs::write(&own, "-- {{ id }} & <{{ plies }}>\n").unwrap();
    assert!(text(&compose().unwrap()).ends_with("\n-- demo & <1>\n"));

    for (template, why) in [
        ("{{ id", "foot.txt:1: "),
        ("\n\n{% if %}", "foot.txt:3: "),
        ("{{ nothing }}", "foot.txt:1: "),
        ("{{ id.x.y }}", "foot.txt:1: "),
        ("{% include \"/etc/passwd\" %}", "foot.txt:1: "),
    ] {
        fs::write(&own, template).unwrap();
        let error = compose().unwrap_err();
        assert!(!error.is_transient());
        assert!(error.to_string().contains(why), "{template}: {error}");
    }
    fs::remove_file(&own).unwrap();
    assert!(text(&compose().unwrap()).contains("Game demo, 1 half-move made, hash "));
}

/// A mistake in any template of the user's held back every mail, those that do
/// without that template, too.
#[test]
fn a_broken_template_holds_back_the_mails_that_need_it_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let game = after_one_move();
    let templates = text_alone(folder.path());
    let compose = || compose::compose(&game, &game.owed()[0], &anna(), &templates, &ids());
    let good = text(&compose().unwrap());
    fs::write(folder.path().join("refused.txt"), "{{ id").unwrap();
    fs::create_dir(folder.path().join("question.txt")).unwrap();
    assert_eq!(text(&compose().unwrap()), good);

    // The one it includes is needed, and one that is there and cannot be read
    // is not the same as none.
    fs::create_dir(folder.path().join("board.txt")).unwrap();
    let error = compose().unwrap_err().to_string();
    let own = folder.path().join("board.txt").display().to_string();
    assert!(error.starts_with(&format!("{own}: ")), "{error}");
    assert!(
        !error.contains("minijinja") && !error.contains("invalid operation"),
        "{error}"
    );
}

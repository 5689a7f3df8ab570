//! Letters that ask for a match with the partner, in a mailbox.

use super::Scene;

/// A stranger's letter names no match; it was passed over.
#[test]
#[ignore = "needs Dovecot"]
fn a_strangers_wish_is_read_where_the_partner_is_open_to_all() {
    for is_open in [true, false] {
        let scene = Scene::new();
        let config = scene.house.read("config.toml");
        let section = format!("[partner]\nlevels = [1]\nopen = {is_open}\n");
        scene.house.write("config.toml", config + &section);
        scene.first();
        for (number, body) in ["new chess as white with partner level 1", "hello"]
            .into_iter()
            .enumerate()
        {
            scene.deliver(&format!(
                "From: eve@elsewhere.test\nSubject: hi\nMessage-ID: <{number}@e.test>\n\n{body}\n"
            ));
        }
        let run = scene.fetch(&[]).any_stderr().either();
        assert_eq!(
            run.stdout.contains("\tcommand\n"),
            is_open,
            "{}",
            run.stdout
        );
        assert!(!run.stdout.contains("<1@e.test>"), "{}", run.stdout);
    }
}

//! What is read of a match that is over.

use std::sync::Arc;

use crate::commands::news::attack::{article_of, config_at, house_at};
use crate::commands::news::fetch::fetched;
use crate::commands::news::post::log;
use crate::commands::news::stand_in;
use crate::servers::NOBODY;
use crate::servers::inn::GROUP;

/// Nothing there can change it. In the user's own group it is told of as ever, and its comments are
/// shown wherever it is.
#[test]
fn a_match_that_is_over_has_its_comments_and_no_group_is_read_for_it() {
    let (house, _) = house_at(NOBODY);
    house
        .parapost(["resign", "demo", "--yes"])
        .any_stderr()
        .run();
    let cited = article_of(&log(&house));
    let article: stand_in::Article = Arc::new(move |number| {
        format!(
            "From: Ben <ben@example.test>\nNewsgroups: {GROUP}\nSubject: Re: a match\nMessage-ID: <{number}@reader.test>\nReferences: {cited}\n\nn>g5\n"
        )
    });
    let port = stand_in::serve(1..=1, article);
    house.write("white.toml", config_at(port));
    let before = log(&house);
    let said = fetched(&house, 0, &["--send"]);
    assert!(said.contains("<1@reader.test>\tdemo\tignored\n"), "{said}");
    let events = |log: &str| log.matches(" move Black ").count() + log.matches(" told ").count();
    assert_eq!((events(&before), events(&log(&house))), (0, 0));
    house.write(
        "white.toml",
        config_at(port).replace(GROUP, "rec.games.other"),
    );
    std::fs::remove_dir_all(house.path("games/news")).unwrap();
    fetched(&house, 0, &["--dry-run"]);
    let places = house.path("games/news");
    assert!(!places.exists(), "a dry run writes nothing");
    fetched(&house, 0, &[]);
    let places = std::fs::read_dir(places).unwrap();
    let texts = places.filter_map(|entry| std::fs::read_to_string(entry.unwrap().path()).ok());
    let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
    assert_eq!(texts.len(), 1, "{texts:?}");
    assert!(texts[0].contains("\nGroup: rec.games.other\n"), "{texts:?}");
    let run = house.parapost(["news", "comments", "demo", "--group", GROUP]);
    run.stdout_contains("n>g5").run();
}

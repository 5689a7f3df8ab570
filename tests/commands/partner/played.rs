//! Matches with the partner, by mail, to their ends.

use parapost::rules::Color;

use super::{
    LEVELS, again, anna, answer, begun, club, config, events, flat, header, only, partners,
    receive, refused, turns, turns_at,
};

const ANNA: &str = "anna@example.org";

/// Anna plays by whatever mail came last until the match is over. No mail goes to the program,
/// and each of hers is answered once, with a receipt, and once with a move.
#[test]
fn a_match_is_played_to_its_end() {
    let house = club(LEVELS);
    let words = "new chess as white with partner level 1";
    let mut mail = receive(&house, &anna(1, words), "\tcommand\n").remove(0);
    let id = only(&house).id().to_string();
    for number in 2.. {
        let game = again(&house, &id);
        let Some(turn) = game.turn() else { break };
        assert_eq!(turn, Color::White);
        assert!(number < 400, "it never ends");
        // The first capture, or else a move that the number chooses.
        let plies: Vec<String> = game
            .position()
            .legal_plies()
            .map(|ply| game.position().text(&ply))
            .collect();
        let capture = plies.iter().find(|text| text.contains('x'));
        let text = capture.unwrap_or(&plies[number * 7 % plies.len()]).clone();
        let receipt = receive(&house, &answer(ANNA, number, &mail, &text), "\taccepted\n");
        assert_eq!(receipt.len(), 1);
        assert_eq!(header(&receipt[0], "To:"), "Anna <anna@example.org>");
        let answers = turns(&house);
        let is_over = again(&house, &id).turn().is_none();
        assert!(
            answers.len() == 1 || is_over && answers.is_empty(),
            "{answers:?}"
        );
        if let Some(answer) = answers.into_iter().next() {
            assert!(
                answer.contains("parapost level 1 (program) (Black)"),
                "{answer}"
            );
            mail = answer;
        }
    }
    let game = again(&house, &id);
    assert!(game.ending().is_some());
    assert!(game.owed().is_empty());
    let to_program = game
        .log()
        .iter()
        .filter(|event| event.is_of_outgoing_mail());
    assert!(to_program.clone().count() > 0);
    for event in to_program {
        assert_eq!(event.who, Color::White.into(), "{}", event.line());
    }
}

/// The partner answers what it is asked by its rules.
#[test]
fn it_answers_offers_and_proposals() {
    let house = club(LEVELS);
    let (game, mail) = begun(&house, "white", 1);
    let id = game.id().to_string();
    // A take-back of a move that it has not answered is granted.
    let receipt = receive(&house, &answer(ANNA, 2, &mail, "P>e3"), "\taccepted\n");
    let proposal = answer(ANNA, 3, &receipt[0], "propose takeback");
    receive(&house, &proposal, "\tcommand\n");
    let mails = turns(&house);
    let agreed = "parapost level 1 (program) (Black) agrees to take the last move back, P>e3.";
    assert!(flat(&mails[0]).contains(agreed), "{}", mails[0]);
    assert!(again(&house, &id).record().steps().is_empty());
    // Afterwards it is not.
    receive(&house, &answer(ANNA, 4, &mails[0], "P>e4"), "\taccepted\n");
    let mails = turns(&house);
    receive(
        &house,
        &answer(ANNA, 5, &mails[0], "propose takeback"),
        "\tcommand\n",
    );
    let mails = turns(&house);
    assert_eq!(mails.len(), 1);
    let now = again(&house, &id);
    assert_eq!((now.takeback(), now.record().steps().len()), (None, 2));
    // It is too early for a draw, be it offered alone or with a move.
    receive(
        &house,
        &answer(ANNA, 6, &mails[0], "offer draw"),
        "\tcommand\n",
    );
    let mails = turns(&house);
    let last = events(&again(&house, &id)).pop();
    assert_eq!(last.as_deref(), Some("decline Black -"));
    assert_eq!(mails.len(), 1);
    assert!(turns(&house).is_empty());
    receive(
        &house,
        &answer(ANNA, 7, &mails[0], "P>d4\noffer draw"),
        "\taccepted\n",
    );
    let mails = turns(&house);
    assert_eq!(mails.len(), 1);
    let now = again(&house, &id);
    assert_eq!((now.offer(), now.record().steps().len()), (None, 4));
    // Whoever resigns gets no move more.
    receive(&house, &answer(ANNA, 8, &mails[0], "resign"), "\tcommand\n");
    assert!(turns(&house).is_empty());
    assert!(again(&house, &id).ending().is_some());
}

/// The rematch has the colours changed, and is answered by itself.
#[test]
fn a_rematch_begins_as_after_any_match() {
    let house = club(LEVELS);
    let (game, mail) = begun(&house, "white", 1);
    receive(&house, &answer(ANNA, 2, &mail, "P>e3"), "\taccepted\n");
    let mails = turns(&house);
    receive(&house, &answer(ANNA, 3, &mails[0], "resign"), "\tcommand\n");
    let asked = answer(ANNA, 4, &mails[0], "rematch");
    house.write("config.toml", config("[partner]\nlevels = [2]\n"));
    let told = receive(&house, &asked, "\trefused\n");
    assert!(
        told[0].contains("does not play at this level"),
        "{}",
        told[0]
    );
    house.write("config.toml", config(LEVELS));
    receive(
        &house,
        &answer(ANNA, 5, &mails[0], "rematch"),
        "\tcommand\n",
    );
    let games = partners(&house);
    let next = games.iter().find(|next| next.id() != game.id()).unwrap();
    assert_eq!(next.player(Color::Black).name(), "Anna");
    let mails = turns(&house);
    assert_eq!(mails.len(), 1);
    let reply = answer(ANNA, 6, &mails[0], "p>e6");
    receive(&house, &reply, "\taccepted\n");
    assert_eq!(turns(&house).len(), 1);
    assert_eq!(again(&house, next.id().as_str()).record().steps().len(), 3);
}

/// Words to a program stay in the log, and no mail carries them.
#[test]
fn words_are_kept_and_mailed_to_nobody() {
    let house = club(LEVELS);
    let (game, mail) = begun(&house, "white", 1);
    let mails = receive(
        &house,
        &answer(ANNA, 2, &mail, "note hello there"),
        "\tcommand\n",
    );
    assert_eq!(mails.len(), 1);
    assert_eq!(header(&mails[0], "To:"), "Anna <anna@example.org>");
    let id = game.id().as_str();
    assert!(
        house
            .read(format!("games/{id}.txt"))
            .contains("hello there")
    );
    house
        .parapost(["send", "--resend", id])
        .any_stdout()
        .any_stderr()
        .run();
    assert!(again(&house, id).owed().is_empty());
}

/// The matches with the program stand in a list of their own, and in no other.
#[test]
fn the_archive_has_them_in_a_list_of_their_own() {
    let house = club(LEVELS);
    let (game, mail) = begun(&house, "white", 1);
    receive(&house, &answer(ANNA, 2, &mail, "P>e3"), "\taccepted\n");
    let mails = turns(&house);
    receive(&house, &answer(ANNA, 3, &mails[0], "resign"), "\tcommand\n");
    let letter = super::letter("ben@example.org", 4, "resign match").replace("hello", "[m]");
    receive(&house, &letter, "\tcommand\n");
    house.parapost(["archive", "site"]).any_stderr().run();
    let (id, people) = (game.id().as_str(), "matches/m.html");
    let own = house.read("site/program/matches.html");
    assert!(own.contains("Against the program") && own.contains(&format!("matches/{id}.html")));
    assert!(own.contains("parapost level 1 (program)") && !own.contains(people));
    let index = house.read("site/index.html");
    assert!(index.contains("href=\"program/matches.html\""), "{index}");
    for page in [
        "index.html",
        "feed.xml",
        "players.html",
        "games/unachess.html",
        "crosstable.html",
    ] {
        let page = house.read(format!("site/{page}"));
        assert!(!page.contains(id) && !page.contains("(program)"), "{page}");
    }
    assert!(index.contains(people));
    assert!(
        house
            .read(format!("site/matches/{id}.html"))
            .contains("parapost level 1 (program)")
    );
}

/// Nobody gets help against a person; against the program whoever keeps the match may look.
#[test]
fn a_running_match_against_the_program_may_be_analysed() {
    let house = club(LEVELS);
    let (game, _) = begun(&house, "black", 1);
    let line = ["analyse", "--nodes", "1000", game.id().as_str()];
    house.parapost(line).any_stdout().run();
    super::receive(
        &house,
        &anna(2, "1. P>e3").replace("hello", "[m] Unachess: x"),
        "\taccepted\n",
    );
    refused(&house, &["analyse", "m"], "its players play it alone").run();
}

#[test]
fn without_the_section_the_command_says_what_to_write() {
    let house = club("");
    refused(&house, &["partner"], "[partner]").run();
    let house = club("").file(
        "config.toml",
        config(LEVELS).replace("role = \"referee\"\n", ""),
    );
    refused(
        &house,
        &["partner"],
        "[partner] needs role = \"referee\" in [me]",
    )
    .run();
    let house = club(LEVELS);
    assert!(turns_at(&house, "2026-11-20T05:00:00Z").is_empty());
}

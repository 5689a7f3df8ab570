//! Words that a player's program puts into its mails: to whoever reads them they are words, and
//! never an order, a move or a position, whatever stands in them.

use std::fs;
use std::sync::Arc;

use fastrand::Rng;
use parapost::matches::event::LogEntry;
use parapost::matches::r#match::Match;
use parapost::store::store::Store;

use super::desk::{Desk, Policy};
use super::foreign::{self, TAG};
use super::scene::Scene;
use crate::matches::log::time;
use crate::store::memory::Memory;
use crate::support::in_process;

/// How many mails with words are made.
const MAILS: usize = 600;

#[test]
#[ignore = "takes long"]
fn words_in_a_program_s_mail_are_carried_out_by_nobody() {
    let mut rng = Rng::with_seed(28);
    let desk = Desk::new();
    let scenes = Scene::all(&desk, 1, &mut rng);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = folder.path().join("anna.toml");
    fs::write(
        &config,
        "[me]\nname = \"Anna\"\naddress = \"anna@white.test\"\n",
    )
    .unwrap();
    let (mut said, mut carried) = (0, 0);
    for _ in 0..MAILS {
        let scene = rng.choice(&scenes).expect("there are matches");
        let pieces = foreign::mail(scene, None, false, &mut rng);
        let words: Vec<String> = pieces.into_iter().map(|piece| piece.text).collect();
        let words = words.join("\n").replace(TAG, "");
        let memory = Memory::default();
        memory.create(&copy(&scene.game)).expect("a new match");
        let store: Arc<dyn Store> = Arc::new(memory);
        let is_move = rng.bool();
        let line = if is_move {
            vec!["move", "m", &scene.moves[0], "--say", "-", "--print"]
        } else {
            vec!["say", "m", "-", "--print"]
        };
        let run = in_process::run(&store, &config, folder.path(), &line, &words);
        if run.status != 0 {
            // They are all signs that cannot be seen, or there are none.
            assert!(
                run.stderr.contains("your words") || run.stderr.contains("no words"),
                "{}",
                run.stderr
            );
            continue;
        }
        said += 1;
        let mail = run.stdout.replace("\r\n", "\n");
        let outcome = desk.hear(Policy::Address, &scene.game, scene.side, &mail);
        let expected = if is_move {
            vec![format!("move {}", scene.moves[0])]
        } else {
            Vec::new()
        };
        assert_eq!(
            outcome.done, expected,
            "{}: {mail}\n{}",
            scene.name, outcome.log
        );
        let word = if is_move { "accepted" } else { "note" };
        assert_eq!(
            outcome.word, word,
            "{}: {mail}\n{}",
            scene.name, outcome.log
        );
        carried += usize::from(outcome.log.contains(&format!(" note {} ", scene.side)));
    }
    assert!(said > MAILS / 2, "{said} mails had words");
    assert!(
        carried > said / 2,
        "{carried} of {said} had their words carried on"
    );
}

/// A match as the copy of a player has it: the same moves.
fn copy(game: &Match) -> Match {
    let mut copy = Match::new(game.settings().clone(), time());
    for step in game.record().steps() {
        let turn = copy.position().turn();
        let action = parapost::matches::action::Action::play(&step.text);
        copy.push(LogEntry::new(time(), action, turn)).unwrap();
    }
    copy
}

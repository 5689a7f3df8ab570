//! A position set up for a test: what may be played in it, what may not, and what the player is told.

use parapost_rules::{Mark, Position, Record, Setup, Variant};

/// A position with the play that led to it.
#[derive(Clone)]
pub(super) struct Scene {
    record: Record,
}

/// The game by the name of the command line, with its options after it: `unachess pawns-1-4`.
fn variant(game: &str) -> Variant {
    let mut words = game.split_whitespace();
    let game = words.next().expect("a game");
    let options: Vec<&str> = words.collect();
    Variant::find(game, &options).expect("a game with its options")
}

/// The position after those moves from the start, in canonical form.
#[track_caller]
pub(super) fn after(game: &str, moves: &str) -> Scene {
    Scene::of(&variant(game)).play(moves)
}

/// The position of a FEN.
#[track_caller]
pub(super) fn fen(game: &str, fen: &str) -> Scene {
    let variant = variant(game);
    let setup = Setup::from_fen(&variant, fen).expect("a FEN");
    let position = Position::from_setup(&variant, &setup).expect("a position that can stand");
    Scene {
        record: Record::new(position),
    }
}

impl Scene {
    /// The start of a variant.
    pub(super) fn of(variant: &Variant) -> Scene {
        Scene {
            record: Record::new(variant.start()),
        }
    }

    pub(super) fn position(&self) -> &Position {
        self.record.position()
    }

    /// Plays moves in canonical form.
    #[track_caller]
    pub(super) fn play(mut self, moves: &str) -> Scene {
        for text in moves.split_whitespace() {
            let position = self.record.position();
            let reading = position
                .read(text)
                .unwrap_or_else(|error| panic!("{text}: {error}\n{}", position.fen()));
            assert_eq!(position.text(&reading.ply), text, "not canonical");
            self.record
                .play(&reading.ply)
                .unwrap_or_else(|error| panic!("{text}: {error}"));
        }
        self
    }

    /// Each of these moves, in canonical form, may be played.
    #[track_caller]
    pub(super) fn legal(self, moves: &str) -> Scene {
        for text in moves.split_whitespace() {
            let _ = self.clone().play(text);
        }
        self
    }

    /// This move may not be played, and the player is told why in these words.
    #[track_caller]
    pub(super) fn illegal(self, text: &str, why: &str) -> Scene {
        match self.position().read(text) {
            Ok(_) => panic!("{text} is legal in {}", self.position().fen()),
            Err(error) => assert_eq!(error.to_string(), why, "{text}"),
        }
        self
    }

    /// This move leads to this mark.
    #[track_caller]
    pub(super) fn marks(self, text: &str, mark: Mark) -> Scene {
        let after = self.clone().play(text);
        assert_eq!(after.position().mark(), mark, "{text}");
        self
    }

    /// The game stands like this.
    #[track_caller]
    pub(super) fn status(self, word: &str) -> Scene {
        assert_eq!(self.record.status(), word, "{}", self.position().fen());
        self
    }

    /// The score is this: `1-0`, `0-1` or `1/2-1/2`.
    #[track_caller]
    pub(super) fn score(self, score: &str) -> Scene {
        let outcome = self.record.outcome().expect("an end");
        assert_eq!(outcome.score(), score);
        self
    }

    /// The draw that the player to move may claim; empty for none.
    #[track_caller]
    pub(super) fn claim(self, claim: &str) -> Scene {
        let claimed = self.record.claim().map(|claim| claim.to_string());
        assert_eq!(
            claimed.unwrap_or_default(),
            claim,
            "{}",
            self.position().fen()
        );
        self
    }

    /// A move after the end, which would be legal by itself, is refused in these words.
    #[track_caller]
    pub(super) fn over(self, text: &str, why: &str) -> Scene {
        let reading = self.position().read(text).expect("a move");
        let mut record = self.record.clone();
        let error = record.play(&reading.ply).expect_err("the game is over");
        assert_eq!(error.to_string(), why);
        assert_eq!(record.steps(), self.record.steps());
        self
    }

    /// There are so many lines of one turn.
    #[track_caller]
    pub(super) fn count(self, count: u64) -> Scene {
        assert_eq!(self.position().perft(1), count);
        self
    }
}

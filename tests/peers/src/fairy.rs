//! Fairy-Stockfish, told a variant as near to Unachess as its configuration comes, over a pipe.
//!
//! It has no way to hold a capture back until the king is placed, so both kings stand from the start; nor can its
//! version 11 bar pawns alone from some ranks, so they may be dropped on the second to the seventh. Our side plays by
//! the same rules, which takes it a changed table entry.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use parapost_rules::game::{DoubleStep, PawnRule};
use parapost_rules::{Game, Role, games};

pub const DEPTH: u32 = 3;

/// Kings on g1 and b8, the other fifteen pieces of each in reserve.
pub const OUR_FEN: &str = "1k6/8/8/8/8/8/8/6K1[RRBBNNQPPPPPPPPrrbbnnqpppppppp] w - - 0 1";

/// The same variant for our side.
pub fn our_game() -> Game {
    let mut game = games::UNACHESS.clone();
    game.rules.castling = false;
    game.rules.drop_ranks[Role::Pawn.index()] = (2, 7);
    game.rules.pawn = PawnRule::Chess {
        double_step: DoubleStep::OnSecondRank,
        en_passant: true,
    };
    game
}

/// Chess with drops; captured pieces are gone.
const VARIANT: &str = "\
[nearunachess:chess]
pieceDrops = true
capturesToHand = false
dropChecks = true
castling = false
startFen = 1k6/8/8/8/8/8/8/6K1[QRRBBNNPPPPPPPPqrrbbnnpppppppp] w - - 0 1
";

pub struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The variant's file, removed with the engine.
    file: std::path::PathBuf,
}

impl Engine {
    pub fn start() -> io::Result<Engine> {
        let file = std::env::temp_dir().join(format!("nearunachess-{}.ini", std::process::id()));
        std::fs::write(&file, VARIANT)?;
        let program = if std::path::Path::new("/usr/games/fairy-stockfish").exists() {
            "/usr/games/fairy-stockfish"
        } else {
            "fairy-stockfish"
        };
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| io::Error::new(error.kind(), format!("{program} (Debian package fairy-stockfish): {error}")))?;
        let input = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let output = BufReader::new(child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?);
        let mut engine = Engine { child, input, output, file };
        let path = engine.file.display().to_string();
        for line in [
            "uci",
            "setoption name Threads value 1",
            &format!("setoption name VariantPath value {path}"),
            "setoption name UCI_Variant value nearunachess",
            "position startpos",
            "isready",
        ] {
            writeln!(engine.input, "{line}")?;
        }
        engine.wait_for("readyok")?;
        Ok(engine)
    }

    /// The number of leaves, as the engine counts them.
    pub fn perft(&mut self, depth: u32) -> io::Result<u64> {
        writeln!(self.input, "go perft {depth}")?;
        let line = self.wait_for("Nodes searched")?;
        line.rsplit(' ')
            .next()
            .and_then(|number| number.trim().parse().ok())
            .ok_or_else(|| io::Error::other(format!("not understood: {line}")))
    }

    fn wait_for(&mut self, start: &str) -> io::Result<String> {
        let mut line = String::new();
        loop {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                return Err(io::Error::other("the engine has ended"));
            }
            if line.starts_with(start) {
                return Ok(line);
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = writeln!(self.input, "quit");
        let _ = self.child.wait();
        let _ = std::fs::remove_file(&self.file);
    }
}

"""Writes the lists that other programs keep, by the libraries chess and python-shogi from PyPI:

    pip install chess python-shogi && python3 tests/data/programs/make.py tests/data/programs

With --read, reads what `parapost show --as pgn` and `--as kif` have written, as those libraries do:

    python3 tests/data/programs/make.py --read match.pgn match.kif
"""

import io
import random
import sys
from pathlib import Path

import chess
import chess.pgn
import shogi
import shogi.KIF


def random_chess(seed):
    """A game of chess by chance, until it ends or is long, with every kind of move."""
    chance = random.Random(seed)
    board = chess.Board()
    while not board.is_game_over() and len(board.move_stack) < 160:
        moves = sorted(board.legal_moves, key=lambda move: move.uci())
        rare = [
            move
            for move in moves
            if board.is_castling(move) or board.is_en_passant(move) or move.promotion
        ]
        board.push(chance.choice(rare or moves))
    return board


def random_shogi(seed):
    chance = random.Random(seed)
    board = shogi.Board()
    while not board.is_game_over() and len(board.move_stack) < 160:
        moves = sorted(board.legal_moves, key=lambda move: move.usi())
        rare = [move for move in moves if move.promotion or move.drop_piece_type]
        board.push(chance.choice(rare if rare and chance.random() < 0.5 else moves))
    return board


def write(folder):
    for seed in range(3):
        board = random_chess(seed)
        game = chess.pgn.Game.from_board(board)
        game.headers["White"], game.headers["Black"] = "Anna", "Ben"
        (folder / f"chess-{seed}.pgn").write_text(str(game) + "\n")
        (folder / f"chess-{seed}.fen").write_text(board.fen(en_passant="fen") + "\n")
        board = random_shogi(seed)
        moves = [move.usi() for move in board.move_stack]
        kif = shogi.KIF.Exporter.kif(
            {
                "names": ["Anna", "Ben"],
                "sfen": shogi.STARTING_SFEN,
                "moves": moves,
                "win": "-",
            }
        )
        (folder / f"shogi-{seed}.kif").write_text(kif.replace("\r\n", "\n"))
        (folder / f"shogi-{seed}.sfen").write_text(board.sfen() + "\n")


def read(pgn, kif):
    game = chess.pgn.read_game(io.StringIO(Path(pgn).read_text()))
    assert not game.errors, game.errors
    print(game.end().board().fen(en_passant="fen"), game.headers["Result"])
    (summary,) = shogi.KIF.Parser.parse_str(Path(kif).read_text())
    board = shogi.Board(summary["sfen"])
    for move in summary["moves"]:
        board.push_usi(move)
    print(board.sfen(), summary["names"])


if __name__ == "__main__":
    if sys.argv[1] == "--read":
        read(*sys.argv[2:])
    else:
        write(Path(sys.argv[1]))

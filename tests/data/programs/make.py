"""Writes the lists that other programs keep, by the libraries chess and python-shogi from PyPI:

    pip install chess python-shogi && python3 tests/data/programs/make.py tests/data/programs

With --read, reads what `parapost show --as pgn` and `--as kif` have written, as those libraries do:

    python3 tests/data/programs/make.py --read match.pgn match.kif

With --games, prints files of games by chance, each a line of JSON: the text, and of each game its half-moves and last position:

    python3 tests/data/programs/make.py --games SEED COUNT
"""

import io
import json
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


# What people and programs write into comments.
WORDS = """good|1-0|(|better) is|12. Nf3|"quoted"|[%clk 1:30:57]|e4|resigns|draw|1/2-1/2|; x|$5|...|no|*|R>e4|--|# 5|
|[Event "x"]|% percent|0-1|  |-- |> quoted|On 1 May Ben wrote:""".split("|")
# How people tell the result of a game without tags.
SPOKEN = ["", "\n", " 1-0", "\n1/2-1/2", " ½", " 1/2", " draw", " White resigned", " resigns", "\n\n1-0", " 0:1", " 1–0"]


def comment(chance):
    return " ".join(chance.choice(WORDS) for _ in range(chance.randint(1, 6)))


def chosen(board, chance):
    """A legal move. Captures by pawns of the b-file and moves back are frequent, since both were read wrong."""
    moves = list(board.legal_moves)
    captures = [
        move
        for move in moves
        if board.piece_type_at(move.from_square) == chess.PAWN
        and chess.square_file(move.from_square) == 1
        and board.is_capture(move)
    ]
    if captures and chance.random() < 0.8:
        return chance.choice(captures)
    if len(board.move_stack) > 1 and chance.random() < 0.25:
        last = board.move_stack[-2]
        back = chess.Move(last.to_square, last.from_square)
        if back in moves:
            return back
    return chance.choice(moves)


def grow(node, depth, plies, share, chance):
    """Adds half-moves with variations, comments and NAGs, and returns the last of them."""
    board = node.board()
    for _ in range(plies):
        if board.is_game_over():
            break
        move = chosen(board, chance)
        others = [other for other in board.legal_moves if other != move]
        below = node.add_main_variation(move)
        if depth < 2 and others and chance.random() < 0.12 * share:
            variation = node.add_variation(chance.choice(others))
            if chance.random() < 0.4:
                variation.starting_comment = comment(chance)
            if chance.random() < 0.3:
                variation.comment = comment(chance)
            grow(variation, depth + 1, chance.randint(0, 5), share, chance)
        node = below
        if chance.random() < 0.1 * share:
            node.comment = comment(chance)
        if chance.random() < 0.1 * share:
            node.nags.add(chance.randint(1, 30))
        board.push(move)
    return node


def file_of_chess(chance):
    """A file of one to five games, some of which begin alike. A single game may lack its tags."""
    style = chance.choice(["all", "all", "few", "none"])
    share, has_clocks = chance.choice([0, 0, 1, 2]), chance.random() < 0.2
    text, games, before = "", [], []
    for _ in range(1 if style == "none" else chance.choice([1, 1, 2, 5])):
        game = chess.pgn.Game()
        if style != "all":
            game.headers.clear()
        if style == "few":
            game.headers["White"], game.headers["Black"] = "Anna", 'Ben "B"'
        if chance.random() < 0.2:
            game.comment = comment(chance)
        node, plies = game, chance.choice([1, 2, 3, 5, 8, 20, 40, 80])
        if before and chance.random() < 0.5:
            for move in before[: chance.randint(1, len(before))]:
                node = node.add_main_variation(move)
            plies = chance.randint(0, 6)
        node = grow(node, 0, plies, share, chance)
        board = node.board()
        before = list(board.move_stack)
        if has_clocks:
            for below in game.mainline():
                below.comment = f"[%clk 0:{chance.randint(10, 59)}:{chance.randint(10, 59)}]"
        result = "*" if style == "none" else chance.choice(["1-0", "0-1", "1/2-1/2", "*"])
        game.headers["Result"] = result
        columns = chance.choice([None, 20, 30, 40, 60, 72, 79, 80])
        written = game.accept(chess.pgn.StringExporter(columns=columns, headers=style != "none"))
        if style == "none":
            written = written.rsplit("*", 1)[0].rstrip() + chance.choice(SPOKEN)
        text += written + chance.choice(["\n", "\n\n", "\n\n\n"])
        games.append({"plies": len(before), "fen": board.board_fen()})
    return {"game": "chess", "text": text, "games": games}


def file_of_shogi(chance):
    board = random_shogi(chance.random())
    moves = [move.usi() for move in board.move_stack][: chance.randint(1, 160)]
    board = shogi.Board()
    for move in moves:
        board.push_usi(move)
    names = ["Anna", "Ben"]
    text = shogi.KIF.Exporter.kif({"names": names, "sfen": shogi.STARTING_SFEN, "moves": moves, "win": "-"})
    return {"game": "shogi", "text": text, "games": [{"plies": len(moves), "fen": board.sfen().split(" ")[0]}]}


def print_games(seed, count):
    chance, made = random.Random(seed), 0
    while made < count:
        one = file_of_shogi(chance) if chance.random() < 0.1 else file_of_chess(chance)
        made += len(one["games"])
        print(json.dumps(one))


if __name__ == "__main__":
    if sys.argv[1] == "--games":
        print_games(int(sys.argv[2]), int(sys.argv[3]))
    elif sys.argv[1] == "--read":
        read(*sys.argv[2:])
    else:
        write(Path(sys.argv[1]))

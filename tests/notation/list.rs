//! Lists of moves: written in one form, read in every form people write.

use parapost::notation::diagnostic::Problem;
use parapost::notation::header;
use parapost::notation::judge::{self, GameChoice, Judged};
use parapost::notation::move_list::{MoveList, clear_text, listed_moves_interpreted};
use parapost::notation::moves::Manner;
use parapost::notation::reader::{self, pasted};
use parapost::rules::notation::Voice;
use parapost::rules::{Color, Position, Variant};

use crate::made_up::caravan;
use crate::playing;

fn judged(game: &str, text: &str) -> Vec<Judged> {
    let variant = Variant::find(game, &[]).unwrap();
    judge::judge(&pasted(text), &GameChoice::Given(variant)).unwrap()
}

/// The canonical moves of each match of a text, and its errors.
fn told(game: &str, text: &str) -> Vec<(String, Vec<String>)> {
    judged(game, text)
        .into_iter()
        .map(|judged| {
            let steps = judged.game.record().steps();
            let moves: Vec<String> = steps.iter().map(|step| step.text.clone()).collect();
            let errors = judged
                .problems
                .iter()
                .filter(|problem| {
                    problem.severity == parapost::notation::diagnostic::Severity::Error
                })
                .map(|problem| {
                    let place = problem.place;
                    format!("{}:{}: {}", place.line, place.column, problem.message)
                });
            (moves.join(" "), errors.collect())
        })
        .collect()
}

#[track_caller]
fn assert_told(game: &str, text: &str, expected: &[&str]) {
    let told = told(game, text);
    let moves: Vec<&str> = told.iter().map(|(moves, _)| moves.as_str()).collect();
    assert_eq!(moves, expected, "{text}\n{told:?}");
    for (_, errors) in &told {
        assert!(errors.is_empty(), "{text}\n{errors:?}");
    }
}

/// All these texts tell the same four half-moves.
#[track_caller]
fn assert_four(text: &str) {
    assert_told("unachess", text, &["P>e3 n>g5 B>f4 n-e6"]);
}

#[track_caller]
fn assert_error(text: &str, error: &str) {
    let told = told("unachess", text);
    let errors: Vec<&String> = told.iter().flat_map(|(_, errors)| errors).collect();
    assert!(
        errors.iter().any(|other| other.starts_with(error)),
        "{text}\nexpected {error:?}, got {told:?}"
    );
}

#[test]
fn both_layouts_of_the_post() {
    assert_four("White       Black\n\n1.  P>e3    n>g5\n2.  B>f4    n-e6\n");
    assert_four("1. P>e3   n>g5\n2. B>f4   n-e6\n");
}

#[test]
fn numbers_in_every_form() {
    assert_four("1) P>e3 n>g5\n2) B>f4 n-e6");
    assert_four("1: P>e3 n>g5\n2: B>f4 n-e6");
    assert_four("1.P>e3 n>g5\n2.B>f4 n-e6");
    assert_four("1.P>e3\n1...n>g5\n2.B>f4\n2...n-e6");
    assert_four("1. P>e3\n1. ... n>g5\n2. B>f4\n2. ... n-e6");
    assert_four("1. P>e3\n1.. n>g5\n2. B>f4\n2… n-e6");
    assert_four("1 P>e3 n>g5\n2 B>f4 n-e6");
    assert_four("1 . P>e3 n>g5\n2 . B>f4 n-e6");
    assert_four("  1.\tP>e3\tn>g5\r\n  2.\tB>f4\tn-e6\r\n");
    assert_four("1. P>e3\n1. n>g5\n2. B>f4\n2. n-e6");
    assert_four("1. P>e3 ...\n1. ... n>g5\n2. B>f4 ...\n2. ... n-e6");
    assert_four("1.  P>e3    n>g5\n2.  B>f4\n2.          n-e6\n");
    assert_four("#1 P>e3 n>g5\n#2 B>f4 n-e6");
    assert_four("(1) P>e3 n>g5\n(2) B>f4 n-e6");
    assert_four("`1. P>e3 n>g5`\n**2.** B>f4 n-e6");
    assert_four("| 1. | P>e3 | n>g5 |\n| 2. | B>f4 | n-e6 |");
    assert_four("| # | White | Black |\n|---|---|---|\n| 1 | P>e3 | n>g5 |\n| 2 | B>f4 | n-e6 |");
    assert_four("<p>1. P&gt;e3 n&gt;g5<br>\n<b>2.</b> B&gt;f4 n-e6</p>");
    assert_four("P>e3 n>g5\nB>f4 n-e6");
    assert_four("P>e3\nn>g5\nB>f4\nn-e6\n");
    assert_four("1. P>e3\n   n>g5\n2. B>f4\n   n-e6\n");
}

#[test]
fn several_pairs_on_a_line_wherever_it_breaks() {
    assert_four("1. P>e3 n>g5 2. B>f4 n-e6");
    assert_four("1. P>e3 n>g5 2.\nB>f4 n-e6");
    assert_four("1. P>e3 n>g5 2. B>f4\nn-e6");
    assert_four("1. P>e3\nn>g5 2. B>f4 n-e6");
    assert_four("1.\nP>e3 n>g5\n2.\nB>f4 n-e6");
    assert_four("1. P>e3, n>g5; 2. B>f4, n-e6.");
    assert_four("1.P>e3,n>g5 2.B>f4,n-e6");
    assert_four("> 1. P>e3 n>g5 2.\n> B>f4 n-e6");
}

#[test]
fn marks_and_comment_signs() {
    let text = "1. K>h1   n>f2 !+\n2. Q>g2   k>d8  +\n";
    assert_told("unachess", text, &["K>h1 n>f2 Q>g2 k>d8"]);
    let text = "1. K>h1! n>f2!+ 2. Q>g2?! k>d8 ch";
    assert_told("unachess", text, &["K>h1 n>f2 Q>g2 k>d8"]);
    let text = "1. K>h1 !? n>f2 (=) 2. Q>g2 ?? k>d8 +";
    assert_told("unachess", text, &["K>h1 n>f2 Q>g2 k>d8"]);
    assert_told("chess", "1. f3 e5 2. g4 Qh4# 0-1", &["P-f3 p-e5 P-g4 q-h4"]);
    assert_told("chess", "1. f3 e5 2. g4 Qh4 mate", &["P-f3 p-e5 P-g4 q-h4"]);
}

#[test]
fn comments_of_every_kind() {
    assert_four("1. P>e3 {a {solid} start} n>g5 {1. N>f3 was\nanother} 2. B>f4 n-e6");
    assert_four("1. P>e3 ; 1. N>f3 as well\nn>g5 2. B>f4 n-e6");
    assert_four("1. P>e3 n>g5 (1... q>d8 2. N>f3) 2. B>f4 n-e6");
    assert_four("1. P>e3 n>g5 $1 2. B>f4 $2 n-e6 $14 *");
    assert_four("1. P>e3 (my favourite (really)) n>g5 [hm] 2. B>f4 n-e6");
    assert_four("1. P>e3 n>g5 - a surprise :-(\n2. B>f4 n-e6 ;-)");
    assert_four(
        "1. P>e3   n>g5   What is this?\n2. B>f4   n-e6   Aha. Back to e6 then n>g5 again?",
    );
    assert_four(
        "[Event \"a match by mail\"]\n[White \"Anna\"]\n\n1. P>e3 n>g5 2. B>f4 n-e6 1/2-1/2\n",
    );
    // A bracket that never closes swallows nothing.
    assert_four("1. P>e3 n>g5 (hm\n2. B>f4 n-e6\n\nbye)");
    assert_four("1. P>e3 {hm n>g5\n\n2. B>f4 n-e6");
}

#[test]
fn chat_between_the_lines() {
    assert_four(
        "Hello,\n\n1. P>e3 n>g5\n\nI thought of 2. Q>d4 for a while, or q>d8 for you.\n\n2. B>f4 n-e6\n\nYour move!\n",
    );
    assert_four(
        "1. P>e3   n>g5\nThere are 2. several reasons.\n1. e4 is not one.\n2. B>f4   n-e6\n",
    );
    // The number of the next move proves that a move behind words was played.
    assert_four(
        "1. P>e3 I like this n>g5\n2. B>f4 and so n-e6\n3. We'll see\n\n1. P>e3 n>g5 2. B>f4 n-e6",
    );
    let text = "1. P>e3 I like this n>g5\n2. B>f4 so that n-e6\n3. to be seen";
    assert_told("unachess", text, &["P>e3 n>g5 B>f4"]);
}

#[test]
fn quoted_at_any_depth_and_filled_in_by_hand() {
    assert_four("> 1.  P>e3    n>g5\n> 2.  B>f4    n-e6\n");
    assert_four(">1. P>e3 n>g5\n>>2. B>f4 n-e6\n");
    assert_four("| 1.  P>e3    n>g5\n| 2.  B>f4    n-e6\n");
    assert_four("AW> 1.  P>e3    n>g5\nAW> 2.  B>f4    n-e6\n");
    assert_four("\t1.  P>e3    n>g5\n\t2.  B>f4    n-e6\n");
    assert_four("&gt; 1. P&gt;e3 n&gt;g5\n&gt; 2. B&gt;f4 n-e6");
    assert_four(
        "On Friday, Anna wrote:\n> White       Black\n>\n> 1.  P>e3    n>g5\n> 2.  B>f4\n\n2. ... n-e6\n",
    );
    assert_four("> 1.  P>e3    n>g5\n> 2.  B>f4\n\nn-e6\n-- \n3. Q>d1\n");
    // The answer above a list that it quotes.
    assert_four("n-e6\n\n> 1.  P>e3    n>g5\n> 2.  B>f4\n");
    assert_four("n-e6\n\n> 1.  P>e3    n>g5\n> 2.  B>f4    n-e6\n");
}

#[test]
fn typographic_mail() {
    assert_four("1.\u{a0}P>e3\u{a0}n>g5\n2.\u{a0}B>f4\u{a0}n–e6");
    assert_four("\u{feff}1. P’e3 n‘g5\n2. “B>f4” n−e6");
    assert_four("1. *P>e3* _n>g5_\n2. `B>f4` 'n-e6'");
    assert_four("1. ♙>e3 ♞>g5\n2. ♗>f4 ♞-e6");
}

#[test]
fn other_notations() {
    assert_four("1. P@e3 N@g5 2. B@f4 Ne6");
    assert_four("1. P*e3 N*g5 2. B'f4 Ng5-e6");
    assert_four("1. p>e3 N>g5 2. b>f4 g5e6");
    assert_told(
        "chess",
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 Nf6",
        &["P-e4 p-e5 N-f3 n-c6 B-c4 b-c5 O-O n-f6"],
    );
}

#[test]
fn a_list_that_repeats_and_goes_on_is_the_same_match() {
    assert_four("1. P>e3 n>g5\n\n1. P>e3 n>g5\n2. B>f4 n-e6\n");
    assert_four("> 1. P>e3\n\n1. P>e3 n>g5\n\n2. B>f4 n-e6\n\n>> 1. P>e3\n");
    assert_four("1. P>e3 n>g5 2. B>f4 n-e6\n> 1. P@e3 N@g5\n> 2. B>f4\n");
    assert_four("1. P>e3 n>g5\n2. B>f4\n\n2. B>f4 n-e6\n");
    assert_four("1. P>e3\n1. n>g5\n\n1. P>e3\n1. n>g5\n2. B>f4\n2. n-e6\n");
    // In mails one below the other each may have been said alone as well.
    assert_four("n-e6\n\n> 1. P>e3 n>g5\n> 2. B>f4\n>\n> > n>g5\n\n2. ... n-e6");
}

#[test]
fn a_list_that_begins_again_otherwise_is_another_match() {
    assert_told(
        "unachess",
        "1. P>e3 n>g5 2. B>f4\n\n1. P>e3 n>g5 2. Q>f4\n1. N>f3",
        &["P>e3 n>g5 B>f4", "P>e3 n>g5 Q>f4", "N>f3"],
    );
}

#[test]
fn what_stands_only_in_a_sentence_counts_where_there_is_no_list() {
    assert_four("So far we have 1. P>e3 n>g5 2. B>f4 n-e6, and now?");
    assert_four("Subject: [k7] Unachess: 1. P>d3\n\n1. P>e3 n>g5 2. B>f4 n-e6\n\nor 1. P>d3?");
    assert_four("Moves: 1. P>e3 n>g5\n2. B>f4 n-e6\n");
    assert_four("1. P>e3 n>g5 and then 2. B>f4 n-e6");
    assert_four("1. P>e3 n>g5 and then 2. Q>d4 n-f3 perhaps\n2. B>f4 n-e6");
    let nothing = told("unachess", "I'll play n>g5 - your move. If B>f4 then n-e6.");
    assert!(nothing.is_empty(), "{nothing:?}");
}

/// Went wrong: a list that goes on behind words was lost without a word.
#[test]
fn a_list_that_goes_on_in_a_sentence_is_told() {
    for text in [
        "1. e4 e5 2. Nf3 Nc6\nWell, 3. Bb5 a6 4. Ba4 Nf6",
        "1. e4 e5 2. Nf3 Nc6\n\nMiddlegame: 3. Bb5 a6",
        "1. e4 e5\nbook 2. Nf3 Nc6 3.\nBb5 a6 4. Ba4 Nf6",
    ] {
        let judged = judged("chess", text);
        let mut problems = judged.iter().flat_map(|one| &one.problems);
        let is_told = |problem: &Problem| problem.message.contains("among other words");
        assert!(problems.any(is_told), "{text}\n{judged:?}");
    }
}

/// Went wrong: of several moves behind `White:` the second was taken for Black's, or lost.
#[test]
fn several_moves_behind_the_name_of_a_player_are_read_in_turn_or_refused() {
    let list = ["P>e3 n>g5 B>f4 n-e6"];
    for text in [
        "White: P>e3, B>f4\nBlack: n>g5, n-e6\n",
        "White: P>e3 B>f4\n\nBlack: n>g5 n-e6\n",
        "> White: P>e3, B>f4\n> Black: n>g5, n-e6\n",
        "White: P>e3\nBlack: n>g5\nWhite: B>f4\nBlack: n-e6\n",
    ] {
        assert_told("unachess", text, &list);
    }
    let odd = "White: P>e3, B>f4\nBlack: n>g5\nBlack: n-e6\n";
    assert_told("unachess", odd, &list);
    let chess = "White: e4, Nf3, Ng1, Nf3\nBlack: e5, Nf6, Ng8, Nf6\n";
    let moves = "P-e4 p-e5 N-f3 n-f6 N-g1 n-g8 N-f3 n-f6";
    assert_told("chess", chess, &[moves]);
    let unnamed = judge::judge(&pasted(chess), &GameChoice::Named(header::DEFAULT)).unwrap();
    assert_eq!(unnamed[0].variant.game().id, "chess");
    assert!(unnamed[0].is_legal(), "{:?}", unnamed[0].problems);
    for (text, place) in [
        ("White: P>e3, B>f4\n", "1:14"),
        ("White: P>e3 n>g5\n", "1:13"),
        ("White: P>e3, B>f4, K>e1\nBlack: n>g5\n", "1:14"),
        ("White: P>e3\nBlack: n>g5, n-e6\n", "2:14"),
    ] {
        assert_error(text, &format!("{place}: this line has several moves of"));
    }
    assert_told("kingchess", "White: K>b1,B>b2\n", &["K>b1,B>b2"]);
}

/// Went wrong: a sentence that begins with a move was a row of the list above it.
#[test]
fn a_sentence_below_a_list_is_no_row_of_it() {
    for (text, plies) in [
        ("1. e4 c6\n2. d4\nc5 is weak now.\n", 3),
        ("1. e4 e5\n2. Nf3\nNc6 Bb5 is the Spanish game\n", 3),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5\na6 would be Morphy's\n", 5),
    ] {
        let judged = judged("chess", text);
        assert_eq!(judged[0].game.record().steps().len(), plies, "{text}");
        let last = text.lines().count();
        let mut problems = judged[0].problems.iter();
        let is_told = |problem: &Problem| problem.message.contains("is not judged");
        let told = problems.find(|problem| is_told(problem));
        assert!(told.is_some_and(|one| one.place.line == last), "{text}");
    }
    let apart = "1. e4 e5\n2. Nf3 Nc6\n\nI like Bh4\nc5 is weak\n";
    assert_told("chess", apart, &["P-e4 p-e5 N-f3 n-c6"]);
    // The list goes on behind the words.
    let more = "1. e4 e5\n2. Nf3\nNc6 is usual\n3. Bb5 a6\n";
    assert_told("chess", more, &["P-e4 p-e5 N-f3 n-c6 B-b5 p-a6"]);
    let remark = "1. e4 e5\n2. Nf3 Nc6 is usual\n3. Bb5 a6\n";
    assert_told("chess", remark, &["P-e4 p-e5 N-f3 n-c6 B-b5 p-a6"]);
}

#[test]
fn faults_of_a_list_are_told_with_their_place() {
    assert_error("1. P>e3 n>g5\n3. B>f4", "2:1: White's move 2 is missing");
    assert_error("1. P>e3\n2. B>f4", "2:1: Black's move 1 is missing");
    assert_error("2. P>e3", "1:1: the list begins here, with White's move 2");
    assert_error(
        "1... n>g5",
        "1:1: the list begins here, with Black's move 1",
    );
    assert_error(
        "1. P>e3 n>g5\n2. B>f4\n2. Q>f4",
        "3:4: this is not what line 2 has as White's move 2: B>f4",
    );
    assert_error("1. P>e3 n>g9", "1:9: ");
    assert_error("1. P>e3 n>gg5", "1:9: 'n>gg5' is not a move");
    assert_error("1. K> h1 n>g5", "1:4: 'K> h1' has a blank beside the '>'");
    assert_error("1. P>e3 n> g5\n", "1:9: 'n> g5' has a blank beside the '>'");
    assert_error("1. P > e3 n>g5", "1:4: 'P > e3' has a blank beside the '>'");
    assert_error(
        "1. P>e3 n>g5 2. B>f4 n - e6",
        "1:22: 'n - e6' is not a move",
    );
    assert_error(
        "> 1. P>e3\nn> g5",
        "2:1: 'n> g5' has a blank beside the '>'",
    );
    assert_error("1. P>e3\n\nn>j5\n", "3:1: there is no square j5");
    assert_error(
        "1. P>e3 n>g5\n99999. B>f4",
        "2:1: White's move 2 is missing",
    );
    assert_error("n>j5\n\n> 1. P>e3\n", "1:1: there is no square j5");
    assert_error("1. P>e3 Pe3", "1:9: ");
    assert_error("1. P>e3 p>e3", "1:9: ");
}

#[test]
fn placements_are_one_move() {
    let text = "\
White       Black

1.  K>b1,B>b2,P>b3,P>c2,P>f4,P>g4
            k>b8,b>b7,p>b6,p>c7,p>f6,p>g5
2.  N>c3    n>f8
";
    let moves = "K>b1,B>b2,P>b3,P>c2,P>f4,P>g4 k>b8,b>b7,p>b6,p>c7,p>f6,p>g5 N>c3 n>f8";
    assert_told("kingchess", text, &[moves]);
    assert_eq!(
        MoveList::of(judged("kingchess", text)[0].game.record()).to_string(),
        text
    );
    for text in [
        "1. K>b1, B>b2, P>b3, P>c2, P>f4, P>g4 k>b8, b>b7, p>b6, p>c7, p>f6, p>g5 2. N>c3 n>f8",
        "1. Kb1,Bb2,pp: b3,c2,f4,g4  Kb8,Bb7,pp: b6,c7,g5,f6\n2. N>c3 n>f8",
        "White: Kb1,Bb2,pp: b3,c2,f4,g4\nBlack: Kb8,Bb7,pp: b6,c7,g5,f6\n\n2. N>c3 n>f8",
        "> 1. K>b1,B>b2,P>b3,\n>    P>c2,P>f4,P>g4\n>   k>b8,b>b7,p>b6,p>c7,\n> p>f6,p>g5\n> 2. N>c3 n>f8",
    ] {
        assert_told("kingchess", text, &[moves]);
    }
}

/// The list of a match, played from text.
fn list(game: &str, moves: &str) -> String {
    let variant = Variant::find(game, &[]).unwrap();
    let record = judge::record(moves, &variant).unwrap_or_else(|error| panic!("{error}"));
    MoveList::of(&record).to_string()
}

#[test]
fn columns_are_as_wide_as_they_must_be() {
    assert_eq!(list("chess", ""), "");
    assert_eq!(list("chess", "1. e4"), "White       Black\n\n1.  P-e4\n");
    assert_eq!(
        list("unachess", "1. K>h1 n>f2 2. Q>g2 k>d8"),
        "White       Black\n\n1.  K>h1    n>f2 !+\n2.  Q>g2    k>d8 +\n"
    );
    assert_eq!(
        list("unachess", "1. K>h1 k>d8 2. Q>d4 n>d7 3. R>a8"),
        "White       Black\n\n1.  K>h1    k>d8\n2.  Q>d4 +  n>d7\n3.  R>a8 +\n"
    );
    // Seven characters widen White's column.
    assert_eq!(
        list("unachess", "1. B>f2 k>g1 2. N>b5 q>a1"),
        "White        Black\n\n1.  B>f2     k>g1\n2.  N>b5 !+  q>a1\n"
    );
    assert_eq!(
        list("shogi", "1. P-7f P-3d"),
        "Sente       Gote\n\n1.  P-c4    p-g6\n"
    );
}

#[test]
fn every_row_has_the_wider_column_from_the_hundredth_move_on() {
    let variant = Variant::find("chess", &[]).unwrap();
    let mut rng = fastrand::Rng::with_seed(100);
    let record = std::iter::repeat_with(|| playing::game(&variant, 201, &mut rng))
        .find(|record| record.steps().len() == 201)
        .unwrap();
    let text = MoveList::of(&record).to_string();
    let mut rows = text.lines();
    let heading = rows.next().unwrap();
    let second = heading.find("Black").unwrap();
    assert!(second > 12, "{heading}");
    assert_eq!(rows.next(), Some(""));
    for (number, row) in (1..).zip(rows) {
        assert_eq!(row[..5].trim_end(), format!("{number}."), "{row}");
        assert!(!row[5..].starts_with(' '), "{row}");
        assert!(
            row.len() < second || !row[second..].starts_with(' '),
            "{row}"
        );
    }
    // And one less than that has the narrow one.
    let mut record = record;
    while record.steps().len() > 198 {
        record.undo();
    }
    let text = MoveList::of(&record).to_string();
    let last = text.lines().last().unwrap();
    assert!(
        last.starts_with("99. ") && !last[4..].starts_with(' '),
        "{last}"
    );
}

/// The names before the moves of a list are those of the game.
#[test]
fn a_list_names_the_players_of_its_game() {
    let variant = Variant::new(&caravan(), &[]).expect("no options");
    let list = "North: P-e4\nSouth: p-e6\nNORTH: P-d4\nSouth: p-d6\n";
    let record = judge::record(list, &variant).unwrap_or_else(|error| panic!("{error}"));
    let played: Vec<&str> = record
        .steps()
        .iter()
        .map(|step| step.text.as_str())
        .collect();
    assert_eq!(played, ["P-e4", "p-e6", "P-d4", "p-d6"]);
    let manners = |list: &str| {
        let text = reader::read(list, &variant);
        text.moves().map(|moves| moves.manner).collect::<Vec<_>>()
    };
    let named = |color| Manner::Named(color);
    let [north, south] = Color::ALL.map(named);
    assert_eq!(manners(list), [north, south, north, south]);
    // Names that other games use are understood, too; any other word is prose.
    let of_shogi = list.replace("South", "Gote");
    assert_eq!(manners(&of_shogi), [north, south, north, south]);
    let unknown = list.replace("South", "East");
    assert_eq!(
        manners(&unknown),
        [north, Manner::Prose, north, Manner::Prose]
    );
}

/// Of a list that the program wrote no move was played without its meanings being looked
/// for among all legal moves, several times over.
#[test]
fn a_canonical_list_needs_no_reading_of_its_moves() {
    let mut rng = fastrand::Rng::with_seed(150);
    for variant in crate::variants::variants() {
        let record = playing::game(&variant, 150, &mut rng);
        let text = MoveList::of(&record).to_string();
        let by = GameChoice::Given(variant.clone());
        let before = listed_moves_interpreted();
        let judged = judge::judge(&pasted(&text), &by).unwrap();
        assert_eq!(
            listed_moves_interpreted(),
            before,
            "{} {text}",
            variant.game().id
        );
        assert_eq!(judged[0].game.record(), &record);
        assert_eq!(judged[0].problems, []);
    }
    let by = GameChoice::Given(Variant::find("chess", &[]).unwrap());
    let before = listed_moves_interpreted();
    judge::judge(&pasted("1. e4 p-e5 2. N-f3 n-c6+"), &by).unwrap();
    assert_eq!(
        listed_moves_interpreted(),
        before + 3,
        "SAN, a small letter where there is SAN, too, and a wrong mark"
    );
}

/// Went wrong: `G3-f2`, the gold of the third rank, may as well be whatever stands on g3.
#[test]
fn a_clear_text_names_no_square_of_another_piece() {
    let shogi = Variant::find("shogi", &[]).unwrap();
    let position = Position::from_fen(&shogi, "k8/9/9/9/9/9/5GS2/9/5G2K[] w").unwrap();
    let plies = position.legal_plies();
    let mut said = Vec::new();
    for ply in plies {
        let text = clear_text(&position, &ply).unwrap();
        let read = position.read_with(&text, Voice::Alone);
        assert_eq!(read.unwrap().ply, ply, "{text}");
        said.push(text);
    }
    assert!(said.contains(&"Gf3-f2".to_owned()), "{said:?}");
}

//! Games by mail for the benchmarks: random ones, a letter for each half-move.

use parapost::rules::notation::Voice;
use parapost::rules::{Record, Variant};

/// Returns the letters of a game of Unachess that lasts so long, with the id `m` and a number.
pub(crate) fn letters(number: usize, plies: usize) -> Vec<String> {
    let variant = Variant::find("unachess", &[]).expect("a game");
    let texts = (0..).find_map(|attempt| {
        let mut random = fastrand::Rng::with_seed((number * 1000 + attempt) as u64);
        let mut record = Record::new(variant.start());
        let mut texts = Vec::new();
        while texts.len() < plies {
            let plies: Vec<_> = record.position().legal_plies().collect();
            let ply = random.choice(plies)?;
            let text = record.position().text(&ply);
            // A small b that is the bishop's or the b-pawn's is asked about.
            record.position().read_with(&text, Voice::Alone).ok()?;
            texts.push(text);
            record.play(&ply).ok()?;
        }
        record.outcome().is_none().then_some(texts)
    });
    let texts = texts.expect("some game lasts");
    let letter = |(index, text): (usize, String)| {
        let (who, dots) = [("anna", "."), ("ben", "...")][index % 2];
        format!(
            "Received: from mail.example.org by mx.example.org; Fri, 20 Nov 2026 03:00:00 +0000\r\n\
             From: {who} <{who}@example.org>\r\nTo: ref@example.org\r\n\
             Date: Fri, 20 Nov 2026 03:00:00 +0000\r\nSubject: Re: [m{number}] Unachess\r\n\
             Message-ID: <{index}.{number}@{who}.test>\r\nMIME-Version: 1.0\r\n\
             Content-Type: text/plain; charset=utf-8\r\n\r\n{}{dots} {text}\r\n",
            index / 2 + 1
        )
    };
    texts.into_iter().enumerate().map(letter).collect()
}

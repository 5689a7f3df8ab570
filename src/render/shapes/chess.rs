//! The outlines of the pieces of chess, in a box of 100 by 100, drawn for this program.

use crate::rules::Role;

/// A piece of chess.
pub(in crate::render) struct Shape {
    /// The outline, which is filled.
    pub(in crate::render) outline: &'static str,
    /// The lines inside it.
    pub(in crate::render) details: &'static str,
}

/// Returns the shape of a role; none if it is a role of shogi alone.
pub(in crate::render) fn of(role: Role) -> Option<&'static Shape> {
    Some(match role {
        Role::King => &KING,
        Role::Queen => &QUEEN,
        Role::Rook => &ROOK,
        Role::Bishop => &BISHOP,
        Role::Knight => &KNIGHT,
        Role::Pawn => &PAWN,
        _ => return None,
    })
}

static KING: Shape = Shape {
    outline: "M46 5H54V11H60V18H54V25H46V18H40V11H46ZM50 31C57 21 85 22 85 44C85 54 77 60 74 69H26\
        C23 60 15 54 15 44C15 22 43 21 50 31ZM26 69H74L73 76Q78 80 78 88H22Q22 80 27 76Z",
    details: "M50 33V60M27 62Q50 55 73 62M29 79H71",
};

static QUEEN: Shape = Shape {
    outline: "M25 68L14 35L34 56L31 26L45 53L50 20L55 53L69 26L66 56L86 35L75 68ZM25 68H75L73 76\
        Q78 80 78 88H22Q22 80 27 76ZM9 30A5.5 5.5 0 1 0 20 30A5.5 5.5 0 1 0 9 30ZM25.5 20\
        A5.5 5.5 0 1 0 36.5 20A5.5 5.5 0 1 0 25.5 20ZM44.5 14A5.5 5.5 0 1 0 55.5 14\
        A5.5 5.5 0 1 0 44.5 14ZM63.5 20A5.5 5.5 0 1 0 74.5 20A5.5 5.5 0 1 0 63.5 20ZM80 30\
        A5.5 5.5 0 1 0 91 30A5.5 5.5 0 1 0 80 30Z",
    details: "M28 68H72M29 79H71",
};

static ROOK: Shape = Shape {
    outline: "M24 16H36V24H44V16H56V24H64V16H76V34L68 41V64L75 72Q79 77 79 88H21Q21 77 25 72L32 64\
        V41L24 34Z",
    details: "M34 41H66M34 64H66M27 77H73",
};

static BISHOP: Shape = Shape {
    outline: "M45 12A5.5 5.5 0 1 0 56 12A5.5 5.5 0 1 0 45 12ZM50.5 18C61 25 69 36 69 47\
        C69 54 65 59 61 62H40C36 59 32 54 32 47C32 36 40 25 50.5 18ZM40 62H61L63 71H38Z\
        M38 71H63C64 76 79 74 79 88H22C22 74 37 76 38 71Z",
    details: "M50.5 33V51M42 42H59M41 62H60M39 71H62",
};

static KNIGHT: Shape = Shape {
    outline: "M31 88C31 74 37 67 46 60C52 55 55 50 54 45C49 51 43 53 37 54C33 58 31 63 26 65\
        C23 66 21 64 22 61C18 64 14 61 13 57C12 51 19 46 22 39C24 32 28 27 35 23L33 11L43 18\
        L48 10L54 19C72 23 84 44 82 88Z",
    details: "M58 27C69 34 75 50 74 79M33 36L40 33M19 55L21 53",
};

static PAWN: Shape = Shape {
    outline: "M50 15A13.5 13.5 0 0 1 58.5 39C61 40 64 42 64 46H57C58 57 64 66 72 73Q77 78 77 88H23\
        Q23 78 28 73C36 66 42 57 43 46H36C36 42 39 40 41.5 39A13.5 13.5 0 0 1 50 15Z",
    details: "M44 46H56M31 77H69",
};

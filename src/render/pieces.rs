//! The pieces in their colours, and their outlines as data. The sides differ by fill and by
//! outline, in shogi by direction, too.
//!
//! Outlines and strokes are written in the language of SVG's paths. All are drawn for this
//! program, so that no picture needs a font. A piece lies in a box of 100 by 100.

use std::fmt::Write as _;

use crate::rules::{Color, Piece, Role, Rules};

/// The style of the pieces.
pub(super) struct Pieces {
    pub(super) is_shogi: bool,
    pub(super) is_flipped: bool,
    pub(super) has_letters: bool,
}

/// The colours of a player's pieces.
struct Inks {
    fill: &'static str,
    outline: &'static str,
    /// The lines inside, characters and letters.
    line: &'static str,
    /// The same on a promoted piece.
    promoted: &'static str,
}

/// The light rim of a dark piece.
const RIM: &str = "#fbf6e9";

const CHESS: [Inks; 2] = [
    Inks {
        fill: "#ffffff",
        outline: "#1d1b18",
        line: "#1d1b18",
        promoted: "",
    },
    Inks {
        fill: "#34302c",
        outline: "#141210",
        line: RIM,
        promoted: "",
    },
];

const SHOGI: [Inks; 2] = [
    Inks {
        fill: "#fdf0d0",
        outline: "#3a2c17",
        line: "#1c1510",
        promoted: "#b3201a",
    },
    Inks {
        fill: "#4a3a2c",
        outline: "#1a120b",
        line: "#fff6df",
        promoted: "#ffb4a2",
    },
];

/// Returns true if pieces promote, and belong to shogi.
pub(super) fn are_of_shogi(rules: &Rules) -> bool {
    rules.kinds.iter().any(|kind| kind.role.is_promoted())
}

/// Returns the name of a piece in the picture.
pub(super) fn id(piece: Piece) -> String {
    let promoted = if piece.role.is_promoted() { "p" } else { "" };
    format!("{}{promoted}{}", piece.color.letter(), piece.role.letter())
}

impl Pieces {
    /// Defines a piece, in a box of 100 by 100.
    pub(super) fn definition(&self, piece: Piece) -> String {
        format!("<g id=\"{}\">{}</g>", id(piece), self.body(piece))
    }

    /// Draws a piece, in a box of 100 by 100.
    pub(super) fn body(&self, piece: Piece) -> String {
        match chess_piece(piece.role) {
            Some(shape) if !self.is_shogi => man(shape, piece.color),
            _ => self.tile(piece),
        }
    }

    /// Draws a player's sign around a place: a disc, or a piece of shogi without a face.
    pub(super) fn badge(&self, color: Color, x: i32, y: i32) -> String {
        if self.is_shogi {
            let body = self.wood(color);
            let (x, y) = (x - 29, y - 28);
            return format!("<g transform=\"translate({x} {y}) scale(0.58)\">{body}</g>");
        }
        let Inks { fill, outline, .. } = &CHESS[color.index()];
        let rim = match color {
            Color::White => String::new(),
            Color::Black => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"24\" fill=\"{RIM}\"/>"),
        };
        format!(
            "{rim}<circle cx=\"{x}\" cy=\"{y}\" r=\"20\" fill=\"{fill}\" stroke=\"{outline}\" \
             stroke-width=\"4\"/>"
        )
    }

    /// Returns true if a player's pieces of shogi point down.
    fn points_down(&self, color: Color) -> bool {
        (color == Color::Black) != self.is_flipped
    }

    /// Draws a piece of shogi without a face.
    fn wood(&self, color: Color) -> String {
        let Inks { fill, outline, .. } = &SHOGI[color.index()];
        let shape = TILE;
        let turned = self.turned(color);
        let rim = match color {
            Color::White => String::new(),
            Color::Black => format!(
                "<path d=\"{shape}\"{turned} fill=\"{RIM}\" stroke=\"{RIM}\" stroke-width=\"9\"/>"
            ),
        };
        format!(
            "{rim}<path d=\"{shape}\"{turned} fill=\"{fill}\" stroke=\"{outline}\" \
             stroke-width=\"3.5\"/>"
        )
    }

    fn turned(&self, color: Color) -> &'static str {
        if self.points_down(color) {
            " transform=\"rotate(180 50 50)\""
        } else {
            ""
        }
    }

    /// Draws a piece of shogi.
    fn tile(&self, piece: Piece) -> String {
        let is_promoted = piece.role.is_promoted();
        let inks = &SHOGI[piece.color.index()];
        let ink = if is_promoted {
            inks.promoted
        } else {
            inks.line
        };
        let turned = self.turned(piece.color);
        let mut body = self.wood(piece.color);
        if is_promoted {
            // Writing to a text cannot fail.
            let _ = write!(
                body,
                "<path d=\"{PROMOTED_TILE}\"{turned} fill=\"none\" stroke=\"{ink}\" stroke-width=\"3\"/>",
            );
        }
        body += &if self.has_letters {
            letters(piece.role, ink, self.points_down(piece.color))
        } else {
            character(piece.role, ink, turned)
        };
        body
    }
}

/// Draws a character. That of a promoted piece is smaller: a second line is around it.
fn character(role: Role, ink: &str, turned: &str) -> String {
    let strokes = strokes(role);
    let (small, width) = if role.is_promoted() {
        (" transform=\"translate(6.5 7.5) scale(0.87)\"", "6.2")
    } else {
        ("", "5.4")
    };
    format!(
        "<g{turned} fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width}\">\
         <path d=\"{strokes}\"{small}/></g>"
    )
}

/// Draws the letter of a piece, upright whatever way the piece points, with a `+` if it
/// is promoted.
fn letters(role: Role, ink: &str, points_down: bool) -> String {
    let up = if points_down { 14 } else { 0 };
    let letter = sign(role.letter());
    let signs = if role.is_promoted() {
        format!(
            "<path d=\"{}\" transform=\"translate(21 {}) scale(0.5)\"/>\
             <path d=\"{letter}\" transform=\"translate(44 {}) scale(0.78)\"/>",
            sign('+'),
            42 - up,
            35 - up
        )
    } else {
        format!(
            "<path d=\"{letter}\" transform=\"translate(33 {}) scale(0.85)\"/>",
            32 - up
        )
    };
    format!("<g fill=\"none\" stroke=\"{ink}\" stroke-width=\"10.5\">{signs}</g>")
}

/// Draws a piece of chess.
fn man(shape: &PieceShape, color: Color) -> String {
    let PieceShape { outline, details } = shape;
    let inks = &CHESS[color.index()];
    let (rim, width, thin) = match color {
        Color::White => (String::new(), "5", "3.5"),
        Color::Black => (
            format!("<path d=\"{outline}\" fill=\"{RIM}\" stroke=\"{RIM}\" stroke-width=\"10\"/>"),
            "4",
            "4",
        ),
    };
    format!(
        "{rim}<path d=\"{outline}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{width}\"/>\
         <path d=\"{details}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{thin}\"/>",
        inks.fill, inks.outline, inks.line
    )
}

/// A piece of chess.
pub(super) struct PieceShape {
    /// The outline, which is filled.
    pub(super) outline: &'static str,
    /// The lines inside it.
    pub(super) details: &'static str,
}

/// Returns the shape of a role; none if it is a role of shogi alone.
pub(super) fn chess_piece(role: Role) -> Option<&'static PieceShape> {
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

static KING: PieceShape = PieceShape {
    outline: "M46 5H54V11H60V18H54V25H46V18H40V11H46ZM50 31C57 21 85 22 85 44C85 54 77 60 74 69H26\
        C23 60 15 54 15 44C15 22 43 21 50 31ZM26 69H74L73 76Q78 80 78 88H22Q22 80 27 76Z",
    details: "M50 33V60M27 62Q50 55 73 62M29 79H71",
};

static QUEEN: PieceShape = PieceShape {
    outline: "M25 68L14 35L34 56L31 26L45 53L50 20L55 53L69 26L66 56L86 35L75 68ZM25 68H75L73 76\
        Q78 80 78 88H22Q22 80 27 76ZM9 30A5.5 5.5 0 1 0 20 30A5.5 5.5 0 1 0 9 30ZM25.5 20\
        A5.5 5.5 0 1 0 36.5 20A5.5 5.5 0 1 0 25.5 20ZM44.5 14A5.5 5.5 0 1 0 55.5 14\
        A5.5 5.5 0 1 0 44.5 14ZM63.5 20A5.5 5.5 0 1 0 74.5 20A5.5 5.5 0 1 0 63.5 20ZM80 30\
        A5.5 5.5 0 1 0 91 30A5.5 5.5 0 1 0 80 30Z",
    details: "M28 68H72M29 79H71",
};

static ROOK: PieceShape = PieceShape {
    outline: "M24 16H36V24H44V16H56V24H64V16H76V34L68 41V64L75 72Q79 77 79 88H21Q21 77 25 72L32 64\
        V41L24 34Z",
    details: "M34 41H66M34 64H66M27 77H73",
};

static BISHOP: PieceShape = PieceShape {
    outline: "M45 12A5.5 5.5 0 1 0 56 12A5.5 5.5 0 1 0 45 12ZM50.5 18C61 25 69 36 69 47\
        C69 54 65 59 61 62H40C36 59 32 54 32 47C32 36 40 25 50.5 18ZM40 62H61L63 71H38Z\
        M38 71H63C64 76 79 74 79 88H22C22 74 37 76 38 71Z",
    details: "M50.5 33V51M42 42H59M41 62H60M39 71H62",
};

static KNIGHT: PieceShape = PieceShape {
    outline: "M31 88C31 74 37 67 46 60C52 55 55 50 54 45C49 51 43 53 37 54C33 58 31 63 26 65\
        C23 66 21 64 22 61C18 64 14 61 13 57C12 51 19 46 22 39C24 32 28 27 35 23L33 11L43 18\
        L48 10L54 19C72 23 84 44 82 88Z",
    details: "M58 27C69 34 75 50 74 79M33 36L40 33M19 55L21 53",
};

static PAWN: PieceShape = PieceShape {
    outline: "M50 15A13.5 13.5 0 0 1 58.5 39C61 40 64 42 64 46H57C58 57 64 66 72 73Q77 78 77 88H23\
        Q23 78 28 73C36 66 42 57 43 46H36C36 42 39 40 41.5 39A13.5 13.5 0 0 1 50 15Z",
    details: "M44 46H56M31 77H69",
};

/// The outline of every piece of shogi; it points to the opponent's side.
pub(super) const TILE: &str = "M50 5L77 17L87 93H13L23 17Z";

/// A second line within the outline of a promoted piece.
pub(super) const PROMOTED_TILE: &str = "M50 10.5L73.5 21L82 88.5H18L26.5 21Z";

/// Returns the strokes of a role's character; those of a king for a role of chess alone.
pub(super) fn strokes(role: Role) -> &'static str {
    match role {
        // 玉
        Role::King | Role::Queen => "M31 33H69M50 33V79M34 55H66M27 79H73M60 64L67 71",
        // 飛
        Role::Rook => {
            "M30 30H60C60 40 65 47 72 47M71 31L64 35M65 38L72 42M45 40L31 45M27 59H53M39 43V66\
             C38 75 34 80 28 84M53 40V85M59 58H66C66 69 68 79 75 82M75 60L69 63M69 68L75 72"
        }
        // 角
        Role::Bishop => {
            "M45 26C41 33 35 39 28 43M44 32H60L53 42M34 43V66C33 75 31 81 27 85M34 43H68V79\
             Q68 85 60 84M34 56H68M34 69H68M51 43V69"
        }
        // 金
        Role::Gold => {
            "M50 27L26 49M50 27L74 49M38 48H62M31 60H69M50 48V82M37 67L41 75M63 66L59 75M27 83H73"
        }
        // 銀
        Role::Silver => {
            "M36 27L25 43M36 27L46 40M30 45H42M27 56H45M36 45V79M28 63L31 72M44 62L41 71M26 83\
             L47 78M54 29H71V53H54M54 41H71M54 29V82L63 77M73 58L62 66M59 54C61 67 67 77 76 83"
        }
        // 桂
        Role::Knight => {
            "M25 41H45M35 28V85M34 45L25 63M36 46L44 56M50 36H74M62 28V50M48 51H76M51 66H73M62 57\
             V83M47 84H77"
        }
        // 香
        Role::Lance => {
            "M63 27L37 32M27 41H73M50 30V58M48 42L28 57M52 42L72 57M36 62H64V85H36ZM36 73.5H64"
        }
        // 歩
        Role::Pawn => {
            "M50 27V53M50 38H67M35 35V53M26 53H74M50 59V73M38 61L31 69M62 60L70 67M70 68\
             C63 78 49 83 33 86"
        }
        // 竜
        Role::Dragon => {
            "M50 26V34M31 35H69M40 39L43 47M60 39L57 47M26 49H74M33 55H67V75H33ZM33 65H67M50 55\
             V80Q50 85 56 85H70Q75 85 75 78"
        }
        // 馬
        Role::Horse => {
            "M32 29V63H71C71 73 70 80 67 85L60 83M32 29H68M32 40H65M32 51H65M49 29V63M28 71L25 82\
             M38 71L41 79M48 70L51 77M58 69L61 75"
        }
        // 全
        Role::PromotedSilver => "M50 26L25 49M50 26L75 49M35 52H65M50 52V83M36 67H64M27 84H73",
        // 圭
        Role::PromotedKnight => "M34 37H66M50 28V53M28 53H72M34 68H66M50 58V84M26 84H74",
        // 杏
        Role::PromotedLance => "M27 40H73M50 27V61M48 42L28 59M52 42L72 59M35 65H65V85H35Z",
        // と
        Role::Tokin => "M42 29C42 38 45 46 48 51M68 40C50 48 33 57 33 69C33 82 50 85 70 81",
    }
}

/// Returns the strokes of a sign: a digit, `½`, `+`, a file's letter or the capital of a
/// piece. Any other sign is blank. The strokes lie in a box 40 wide and 60 high that stands
/// on the line y = 60.
pub(super) fn sign(sign: char) -> &'static str {
    match sign {
        'K' => "M6 0V60M35 0L6 36M16 27L37 60",
        'R' => "M6 60V0H20C30 0 35 6 35 16C35 26 30 32 20 32H6M20 32L36 60",
        'B' => {
            "M6 0V60H21C31 60 36 53 36 45C36 36 31 30 21 30H6M6 0H19C28 0 33 6 33 15\
             C33 24 28 30 19 30"
        }
        'G' => "M35 12C32 4 27 0 20 0C9 0 4 13 4 30C4 47 9 60 20 60C31 60 36 52 36 33H23",
        'S' => {
            "M34 10C31 3 26 0 20 0C11 0 6 6 6 14C6 34 36 25 36 45C36 54 29 60 20 60\
             C12 60 7 57 4 49"
        }
        'N' => "M6 60V0L34 60V0",
        'L' => "M8 0V60H35",
        'P' => "M6 60V0H21C31 0 36 7 36 17C36 27 31 34 21 34H6",
        '+' => "M8 34H32M20 22V46",
        '0' => "M20 0C8 0 4 14 4 30C4 46 8 60 20 60C32 60 36 46 36 30C36 14 32 0 20 0Z",
        '1' => "M9 12L24 0V60",
        '2' => "M5 15C5 5 12 0 20 0C30 0 35 7 35 15C35 28 5 42 5 60H36",
        '3' => {
            "M6 8C9 3 14 0 20 0C29 0 34 6 34 14C34 23 27 28 17 28C29 28 36 34 36 44\
             C36 54 29 60 19 60C12 60 7 57 4 51"
        }
        '4' => "M28 60V0L3 42H37",
        '5' => {
            "M33 0H10L7 26C11 23 15 22 20 22C30 22 36 29 36 40C36 52 29 60 19 60C12 60 7 57 4 51"
        }
        '6' => {
            "M32 5C28 1 25 0 21 0C9 0 4 15 4 36C4 51 10 60 20 60C30 60 36 52 36 42\
             C36 31 30 24 21 24C13 24 6 30 4 38"
        }
        '7' => "M4 0H36C24 18 17 38 15 60",
        '8' => {
            "M20 28C11 28 6 22 6 14C6 6 11 0 20 0C29 0 34 6 34 14C34 22 29 28 20 28\
             C10 28 4 35 4 44C4 54 10 60 20 60C30 60 36 54 36 44C36 35 30 28 20 28Z"
        }
        '9' => {
            "M8 55C12 59 15 60 19 60C31 60 36 45 36 24C36 9 30 0 20 0C10 0 4 8 4 18\
             C4 29 10 36 19 36C27 36 34 30 36 22"
        }
        'a' => {
            "M34 22V60M34 41C34 30 28 22 20 22C10 22 4 30 4 41C4 52 10 60 20 60C28 60 34 52 34 41"
        }
        'b' => "M6 0V60M6 41C6 30 12 22 20 22C30 22 36 30 36 41C36 52 30 60 20 60C12 60 6 52 6 41",
        'c' => "M35 31C32 25 27 22 21 22C11 22 4 30 4 41C4 52 11 60 21 60C27 60 32 57 35 51",
        'd' => {
            "M34 0V60M34 41C34 30 28 22 20 22C10 22 4 30 4 41C4 52 10 60 20 60C28 60 34 52 34 41"
        }
        'e' => "M5 40H36C36 29 30 22 21 22C11 22 4 30 4 41C4 52 11 60 21 60C27 60 32 57 35 52",
        'f' => "M31 2C20 -2 15 4 15 14V60M5 24H28",
        'g' => {
            "M34 22V62C34 72 28 77 19 77C14 77 10 76 7 74M34 41C34 30 28 22 20 22C10 22 4 30 4 41\
             C4 52 10 60 20 60C28 60 34 52 34 41"
        }
        'h' => "M6 0V60M6 40C8 29 14 22 21 22C30 22 34 28 34 37V60",
        'i' => "M20 22V60M20 5V7",
        '½' => "M4 10L13 3V28M34 3L7 58M22 41C23 33 36 33 36 41C36 47 22 53 22 59H37",
        'Q' => "M20 0C8 0 3 14 3 30C3 46 8 60 20 60C32 60 37 46 37 30C37 14 32 0 20 0ZM24 44L38 62",
        _ => "",
    }
}

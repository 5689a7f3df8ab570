//! The pieces of shogi, in a box of 100 by 100: the outline that all of them have, and
//! the strokes of their characters, drawn for this program.

use crate::rules::Role;

/// The outline of every piece; it points to the opponent's side.
pub(in crate::render) const OUTLINE: &str = "M50 5L77 17L87 93H13L23 17Z";

/// A second line within the outline of a promoted piece.
pub(in crate::render) const PROMOTED: &str = "M50 10.5L73.5 21L82 88.5H18L26.5 21Z";

/// Returns the strokes of a role's character; those of a king for a role of chess alone.
pub(in crate::render) fn of(role: Role) -> &'static str {
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

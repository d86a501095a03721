//! How many columns a terminal gives to a character.
//!
//! Terminals draw ideographs, Hangul and most emoji in two columns, and put combining marks on top
//! of the character before them. The tables follow the Unicode properties *East_Asian_Width* and
//! *General_Category*; of combining marks they have the most common scripts only (Latin, Greek,
//! Cyrillic, Hebrew, Arabic, Devanagari, Thai, Hangul, kana). Other marks count as one column.

/// First and last of the ranges that are drawn in two columns, ascending.
const WIDE: [(u32, u32); 32] = [
    (0x1100, 0x115F),
    (0x231A, 0x231B),
    (0x2329, 0x232A),
    (0x23E9, 0x23EC),
    (0x2614, 0x2615),
    (0x2648, 0x2653),
    (0x26A1, 0x26A1),
    (0x26C4, 0x26C5),
    (0x2705, 0x2705),
    (0x2728, 0x2728),
    (0x274C, 0x274C),
    (0x2753, 0x2755),
    (0x2757, 0x2757),
    (0x2795, 0x2797),
    (0x2B1B, 0x2B1C),
    (0x2B50, 0x2B50),
    (0x2E80, 0x303E),
    (0x3041, 0x3247),
    (0x3250, 0x4DBF),
    (0x4E00, 0xA4CF),
    (0xA960, 0xA97C),
    (0xAC00, 0xD7A3),
    (0xF900, 0xFAFF),
    (0xFE30, 0xFE6B),
    (0xFF01, 0xFF60),
    (0xFFE0, 0xFFE6),
    (0x17000, 0x18D08),
    (0x1B000, 0x1B2FB),
    (0x1F300, 0x1F64F),
    (0x1F680, 0x1F6FF),
    (0x1F900, 0x1FAFF),
    (0x20000, 0x3FFFD),
];

/// First and last of the ranges that are drawn on top of what stands before, or not at all,
/// ascending.
const ZERO: [(u32, u32); 33] = [
    (0x0300, 0x036F),
    (0x0483, 0x0489),
    (0x0591, 0x05BD),
    (0x05BF, 0x05BF),
    (0x05C1, 0x05C2),
    (0x05C4, 0x05C5),
    (0x0610, 0x061A),
    (0x064B, 0x065F),
    (0x0670, 0x0670),
    (0x06D6, 0x06DC),
    (0x06DF, 0x06E4),
    (0x06E7, 0x06E8),
    (0x06EA, 0x06ED),
    (0x0900, 0x0902),
    (0x093C, 0x093C),
    (0x0941, 0x0948),
    (0x094D, 0x094D),
    (0x0E31, 0x0E31),
    (0x0E34, 0x0E3A),
    (0x0E47, 0x0E4E),
    (0x1160, 0x11FF),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x2064),
    (0x20D0, 0x20F0),
    (0x302A, 0x302D),
    (0x3099, 0x309A),
    (0xFE00, 0xFE0F),
    (0xFE20, 0xFE2F),
    (0xFEFF, 0xFEFF),
    (0xE0100, 0xE01EF),
];

/// The number of columns of a character that is not a control character: 0, 1 or 2.
pub(crate) fn char_width(character: char) -> usize {
    let code = u32::from(character);
    let is_in = |ranges: &[(u32, u32)]| {
        let place = ranges.partition_point(|&(_, last)| last < code);
        ranges.get(place).is_some_and(|&(first, _)| first <= code)
    };
    if is_in(&ZERO) {
        0
    } else if is_in(&WIDE) {
        2
    } else {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_ascending() {
        for ranges in [&WIDE[..], &ZERO[..]] {
            assert!(ranges.iter().all(|(first, last)| first <= last));
            assert!(ranges.windows(2).all(|pair| pair[0].1 < pair[1].0));
        }
    }

    #[test]
    fn widths() {
        for (text, widths) in [
            ("aé{", &[1, 1, 1][..]),
            ("e\u{301}", &[1, 0]),
            ("状态", &[2, 2]),
            ("한ｱＡ", &[2, 1, 2]),
            ("🍴✓", &[2, 1]),
            ("a\u{200d}\u{fe0f}", &[1, 0, 0]),
        ] {
            assert_eq!(text.chars().map(char_width).collect::<Vec<_>>(), widths, "{text}");
        }
    }
}

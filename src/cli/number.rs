//! How numbers are shown to people.

/// A number with its digits in groups of three: `212,258,800`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many things in so many seconds, as a rate in groups of three; a dash if the time was too short to tell.
pub(crate) fn rate(things: u64, seconds: f64) -> String {
    const SHORTEST: f64 = 1e-4;
    if seconds < SHORTEST { "-".to_owned() } else { grouped((things as f64 / seconds) as u64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_come_in_threes() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (12_345, "12,345"), (212_258_800, "212,258,800")];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
        assert_eq!(rate(3000, 2.0), "1,500");
        assert_eq!(rate(3000, 0.0), "-");
    }
}

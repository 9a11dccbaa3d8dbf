//! Fixed-point logarithms and decay, so that no decision depends on a float.

/// Thousandths of a doubling: the unit of every ordering term.
pub(crate) const DOUBLING: i64 = 1000;

/// Bits of fraction in the logarithm; twelve give a quarter of a thousandth of a doubling.
const LOG_BITS: u32 = 12;

/// `2^(-1 / 2^i)` for i = 1.., as fractions of 2^32.
const HALVINGS: [u64; 16] = [
    3037000500, 3611622603, 3938502376, 4112874773, 4202935003, 4248701965, 4271771996, 4283353945,
    4289156690, 4292061010, 4293513907, 4294240540, 4294603903, 4294785595, 4294876445, 4294921870,
];

/// One, as a fraction of 2^32.
const ONE: u64 = 1 << 32;

/// `log2(value)` in thousandths of a doubling; of zero as of one.
pub(crate) fn log2(value: u128) -> i64 {
    let value = value.max(1);
    let whole = 127 - value.leading_zeros();
    // Normalised to [1, 2) with 31 bits of fraction.
    let normal = if whole >= 31 { value >> (whole - 31) } else { value << (31 - whole) };
    let mut mantissa = u64::try_from(normal).expect("normalised to 32 bits");
    let mut fraction: i64 = 0;
    for _ in 0..LOG_BITS {
        mantissa = (mantissa * mantissa) >> 31;
        fraction <<= 1;
        if mantissa >= 1 << 32 {
            mantissa >>= 1;
            fraction |= 1;
        }
    }
    i64::from(whole) * DOUBLING + ((fraction * DOUBLING) >> LOG_BITS)
}

/// `2^(-span / half_life)` as a fraction of 2^32.
pub(crate) fn decay(span: u64, half_life: u64) -> u64 {
    let halvings = span / half_life;
    if halvings >= 32 {
        return 0;
    }
    let rest = (u128::from(span % half_life) << 16) / u128::from(half_life);
    let mut factor = ONE;
    for (index, halving) in HALVINGS.iter().enumerate() {
        if rest >> (15 - index) & 1 == 1 {
            factor = (factor * halving) >> 32;
        }
    }
    factor >> halvings
}

/// `2^log` of a logarithm in thousandths of a doubling; 1 for what is below.
pub(crate) fn exp2(log: i64) -> u128 {
    let log = u64::try_from(log).unwrap_or(0).min(120 * DOUBLING.unsigned_abs());
    let doublings = log.div_ceil(DOUBLING.unsigned_abs());
    let below = doublings * DOUBLING.unsigned_abs() - log;
    scale(1 << doublings, decay(below, DOUBLING.unsigned_abs())).max(1)
}

/// `value` times a fraction of 2^32.
pub(crate) fn scale(value: u128, factor: u64) -> u128 {
    // Split so that values up to 2^96 cannot overflow.
    let (high, low) = (value >> 32, value & u128::from(u32::MAX));
    high * u128::from(factor) + ((low * u128::from(factor)) >> 32)
}

/// What a constant rate of one per millisecond adds to a decaying sum over a span:
/// `half_life / ln 2 * (1 - 2^(-span / half_life))`, in milliseconds.
pub(crate) fn decayed_span(span: u64, half_life: u64) -> u128 {
    /// 1 / ln 2, as a fraction of 2^32.
    const INVERSE_LN_2: u128 = 6_196_328_019;
    let mean_life = (u128::from(half_life) * INVERSE_LN_2) >> 32;
    scale(mean_life, ONE - decay(span, half_life)).min(u128::from(span))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithm_is_right_to_a_thousandth_of_a_doubling() {
        for value in [1u128, 2, 3, 5, 10, 1000, 86_400_000, 1 << 40, (1 << 90) + 12345] {
            let exact = (value as f64).log2() * 1000.0;
            assert!((log2(value) as f64 - exact).abs() <= 1.3, "log2({value}) = {}", log2(value));
        }
    }

    #[test]
    fn logarithm_never_falls() {
        assert!((1..20_000u128).all(|value| log2(value) <= log2(value + 1)));
    }

    #[test]
    fn powers_undo_logarithms_to_a_thousandth() {
        for value in [1u128, 3, 1000, 86_400_000, 123_456_789_012, 1 << 60] {
            let back = exp2(log2(value));
            assert!(back.abs_diff(value) * 500 <= value.max(500), "{value} came back as {back}");
        }
    }

    #[test]
    fn decay_halves_after_one_half_life() {
        assert_eq!(decay(0, 1000), ONE);
        assert_eq!(decay(1000, 1000), ONE / 2);
        assert_eq!(decay(33_000, 1000), 0);
        let exact = 2f64.powf(-0.3) * ONE as f64;
        assert!((decay(300, 1000) as f64 / exact - 1.0).abs() < 1e-4);
    }

    #[test]
    fn a_constant_rate_saturates_at_the_mean_life() {
        assert_eq!(decayed_span(0, 1000), 0);
        assert!(decayed_span(10_000, 1_000_000).abs_diff(9966) <= 20);
        assert_eq!(decayed_span(1_000_000, 1000), 1442);
    }
}

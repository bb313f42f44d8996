//! Whether this CPU has what the binary was built for. Without the check, one that lacks it ends in an illegal
//! instruction.

/// Features that the binary was built for and this CPU lacks.
#[cfg(target_arch = "x86_64")]
pub(crate) fn missing_features() -> Vec<&'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // The standard macro for this is true for every feature that the build assumes, so the CPU is asked itself.
    let most = __cpuid(0).eax;
    let basic = __cpuid(1).ecx;
    let extended = if most >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    let advanced = if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
    let features = [
        ("SSE4.2", cfg!(target_feature = "sse4.2"), basic >> 20),
        ("POPCNT", cfg!(target_feature = "popcnt"), basic >> 23),
        ("AVX", cfg!(target_feature = "avx"), basic >> 28),
        ("FMA", cfg!(target_feature = "fma"), basic >> 12),
        ("LZCNT", cfg!(target_feature = "lzcnt"), advanced >> 5),
        ("BMI1", cfg!(target_feature = "bmi1"), extended >> 3),
        ("BMI2", cfg!(target_feature = "bmi2"), extended >> 8),
        ("AVX2", cfg!(target_feature = "avx2"), extended >> 5),
        ("AVX-512F", cfg!(target_feature = "avx512f"), extended >> 16),
        ("AVX-512BW", cfg!(target_feature = "avx512bw"), extended >> 30),
        ("AVX-512VL", cfg!(target_feature = "avx512vl"), extended >> 31),
    ];
    features.into_iter().filter(|(_, built_for, found)| *built_for && found & 1 == 0).map(|(name, ..)| name).collect()
}

/// Other architectures are not asked.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn missing_features() -> Vec<&'static str> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_cpu_that_runs_the_tests_has_what_they_were_built_for() {
        assert_eq!(super::missing_features(), Vec::<&str>::new());
    }
}

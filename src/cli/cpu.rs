//! Does this CPU have every instruction that this binary was compiled for? Asked before anything else runs.
//!
//! The CPU itself is asked: `is_x86_feature_detected!` answers `true` without looking for what the build assumes.

/// One CPU feature: its name, whether the build uses it, and where CPUID tells of it.
struct Feature {
    name: &'static str,
    used: bool,
    leaf: u32,
    register: Register,
    bit: u32,
}

#[derive(Clone, Copy)]
enum Register {
    Ebx,
    Ecx,
}

macro_rules! feature {
    ($name:tt, $leaf:literal, $register:ident, $bit:literal) => {
        Feature {
            name: $name,
            used: cfg!(target_feature = $name),
            leaf: $leaf,
            register: Register::$register,
            bit: $bit,
        }
    };
}

/// The instruction sets that a build of Volte may use beyond the first x86-64 (Intel SDM, volume 2, CPUID).
const FEATURES: [Feature; 16] = [
    feature!("sse3", 1, Ecx, 0),
    feature!("ssse3", 1, Ecx, 9),
    feature!("sse4.1", 1, Ecx, 19),
    feature!("sse4.2", 1, Ecx, 20),
    feature!("popcnt", 1, Ecx, 23),
    feature!("avx", 1, Ecx, 28),
    feature!("fma", 1, Ecx, 12),
    feature!("movbe", 1, Ecx, 22),
    feature!("bmi1", 7, Ebx, 3),
    feature!("avx2", 7, Ebx, 5),
    feature!("bmi2", 7, Ebx, 8),
    feature!("avx512f", 7, Ebx, 16),
    feature!("avx512cd", 7, Ebx, 28),
    feature!("avx512bw", 7, Ebx, 30),
    feature!("avx512vl", 7, Ebx, 31),
    feature!("lzcnt", 0x8000_0001, Ecx, 5),
];

/// The names of the features that this build uses and this CPU does not have.
pub(crate) fn missing_features() -> Vec<&'static str> {
    missing(cpuid)
}

/// The registers EBX and ECX of a CPUID leaf; zeros if the CPU does not know the leaf.
type Cpuid = fn(u32) -> (u32, u32);

fn missing(cpuid: Cpuid) -> Vec<&'static str> {
    let lacks = |feature: &&Feature| {
        let (ebx, ecx) = cpuid(feature.leaf);
        let register = match feature.register {
            Register::Ebx => ebx,
            Register::Ecx => ecx,
        };
        register >> feature.bit & 1 == 0
    };
    FEATURES.iter().filter(|feature| feature.used).filter(lacks).map(|feature| feature.name).collect()
}

#[cfg(target_arch = "x86_64")]
fn cpuid(leaf: u32) -> (u32, u32) {
    use std::arch::x86_64::{__cpuid, __cpuid_count};
    // The lowest leaf of a range tells the highest.
    if __cpuid(leaf & 0x8000_0000).eax < leaf {
        return (0, 0);
    }
    let answer = __cpuid_count(leaf, 0);
    (answer.ebx, answer.ecx)
}

/// Other processors have none of these features, and no build for them uses one.
#[cfg(not(target_arch = "x86_64"))]
fn cpuid(_: u32) -> (u32, u32) {
    (0, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_cpu_runs_this_test() {
        assert_eq!(missing_features(), Vec::<&str>::new());
    }

    #[test]
    fn a_cpu_without_anything_lacks_all_that_the_build_uses() {
        let used: Vec<_> = FEATURES.iter().filter(|feature| feature.used).map(|feature| feature.name).collect();
        assert_eq!(missing(|_| (0, 0)), used);
    }

    #[test]
    fn a_cpu_without_avx2_is_told_so() {
        let without_avx2 = |leaf| if leaf == 7 { (!(1 << 5), !0) } else { (!0, !0) };
        let expected: &[&str] = if cfg!(target_feature = "avx2") { &["avx2"] } else { &[] };
        assert_eq!(missing(without_avx2), expected);
    }
}

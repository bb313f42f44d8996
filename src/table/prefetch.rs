//! Asking the memory for a word ahead of its use.
#![allow(unsafe_code)]

use std::sync::atomic::AtomicU64;

/// Starts to bring the cache line of `word` near.
#[inline]
pub(super) fn prefetch(word: &AtomicU64) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the address is that of a live reference, and SSE is part of every x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(word).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = word;
}

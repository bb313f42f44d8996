//! Memory as the processor sees it: large pages, and lines asked for ahead of their use.
//!
//! Owns hints to the system and the processor, which change speed and nothing else; must not know what the memory
//! holds. Start reading at [`zeroed`].
#![allow(unsafe_code)]

use bytemuck::Zeroable;

/// Zeros on large pages, where the system gives them: a table that is read all over has too many small pages for the
/// processor to keep track of. The memory is not touched before it is used.
pub fn zeroed<T: Zeroable>(length: usize) -> Box<[T]> {
    let memory = bytemuck::zeroed_slice_box(length);
    #[cfg(target_os = "linux")]
    advise_large_pages(&memory);
    memory
}

/// Tells the system to use large pages for whatever whole pages the memory holds. A system without them refuses, and
/// nothing is lost.
#[cfg(target_os = "linux")]
fn advise_large_pages<T>(memory: &[T]) {
    use rustix::mm::{Advice, madvise};
    let page = rustix::param::page_size();
    let start = memory.as_ptr().cast::<u8>();
    let skipped = start.align_offset(page);
    let whole = size_of_val(memory).saturating_sub(skipped) / page * page;
    if whole > 0 {
        // SAFETY: the range is of whole pages inside a live allocation, and this advice changes no content.
        let _ = unsafe { madvise(start.add(skipped).cast_mut().cast(), whole, Advice::LinuxHugepage) };
    }
}

/// Starts to bring the cache line of a value near.
#[inline]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the address is that of a live reference, and SSE is part of every x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_any_length_is_zero_and_can_be_written() {
        for length in [0, 1, 4097, 3 << 20] {
            let mut memory: Box<[u8]> = zeroed(length);
            prefetch(&memory);
            assert!(memory.len() == length && memory.iter().all(|&byte| byte == 0));
            memory.fill(1);
        }
    }
}

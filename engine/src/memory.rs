//! Releasing freed memory.

/// Returns freed memory to the system. glibc retains it otherwise; after an index build that is more than half of the
/// process's memory.
pub fn release_freed() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "calls the C library")]
    // SAFETY: takes a number, has no preconditions, and takes the allocator's own locks.
    unsafe {
        nix::libc::malloc_trim(0);
    }
}

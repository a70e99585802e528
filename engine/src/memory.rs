//! Memory that nobody uses any more.

/// Gives freed memory back to the system. glibc keeps it for later, and after an index was built that is more than half of what the
/// process has.
pub fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "a function of the C library")]
    // SAFETY: it takes a number, has no conditions, and holds the allocator's own locks.
    unsafe {
        nix::libc::malloc_trim(0);
    }
}

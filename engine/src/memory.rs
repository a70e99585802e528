//! Releases freed memory to the operating system.

/// Returns freed memory to the system. Otherwise glibc would retain it, and after an index build that is more than half of the process's
/// memory.
pub fn release_freed() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "calls the C library")]
    // SAFETY: the function takes a number, has no preconditions, and acquires the allocator's locks itself.
    unsafe {
        nix::libc::malloc_trim(0);
    }
}

//! Memory usage of cached answers, estimated from allocation sizes.

use std::any::Any;

use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// Overhead of the cache for each entry in bytes (measured). It consists of two queues, a timer, a hash table and the reference count of
/// the key.
pub const PLACE: usize = 640;
/// Size of the reference counts of an `Arc` in bytes.
pub const COUNTERS: usize = 2 * size_of::<usize>();

/// Maximum memory of a value per byte of its JSON. The length and pointer of a text are about as long as the name of its field, but each
/// text is a separate allocation (measured with video cards, which lists consist of).
const VALUE: usize = 2;

/// Returns the memory in bytes of a value whose JSON has `json` bytes, excluding the JSON.
pub fn value(value: &(dyn Any + Send + Sync), json: usize) -> usize {
    allocated(COUNTERS + size_of_val(value)) + VALUE * json
}

/// Returns the memory in bytes of an allocation of `size` bytes in glibc: an 8-byte header, rounded up to a multiple of 16, at least 32.
pub const fn allocated(size: usize) -> usize {
    if size == 0 {
        return 0;
    }
    let chunk = (size + 8).next_multiple_of(16);
    if chunk < 32 { 32 } else { chunk }
}

/// Returns the memory in bytes of `Bytes` with more than one handle, which have a separate reference count.
pub const fn shared(size: usize) -> usize {
    allocated(size) + allocated(3 * size_of::<usize>())
}

/// Returns the memory in bytes of a header map without the contents of its values.
pub fn header_map(headers: &HeaderMap) -> usize {
    // Each entry has a name, a value, a hash and links to further values. At most three quarters of the index slots are in use.
    const HEADER: usize = size_of::<HeaderName>() + size_of::<HeaderValue>() + 4 * size_of::<usize>();
    let slots = (headers.len() + headers.len() / 3).next_power_of_two();
    allocated(headers.len() * HEADER) + allocated(slots * 2 * size_of::<u16>())
}

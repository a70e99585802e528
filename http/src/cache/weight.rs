//! What answers take of the memory, by what the allocator hands out for them.

use std::any::Any;

use axum::http::{HeaderMap, HeaderName, HeaderValue};

/// Bytes around an answer that are not its own: two queues, a timer and a table of the cache, the key's counter (measured).
pub const PLACE: usize = 640;
/// Counters of an `Arc`.
pub const COUNTERS: usize = 2 * size_of::<usize>();

/// What a value takes for each byte of its JSON, at most: a text's length and place are as long as the name of its field,
/// but every text is an allocation (measured with cards of videos, which lists consist of).
const VALUE: usize = 2;

/// What a value with so many bytes of JSON takes beside them.
pub fn value(value: &(dyn Any + Send + Sync), json: usize) -> usize {
    allocated(COUNTERS + size_of_val(value)) + VALUE * json
}

/// What an allocation of `size` bytes takes: a word before it, and whole units of sixteen, two at least (glibc).
pub const fn allocated(size: usize) -> usize {
    if size == 0 {
        return 0;
    }
    let chunk = (size + 8).next_multiple_of(16);
    if chunk < 32 { 32 } else { chunk }
}

/// What `Bytes` take once a second handle on them exists: a counter beside them.
pub const fn shared(size: usize) -> usize {
    allocated(size) + allocated(3 * size_of::<usize>())
}

/// What a map of headers takes without the values themselves.
pub fn header_map(headers: &HeaderMap) -> usize {
    // A name, a value, a hash and the links to further values; an index of small places, a quarter of them free.
    const HEADER: usize = size_of::<HeaderName>() + size_of::<HeaderValue>() + 4 * size_of::<usize>();
    let places = (headers.len() + headers.len() / 3).next_power_of_two();
    allocated(headers.len() * HEADER) + allocated(places * 2 * size_of::<u16>())
}

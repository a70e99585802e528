//! Tests that films of any make become correct in size, color, sound and length.

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod audio;
mod captions;
mod codecs;
mod colors;
mod sound;
mod support;
mod tracks;

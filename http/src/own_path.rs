//! Validation of redirect targets supplied by visitors.

use reqwest::Url;

/// Returns whether a browser redirected to `path` stays on this site. Rejects control characters, because browsers drop tabs and line
/// ends before they parse a URL, and backslashes, which they treat as slashes.
pub fn is_own_path(path: &str) -> bool {
    let is_plain = path.starts_with('/') && !path.contains(|c: char| c == '\\' || c.is_control());
    // A placeholder base URL (RFC 2606), used only to compare origins.
    let read = Url::parse("http://own.invalid").and_then(|here| Ok((here.join(path)?, here)));
    // `/.//host/` has our origin, but normalizes to `//host/`, which has another one.
    is_plain && read.is_ok_and(|(read, here)| read.origin() == here.origin() && !read.path().starts_with("//"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_this_site_are_own() {
        for path in ["/", "/videos/4/?lang=de", "/search/1/?s=//a", "/@evil.example/", "/%09/evil.example/", "/a:b/#c"]
        {
            assert!(is_own_path(path), "{path}");
        }
        for path in [
            "",
            "videos/4/",
            "//evil.example/",
            "///evil.example/",
            "/\\evil.example/",
            "\\\\evil.example/",
            "/\t/evil.example/",
            "/\n/evil.example/",
            "/\r/evil.example/",
            "\t//evil.example/",
            "/\0/evil.example/",
            "/.//evil.example/",
            "/a/..//evil.example/",
            "//@evil.example/",
            "@evil.example",
            "https:evil.example",
            "https://evil.example/",
            "javascript:alert(1)",
        ] {
            assert!(!is_own_path(path), "{path:?}");
        }
    }
}

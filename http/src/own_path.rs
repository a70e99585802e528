//! Paths that visitors hand in and are led to: of this site alone.

use reqwest::Url;

/// Whether a browser that is led to `path` stays on this site. Tabs and line ends, which browsers drop before they read an
/// address, and backslashes, which they take for slashes, are refused.
pub fn is_own_path(path: &str) -> bool {
    let is_plain = path.starts_with('/') && !path.contains(|c: char| c == '\\' || c.is_control());
    // A host nobody has: only what this site's own addresses are compared with.
    let read = Url::parse("http://own.invalid").and_then(|here| Ok((here.join(path)?, here)));
    // `/.//host/` is ours, but what is left of it, `//host/`, would not be.
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

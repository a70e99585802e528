//! A poster in the format that suits who asks: all have one name, under which JPEG is there for everybody.

use std::path::Path;

use axum::http::{HeaderMap, header::ACCEPT};

/// The name all go by.
pub const NAME: &str = "poster.jpg";
/// Endings and types of the others, the smallest file first.
const SMALLER: [(&str, &str); 2] = [("avif", "image/avif"), ("webp", "image/webp")];

/// Whether the path is of a poster, so that its answer depends on `Accept`.
#[must_use]
pub fn is_poster(path: &str) -> bool {
    path.rsplit('/').next() == Some(NAME)
}

/// The path of the smallest file that is there and that the browser takes; the one that was asked for where it says nothing.
pub async fn suited(root: &Path, path: &str, headers: &HeaderMap) -> String {
    for smaller in candidates(path, headers) {
        if smaller == path || tokio::fs::try_exists(root.join(&smaller)).await.unwrap_or(false) {
            return smaller;
        }
    }
    path.to_owned()
}

/// What the browser takes for a path, the smallest first, and the one that was asked for last.
pub fn candidates(path: &str, headers: &HeaderMap) -> Vec<String> {
    let folder = path.strip_suffix(NAME).filter(|_| is_poster(path));
    let taken = SMALLER.iter().filter(|(_, kind)| folder.is_some() && takes(headers, kind));
    let smaller = taken.map(|(ending, _)| format!("{}poster.{ending}", folder.unwrap_or_default()));
    smaller.chain([path.to_owned()]).collect()
}

/// Whether a type is named in `Accept`; wildcards don't count, since everybody sends those.
fn takes(headers: &HeaderMap, kind: &str) -> bool {
    let named = |range: &str| {
        let mut parts = range.split(';').map(str::trim);
        parts.next() == Some(kind) && !parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    };
    headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).any(named)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[tokio::test]
    async fn a_browser_gets_the_smallest_that_it_takes_and_that_is_there() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("a")).unwrap();
        let suited = async |path: &str, accept: &'static str| {
            let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))]);
            suited(root.path(), path, &headers).await
        };
        let chromium = "image/avif,image/webp,image/apng,*/*;q=0.8";
        assert_eq!(suited("a/poster.jpg", chromium).await, "a/poster.jpg", "made before there were others");
        for ending in ["webp", "avif"] {
            std::fs::write(root.path().join(format!("a/poster.{ending}")), "").unwrap();
            assert_eq!(suited("a/poster.jpg", chromium).await, format!("a/poster.{ending}"));
        }
        assert_eq!(suited("a/poster.jpg", "image/webp, */*").await, "a/poster.webp");
        assert_eq!(suited("a/poster.jpg", "image/avif;q=0, image/webp;q=0.5").await, "a/poster.webp");
        for accept in ["*/*", "image/*", "", "text/html"] {
            assert_eq!(suited("a/poster.jpg", accept).await, "a/poster.jpg", "{accept:?}");
        }
        assert_eq!(suited("a/sprite.webp", chromium).await, "a/sprite.webp");
    }
}

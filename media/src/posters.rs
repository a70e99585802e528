//! Content negotiation for posters. All formats share one URL, and JPEG is always available.

use std::path::Path;

use axum::http::{HeaderMap, header::ACCEPT};

/// File name of a poster in all URLs.
pub const NAME: &str = "poster.jpg";
/// Extensions and types of the other formats, smallest file first.
const SMALLER: [(&str, &str); 2] = [("avif", "image/avif"), ("webp", "image/webp")];

/// Returns whether the path is a poster, whose response depends on `Accept`.
#[must_use]
pub fn is_poster(path: &str) -> bool {
    path.rsplit('/').next() == Some(NAME)
}

/// Returns the path of the smallest existing file that the browser accepts, or the requested path if it accepts none.
pub async fn negotiate(root: &Path, path: &str, headers: &HeaderMap) -> String {
    for smaller in candidates(path, headers) {
        if smaller == path || tokio::fs::try_exists(root.join(&smaller)).await.unwrap_or(false) {
            return smaller;
        }
    }
    path.to_owned()
}

/// Returns the paths that the browser accepts, smallest file first, with the requested path last.
pub fn candidates(path: &str, headers: &HeaderMap) -> Vec<String> {
    let folder = path.strip_suffix(NAME).filter(|_| is_poster(path));
    let taken = SMALLER.iter().filter(|(_, kind)| folder.is_some() && accepts(headers, kind));
    let smaller = taken.map(|(ending, _)| format!("{}poster.{ending}", folder.unwrap_or_default()));
    smaller.chain([path.to_owned()]).collect()
}

/// Returns whether `Accept` contains a type. Wildcards don't count, because all browsers send them.
fn accepts(headers: &HeaderMap, kind: &str) -> bool {
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
    async fn smallest_existing_accepted_format_is_served() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("a")).unwrap();
        let negotiate = async |path: &str, accept: &'static str| {
            let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))]);
            negotiate(root.path(), path, &headers).await
        };
        let chromium = "image/avif,image/webp,image/apng,*/*;q=0.8";
        assert_eq!(negotiate("a/poster.jpg", chromium).await, "a/poster.jpg", "no other formats exist yet");
        for ending in ["webp", "avif"] {
            std::fs::write(root.path().join(format!("a/poster.{ending}")), "").unwrap();
            assert_eq!(negotiate("a/poster.jpg", chromium).await, format!("a/poster.{ending}"));
        }
        assert_eq!(negotiate("a/poster.jpg", "image/webp, */*").await, "a/poster.webp");
        assert_eq!(negotiate("a/poster.jpg", "image/avif;q=0, image/webp;q=0.5").await, "a/poster.webp");
        for accept in ["*/*", "image/*", "", "text/html"] {
            assert_eq!(negotiate("a/poster.jpg", accept).await, "a/poster.jpg", "{accept:?}");
        }
        assert_eq!(negotiate("a/sprite.webp", chromium).await, "a/sprite.webp");
    }
}

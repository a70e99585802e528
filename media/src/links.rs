//! Signed links. A link grants access to every file in one media folder until it expires.
//!
//! The signature covers the folder and the expiry but not the file, so that relative URLs in HLS playlists and VTT files work.

use hmac::{Hmac, Mac};
use lantern_catalog::sealed::Seal;
use sha2::Sha256;

/// Separates these signatures from other uses of the same secret.
const PURPOSE: &[u8] = b"lantern media link 1\n";
/// Maximum folder depth of a media key.
const MAX_DEPTH: usize = 6;

/// Reasons for rejecting a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// The link has expired.
    #[error("the link has expired")]
    Expired,
    /// The signature doesn't match the folder and expiry.
    #[error("the link's signature is wrong")]
    Forged,
    /// The path isn't a plain relative path of letters, digits, `.`, `_` and `-`.
    #[error("not a media path")]
    BadPath,
}

/// Contents of a download link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Download<'a> {
    /// Folder of the film.
    pub media_key: &'a str,
    /// File in that folder.
    pub file: &'a str,
    /// File name suggested to browsers.
    pub name: &'a str,
}

/// Signs and verifies media links with one secret.
#[derive(Clone)]
pub struct Signer {
    keyed: Hmac<Sha256>,
}

impl Signer {
    /// Creates a signer with the installation's secret. Any length is accepted, but 32 random bytes are recommended.
    #[must_use]
    pub fn new(secret: &[u8]) -> Self {
        let mut keyed = <Hmac<Sha256> as Mac>::new_from_slice(secret)
            .unwrap_or_else(|_| unreachable!("HMAC takes keys of any length"));
        keyed.update(PURPOSE);
        Self { keyed }
    }

    /// Returns the URL of `file` (relative, such as `hls/master.m3u8`) in folder `media_key`. The URL is valid until `expires` (Unix
    /// seconds).
    ///
    /// # Errors
    /// Returns [`LinkError::BadPath`] if the folder or the file isn't a plain relative path.
    pub fn link(&self, media_key: &str, file: &str, expires: i64) -> Result<String, LinkError> {
        if !is_plain(media_key) || !is_plain(file) {
            return Err(LinkError::BadPath);
        }
        let signature = hex::encode(self.mac(media_key, expires).finalize().into_bytes());
        Ok(format!("/media/s/{expires}/{signature}/{media_key}/{file}"))
    }

    /// Verifies the parts of a link at `now` (Unix seconds) and returns the signed folder, which must be above `path`.
    pub fn verify<'a>(&self, expires: i64, signature: &str, path: &'a str, now: i64) -> Result<&'a str, LinkError> {
        if !is_plain(path) {
            return Err(LinkError::BadPath);
        }
        let signature = hex::decode(signature).map_err(|_| LinkError::Forged)?;
        let folders = path.match_indices('/').map(|(end, _)| &path[..end]).take(MAX_DEPTH);
        let mut signed = None;
        for folder in folders {
            if self.mac(folder, expires).verify_slice(&signature).is_ok() {
                signed = Some(folder);
            }
        }
        match signed {
            None => Err(LinkError::Forged),
            Some(_) if expires <= now => Err(LinkError::Expired),
            Some(folder) => Ok(folder),
        }
    }

    /// Returns the URL that downloads `file` from folder `media_key` under the name `name`. It is valid until `expires` (Unix seconds) and
    /// grants access to this file only.
    ///
    /// # Errors
    /// Returns [`LinkError::BadPath`] if one of them isn't a plain relative path, or if file or name contain folders.
    pub fn download(&self, media_key: &str, file: &str, name: &str, expires: i64) -> Result<String, LinkError> {
        let path = format!("{media_key}/{file}/{name}");
        if !is_plain(&path) || file.contains('/') || name.contains('/') {
            return Err(LinkError::BadPath);
        }
        let signature = hex::encode(self.download_mac(&path, expires).finalize().into_bytes());
        Ok(format!("/media/d/{expires}/{signature}/{path}"))
    }

    /// Verifies the parts of a download link at `now` (Unix seconds).
    pub fn verify_download<'a>(
        &self,
        expires: i64,
        signature: &str,
        path: &'a str,
        now: i64,
    ) -> Result<Download<'a>, LinkError> {
        if !is_plain(path) {
            return Err(LinkError::BadPath);
        }
        let signature = hex::decode(signature).map_err(|_| LinkError::Forged)?;
        self.download_mac(path, expires).verify_slice(&signature).map_err(|_| LinkError::Forged)?;
        if expires <= now {
            return Err(LinkError::Expired);
        }
        let (folder, name) = path.rsplit_once('/').ok_or(LinkError::BadPath)?;
        let (media_key, file) = folder.rsplit_once('/').ok_or(LinkError::BadPath)?;
        Ok(Download { media_key, file, name })
    }

    /// Derives a separate key for another use of the same secret. The NUL separates its digest from those of links, because no media key
    /// contains a NUL.
    #[must_use]
    pub fn key(&self, purpose: &str) -> [u8; 32] {
        let mut mac = self.keyed.clone();
        mac.update(b"\0key for ");
        mac.update(purpose.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// Returns a keyed hash of sensitive data such as an address, which can be compared but not reversed.
    #[must_use]
    pub fn digest(&self, purpose: &str, bytes: &[u8]) -> [u8; 32] {
        self.digest_mac(purpose, bytes).finalize().into_bytes().into()
    }

    /// Verifies a hash in constant time.
    #[must_use]
    pub fn is_digest(&self, purpose: &str, bytes: &[u8], digest: &[u8]) -> bool {
        self.digest_mac(purpose, bytes).verify_slice(digest).is_ok()
    }

    fn digest_mac(&self, purpose: &str, bytes: &[u8]) -> Hmac<Sha256> {
        let mut mac = self.keyed.clone();
        mac.update(b"\0digest for ");
        mac.update(purpose.as_bytes());
        mac.update(b"\0");
        mac.update(bytes);
        mac
    }

    /// Starts the MAC of a download link. The prefix separates download links from links to folders.
    fn download_mac(&self, path: &str, expires: i64) -> Hmac<Sha256> {
        let mut mac = self.keyed.clone();
        mac.update(b"\0download of ");
        mac.update(&expires.to_be_bytes());
        mac.update(path.as_bytes());
        mac
    }

    fn mac(&self, media_key: &str, expires: i64) -> Hmac<Sha256> {
        let mut mac = self.keyed.clone();
        mac.update(&expires.to_be_bytes());
        mac.update(media_key.as_bytes());
        mac
    }

    /// Returns the seal for values in the catalog, with a key derived from the secret.
    #[must_use]
    pub fn seal(&self) -> Seal {
        Seal::new(self.key("sealed in the catalog"))
    }
}

impl std::fmt::Debug for Signer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Signer(secret)")
    }
}

/// Returns whether the path can only refer to something inside the media folder, because it has no empty, hidden or parent segments and no
/// escapes.
#[must_use]
pub fn is_plain(path: &str) -> bool {
    let plain = |c: u8| c.is_ascii_alphanumeric() || matches!(c, b'.' | b'_' | b'-');
    path.split('/').all(|segment| {
        !segment.is_empty() && !segment.starts_with('.') && segment.len() <= 64 && segment.bytes().all(plain)
    }) && path.split('/').count() <= MAX_DEPTH + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000;

    fn parts(link: &str) -> (i64, &str, &str) {
        let mut parts = link.strip_prefix("/media/s/").unwrap().splitn(3, '/');
        (parts.next().unwrap().parse().unwrap(), parts.next().unwrap(), parts.next().unwrap())
    }

    #[test]
    fn link_opens_every_file_of_its_folder_until_it_expires() {
        let signer = Signer::new(b"secret");
        let link = signer.link("demo/03", "hls/master.m3u8", NOW + 60).unwrap();
        let (expires, signature, path) = parts(&link);
        assert_eq!(path, "demo/03/hls/master.m3u8");
        assert_eq!(signer.verify(expires, signature, path, NOW), Ok("demo/03"));
        assert_eq!(signer.verify(expires, signature, "demo/03/hls/480/0.m4s", NOW), Ok("demo/03"));
        assert_eq!(signer.verify(expires, signature, path, NOW + 59), Ok("demo/03"));
        assert_eq!(signer.verify(expires, signature, path, NOW + 60), Err(LinkError::Expired));
    }

    #[test]
    fn forged_links_are_refused() {
        let signer = Signer::new(b"secret");
        let link = signer.link("demo/03", "video.mp4", NOW + 60).unwrap();
        let (expires, signature, path) = parts(&link);
        let flipped = format!("{}{}", if signature.starts_with('0') { '1' } else { '0' }, &signature[1..]);
        for (expires, signature, path) in [
            (expires, signature, "demo/04/video.mp4"),
            (expires, signature, "demo/video.mp4"),
            (expires, signature, "demo/033/video.mp4"),
            (expires, signature, "video.mp4"),
            (expires + 1, signature, path),
            (i64::MAX, signature, path),
            (expires, &flipped, path),
            (expires, &signature[..62], path),
            (expires, "", path),
            (expires, &"é".repeat(32), path),
        ] {
            assert_eq!(signer.verify(expires, signature, path, NOW), Err(LinkError::Forged), "{expires} {path}");
        }
        assert_eq!(Signer::new(b"other").verify(expires, signature, path, NOW), Err(LinkError::Forged));
    }

    #[test]
    fn download_link_opens_one_file_until_it_expires() {
        let signer = Signer::new(b"secret");
        let link = signer.download("demo/03", "video.mp4", "quiet-river.mp4", NOW + 60).unwrap();
        let (expires, signature, path) = {
            let mut parts = link.strip_prefix("/media/d/").unwrap().splitn(3, '/');
            (parts.next().unwrap().parse().unwrap(), parts.next().unwrap(), parts.next().unwrap())
        };
        let found = Download { media_key: "demo/03", file: "video.mp4", name: "quiet-river.mp4" };
        assert_eq!(signer.verify_download(expires, signature, path, NOW + 59), Ok(found));
        assert_eq!(signer.verify_download(expires, signature, path, NOW + 60), Err(LinkError::Expired));
        for (expires, path) in [
            (expires + 1, path),
            (expires, "demo/04/video.mp4/quiet-river.mp4"),
            (expires, "demo/03/other.mp4/quiet-river.mp4"),
            (expires, "demo/03/video.mp4/other.mp4"),
            (expires, "demo/03/video.mp4"),
        ] {
            assert_eq!(signer.verify_download(expires, signature, path, NOW), Err(LinkError::Forged), "{path}");
            assert_eq!(signer.verify(expires, signature, path, NOW), Err(LinkError::Forged), "{path}");
        }
        let folder = signer.link("demo/03", "video.mp4", NOW + 60).unwrap();
        let (expires, signature, path) = parts(&folder);
        assert_eq!(signer.verify_download(expires, signature, path, NOW), Err(LinkError::Forged));
        assert_eq!(signer.download("demo/03", "hls/0.m4s", "x.mp4", NOW), Err(LinkError::BadPath));
        assert_eq!(signer.download("demo/03", "video.mp4", "../x.mp4", NOW), Err(LinkError::BadPath));
    }

    #[test]
    fn paths_outside_the_folder_are_refused() {
        let signer = Signer::new(b"secret");
        let link = signer.link("demo/03", "video.mp4", NOW + 60).unwrap();
        let (expires, signature, _) = parts(&link);
        for path in [
            "demo/03/../04/video.mp4",
            "../secret.key",
            "/etc/passwd",
            "demo/03//video.mp4",
            "demo/03/.hidden.mp4",
            "demo/03/%2e%2e/x.mp4",
            "demo\\03",
            "demo/03/a\0.mp4",
            "demo/03/",
            "",
            "a/b/c/d/e/f/g/h",
        ] {
            assert_eq!(signer.verify(expires, signature, path, NOW), Err(LinkError::BadPath), "{path:?}");
            assert_eq!(signer.link(path, "video.mp4", NOW), Err(LinkError::BadPath), "{path:?}");
        }
        assert_eq!(signer.link("demo/03", "../x", NOW), Err(LinkError::BadPath));
    }
}

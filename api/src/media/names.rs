//! Parses the names of pictures.

use lantern_catalog::media::Picture;

/// Parses a path below the media folder. The paths `{folder}/poster.jpg`, `{folder}/sprite.webp`,
/// `{folder}/preview.mp4` and `{folder}/shot-{n}-{width}.webp` belong to a clip, and `{key}-{width}.{ending}` is a
/// standalone picture.
pub fn picture(path: &str) -> Picture<'_> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.rsplit_once('-').map(|(stem, _)| stem);
    let shot = stem.and_then(|stem| stem.strip_prefix("shot-")?.parse().ok());
    let of_clip = shot.is_some() || matches!(name, "poster.jpg" | "sprite.webp" | "preview.mp4");
    Picture {
        folder: of_clip.then_some(folder),
        shot,
        stem: stem.map(|stem| &path[..path.len() - name.len() + stem.len()]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_pictures_of_clips_and_standalone_pictures() {
        let whole = |folder| Picture { folder: Some(folder), shot: None, stem: None };
        assert_eq!(picture("demo/03/poster.jpg"), whole("demo/03"));
        assert_eq!(picture("demo/03/sprite.webp"), whole("demo/03"));
        assert_eq!(picture("demo/03/preview.mp4"), whole("demo/03"));
        let shot = Picture { folder: Some("demo/03"), shot: Some(4), stem: Some("demo/03/shot-4") };
        assert_eq!(picture("demo/03/shot-4-320.webp"), shot);
        let own = |stem| Picture { folder: None, shot: None, stem: Some(stem) };
        assert_eq!(picture("demo/pictures/07-640.webp"), own("demo/pictures/07"));
        assert_eq!(picture("members/7/0123456789abcdef01234567-320.jpg"), own("members/7/0123456789abcdef01234567"));
        assert_eq!(picture("07-640.webp"), own("07"));
    }
}

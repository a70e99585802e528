//! The part of a picture that is stored instead of the whole.

use image::DynamicImage;
use serde::{Deserialize, Serialize};

use super::RefusedPicture;

/// A rectangle of a picture, in pixels of the uploaded picture after rotating it upright.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Crop {
    /// Distance of its left edge from that of the picture.
    pub x: u32,
    /// Distance of its upper edge from that of the picture.
    pub y: u32,
    /// Width, at least the minimum width of a picture of this kind.
    pub width: u32,
    /// Height, at least the minimum height of a picture of this kind.
    pub height: u32,
}

impl Crop {
    /// Returns this part of a picture if it lies within the picture and has at least this width and height.
    pub(super) fn cut(
        self,
        picture: &DynamicImage,
        (least_width, least_height): (u32, u32),
    ) -> Result<DynamicImage, RefusedPicture> {
        let Self { x, y, width, height } = self;
        let is_within = |start: u32, length: u32, whole: u32| start.checked_add(length).is_some_and(|end| end <= whole);
        if !is_within(x, width, picture.width()) || !is_within(y, height, picture.height()) {
            return Err(RefusedPicture::Outside);
        }
        if width < least_width || height < least_height {
            return Err(RefusedPicture::SmallCrop);
        }
        Ok(picture.crop_imm(x, y, width, height))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crop_lies_within_the_picture_and_is_large_enough() {
        let picture = DynamicImage::new_rgb8(400, 300);
        let cut = |x, y, width, height| {
            let part = Crop { x, y, width, height }.cut(&picture, (160, 90));
            part.map(|part| (part.width(), part.height()))
        };
        assert_eq!(cut(0, 0, 400, 300), Ok((400, 300)));
        assert_eq!(cut(240, 210, 160, 90), Ok((160, 90)));
        for (x, y, width, height) in
            [(241, 210, 160, 90), (240, 211, 160, 90), (0, 0, 401, 300), (u32::MAX, 0, 160, 90), (0, u32::MAX, 160, 90)]
        {
            assert_eq!(cut(x, y, width, height), Err(RefusedPicture::Outside), "{x} {y} {width} {height}");
        }
        for (width, height) in [(159, 90), (160, 89), (0, 0)] {
            assert_eq!(cut(0, 0, width, height), Err(RefusedPicture::SmallCrop), "{width} {height}");
        }
    }
}

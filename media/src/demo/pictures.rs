//! Square abstract pictures for models, members, albums and channels: four families of twelve.

use std::path::Path;

use tokio::fs;

use super::{has_content, palette::palette, unfinished};
use crate::{Error, Result, tool::Tools};

/// Number of pictures. Their media keys start at `demo/pictures/00`.
pub const COUNT: usize = FAMILIES * PER_FAMILY;
pub(super) const FAMILIES: usize = 4;
/// Number of pictures per formula. `N` is the number of the picture.
const PER_FAMILY: usize = 12;
/// Widths of each picture, in pixels.
const WIDTHS: [usize; 2] = [320, 640];

struct Family {
    formula: &'static str,
    colors: [u32; 4],
}

static PICTURES: [Family; FAMILIES] = [
    // Petals around an off-center heart.
    Family {
        formula: "128+75*sin(hypot(X-80-9*sin(N*2),Y-80-9*cos(N*3))/(7+mod(N,5))+N\
                  +1.6*sin(atan2(Y-80-9*cos(N*3),X-80-9*sin(N*2))*(3+mod(N,6))+N*0.7))\
                  +40*cos(hypot(X-80,Y-80)/40)",
        colors: [0x2d_1e4f, 0xa8_3279, 0xff_9a76, 0xff_f4e0],
    },
    // Folded cloth.
    Family {
        formula: "128+115*sin((X*cos(N*0.52)+Y*sin(N*0.52))/(16+mod(N*3,7))\
                  +2.2*sin((Y*cos(N*0.52)-X*sin(N*0.52))/(24+mod(N,5))+N)+0.8*sin(X/13+N*2))",
        colors: [0x06_1a40, 0x0b_6e9e, 0x7f_d1ae, 0xff_fbe0],
    },
    // Hills behind hills.
    Family {
        formula: "40+Y*0.9+60*gt(Y,70+18*sin(X/(17+mod(N,6))+N)+7*sin(X/7+N*3))\
                  -55*gt(Y,105+14*sin(X/(23+mod(N,4))+N*2)+5*sin(X/9-N))+45*lt(hypot(X-40-mod(N*17,80),Y-38),16+mod(N,7))",
        colors: [0x1f_1147, 0xc4_4569, 0xf8_b195, 0xff_f3c4],
    },
    // Lights out of focus.
    Family {
        formula: "24*log(1+2600/(30+pow(X-80-50*sin(N),2)+pow(Y-80-50*cos(N*1.3),2))\
                  +1900/(20+pow(X-80-60*sin(N*2+1),2)+pow(Y-80-45*cos(N*1.7+2),2))\
                  +1500/(14+pow(X-80-45*sin(N*3+4),2)+pow(Y-80-60*cos(N*0.9+3),2)))\
                  *2.2+14*sin(X/31+N)+14*sin(Y/27-N)",
        colors: [0x05_0a1c, 0x28_3a7a, 0xe0_6c75, 0xff_ecb3],
    },
];

/// Returns whether all pictures of the family exist.
pub(super) fn is_complete(folder: &Path, family: usize) -> bool {
    names(family).all(|name| has_content(&folder.join(name)))
}

/// Renders a family in a temporary folder, then moves each picture into place.
pub(super) async fn render(demo: &Path, folder: &Path, family: usize) -> Result<()> {
    let part = unfinished(demo)?;
    let (graph, first) = (graph(&PICTURES[family]), family * PER_FAMILY);
    let series = |pad, quality, width| {
        format!(
            "-map [{pad}] -frames:v {PER_FAMILY} -c:v libwebp -quality {quality} -f image2 -start_number {first} \
             %02d-{width}.webp"
        )
    };
    let [small, large] = WIDTHS;
    let outputs = format!("{} {}", series("small", 72, small), series("large", 74, large));
    let args = ["-filter_complex", &graph].into_iter().chain(outputs.split(' '));
    Tools::own().ffmpeg(part.path(), "rendering demo pictures", args).await?;
    for name in names(family) {
        let place = folder.join(&name);
        fs::rename(part.path().join(&name), &place).await.map_err(Error::at(&place))?;
    }
    Ok(())
}

/// Each picture rotates the family's hues by another angle.
fn graph(family: &Family) -> String {
    let [small, large] = WIDTHS;
    format!(
        "color=black:s=160x160:r=1,format=gray,geq=lum='clip({},0,255)',scale={large}:{large}:flags=bicubic,{},\
         format=yuv444p,hue=h='n*30',format=yuv420p,split[l][large];[l]scale={small}:{small}[small]",
        family.formula,
        palette(&family.colors)
    )
}

fn names(family: usize) -> impl Iterator<Item = String> {
    let numbers = family * PER_FAMILY..(family + 1) * PER_FAMILY;
    numbers.flat_map(|number| WIDTHS.map(|width| format!("{number:02}-{width}.webp")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn family_is_rendered_in_both_sizes() {
        let demo = tempfile::tempdir().unwrap();
        let folder = demo.path().join("pictures");
        std::fs::create_dir(&folder).unwrap();
        render(demo.path(), &folder, 2).await.unwrap();
        assert!(is_complete(&folder, 2) && !is_complete(&folder, 1));
        assert!(folder.join("24-320.webp").exists() && folder.join("35-640.webp").exists());
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 24);
    }
}

//! Encodes a film a second time, with a codec that needs fewer bytes.

use std::path::Path;

use lantern_catalog::video_codec::VideoCodec;
use lantern_config::{Av1, Films, Hevc, SecondCodec};
use serde::{Deserialize, Serialize};
use tokio::fs;

use super::{Rendition, encoding, name, sound, words};
use crate::{Error, Result, clips::suffix, film::probe::Source, tool::Tools};

/// Codec of the second set of renditions, with its settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Second {
    /// AV1 by SVT-AV1.
    Av1(Av1),
    /// HEVC by x265.
    Hevc(Hevc),
}

impl Second {
    /// Returns what the settings say.
    pub(crate) fn of(settings: &Films) -> Option<Self> {
        match settings.second_codec {
            SecondCodec::None => None,
            SecondCodec::Av1 => Some(Self::Av1(settings.av1)),
            SecondCodec::Hevc => Some(Self::Hevc(settings.hevc)),
        }
    }

    /// The codec.
    #[must_use]
    pub const fn codec(self) -> VideoCodec {
        match self {
            Self::Av1(_) => VideoCodec::Av1,
            Self::Hevc(_) => VideoCodec::Hevc,
        }
    }

    /// Name of the encoder.
    pub(crate) const fn encoder(self) -> &'static str {
        match self {
            Self::Av1(_) => "libsvtav1",
            Self::Hevc(_) => "libx265",
        }
    }

    /// Returns the arguments for the encoder. Key frames are `between` frames apart.
    fn arguments(self, rendition: &Rendition, between: u32) -> String {
        let rung = rendition.rung;
        match self {
            Self::Av1(Av1 { preset, crf_above, rate_percent }) => {
                let (crf, most) = (rung.crf.saturating_add(crf_above).min(63), rung.max_rate * rate_percent / 100);
                // Segments begin with key frames that later frames don't look behind.
                format!(
                    "-preset {preset} -crf {crf} -maxrate {most}k -bufsize {}k -g {between} -svtav1-params irefresh-type=2:scd=0",
                    2 * most
                )
            }
            Self::Hevc(Hevc { preset, crf_above, rate_percent }) => {
                let (crf, most) = (rung.crf.saturating_add(crf_above).min(51), rung.max_rate * rate_percent / 100);
                // Apple's players know only this tag.
                format!(
                    "-preset {} -crf {crf} -tag:v hvc1 -x265-params \
                     keyint={between}:min-keyint={between}:scenecut=0:open-gop=0:vbv-maxrate={most}:vbv-bufsize={}:log-level=error",
                    preset.as_str(),
                    2 * most
                )
            }
        }
    }
}

/// Returns the name of a rendition in `codec`, without an ending.
pub fn stem(height: u16, codec: VideoCodec) -> String {
    format!("{height}{}", suffix(codec))
}

/// Encodes all renditions, one after the other, because the encoders need much memory. Their sound is copied from the first set.
/// `on_progress` is called with the seconds encoded so far of all renditions together.
pub async fn run(
    tools: &Tools,
    file: &Path,
    source: &Source,
    renditions: &[Rendition],
    second: Second,
    folder: &Path,
    on_progress: impl Fn(f64),
) -> Result<()> {
    let tools = tools.reading(file);
    for (at, rendition) in (0_u32..).zip(renditions) {
        let args = encoding(file, source, rendition, second, tools.max_seconds());
        let before = f64::from(at) * source.duration;
        tools.ffmpeg_with_progress(folder, "encoding a film again", args, |at| on_progress(before + at)).await?;
    }
    Ok(())
}

fn encoding(file: &Path, source: &Source, rendition: &Rendition, second: Second, max: Option<u32>) -> Vec<String> {
    let height = rendition.rung.height;
    let mut args = encoding::input(file, source);
    let has_sound = !source.audio.is_empty() && !sound::is_separate(source);
    if has_sound {
        args.extend(words("-protocol_whitelist file -format_whitelist mov -i").chain([name(height)]));
    }
    args.extend(["-filter_complex".to_owned(), encoding::graph(source, &[rendition], "")]);
    let (encoder, settings) = (second.encoder(), second.arguments(rendition, encoding::between_keys(source)));
    args.extend(words(&format!("-map [v{height}] -c:v {encoder} {settings} -pix_fmt yuv420p")));
    if has_sound {
        args.extend(words("-map 1:a -c:a copy"));
    }
    args.extend(words("-sn -dn -map_metadata -1 -map_chapters -1 -movflags +faststart").chain(encoding::limited(max)));
    args.push(format!("{}.mp4", stem(height, second.codec())));
    args
}

/// Removes the set's files in `folder`, whose names end with the codec: the renditions, or the segments of an unfinished set.
pub async fn remove(folder: &Path, codec: VideoCodec) -> Result<()> {
    let mut entries = fs::read_dir(folder).await.map_err(Error::at(folder))?;
    while let Some(entry) = entries.next_entry().await.map_err(Error::at(folder))? {
        let name = entry.file_name();
        let is_of_set = name.to_str().is_some_and(|name| name.contains(&suffix(codec)));
        if is_of_set {
            fs::remove_file(entry.path()).await.map_err(Error::at(&entry.path()))?;
        }
    }
    Ok(())
}

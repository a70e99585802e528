//! Kinds of films that phones, cameras, discs, editors and old programs make.

/// A kind of film.
pub struct Film {
    /// Name of the file, whose extension selects the container.
    pub name: &'static str,
    /// Size and frame rate, in the syntax of ffmpeg's generators.
    pub picture: &'static str,
    /// Encoding arguments.
    pub written: &'static str,
    /// Size of the upright film that players show, in pixels.
    pub shown: (u32, u32),
}

const fn film(name: &'static str, picture: &'static str, written: &'static str, shown: (u32, u32)) -> Film {
    Film { name, picture, written, shown }
}

/// Encoding arguments of an ordinary film.
pub const H264: &str = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac";
/// Containers, codecs and odd properties, each at least once.
pub const FILMS: [Film; 45] = [
    film("plain.mp4", "s=426x240:r=25", H264, (426, 240)),
    film("many-frames.mov", "s=320x240:r=120", H264, (320, 240)),
    film("any-pace.mp4", "s=320x240:r=30", "-vf select='lt(mod(n,30),10)+not(mod(n,3))' -fps_mode vfr", (320, 240)),
    film("ten-bit.mkv", "s=320x240:r=24", "-c:v libx264 -preset ultrafast -pix_fmt yuv420p10le -c:a flac", (320, 240)),
    film("odd.avi", "s=177x145:r=25", "-c:v mpeg4 -c:a libmp3lame", (176, 144)),
    film("old-phone.3gp", "s=176x144:r=15", "-c:v h263 -c:a aac -ac 1", (176, 144)),
    film("old-site.flv", "s=320x240:r=30", "-c:v flv1 -c:a libmp3lame -ar 44100", (320, 240)),
    film("disc.vob", "s=352x288:r=25", "-c:v mpeg2video -flags +ildct+ilme -aspect 16:9 -c:a ac3 -f vob", (512, 288)),
    film(
        "camera.mts",
        "s=320x240:r=50",
        "-c:v libx264 -x264opts tff=1 -flags +ildct+ilme -c:a ac3 -f mpegts",
        (320, 240),
    ),
    film("tape.mpg", "s=352x240:r=30000/1001", "-c:v mpeg1video -c:a mp2", (352, 240)),
    film("office.wmv", "s=320x240:r=25", "-c:v wmv2 -c:a wmav2", (320, 240)),
    film("real.rm", "s=320x240:r=25", "-c:v rv10 -c:a ac3", (320, 240)),
    film("live.webm", "s=320x240:r=25", "-c:v libvpx -deadline realtime -c:a libopus -live 1", (320, 240)),
    film(
        "hdr-call.mp4",
        "s=320x240:r=30",
        "-c:v libx264 -preset ultrafast -pix_fmt yuv420p10le -color_primaries bt2020 -color_trc arib-std-b67 \
         -colorspace bt2020nc -c:a aac -ac 1 -ar 8000",
        (320, 240),
    ),
    film(
        "broadcast.ts",
        "s=352x288:r=25",
        "-c:v mpeg2video -flags +ildct+ilme -top 0 -aspect 16:9 -c:a mp2 -ac 1",
        (512, 288),
    ),
    // A film with a variable frame rate and a second without any audio packets.
    film(
        "muted.mkv",
        "s=320x240:r=30",
        "-vf select='lt(mod(n,30),10)+not(mod(n,3))' -fps_mode vfr -af aselect='not(between(t,2.5,3.5))' -c:a libopus",
        (320, 240),
    ),
    film(
        "modern.webm",
        "s=320x240:r=25",
        "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus -ac 1",
        (320, 240),
    ),
    film("web.webm", "s=320x240:r=25", "-c:v libvpx -deadline realtime -c:a libopus", (320, 240)),
    film(
        "sound-later.mkv",
        "s=320x240:r=25",
        "-c:v libx264 -preset ultrafast -af adelay=300 -c:a pcm_s16le",
        (320, 240),
    ),
    film("archive.mov", "s=320x240:r=25", "-c:v prores_ks -pix_fmt yuv422p10le -c:a pcm_s24le", (320, 240)),
    film("cutout.mov", "s=320x240:r=25", "-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le -c:a aac", (320, 240)),
    film("editing.mov", "s=320x240:r=25", "-c:v dnxhd -profile:v dnxhr_hq -pix_fmt yuv422p -c:a pcm_s16be", (320, 240)),
    film("studio.mov", "s=720x576:r=25", "-c:v mpeg2video -aspect 4:3 -b:v 8M -c:a pcm_s16le", (768, 576)),
    film("camcorder.mov", "s=720x576:r=25", "-c:v dvvideo -aspect 4:3 -c:a pcm_s16le", (768, 576)),
    film(
        "american.avi",
        "s=720x480:r=30000/1001",
        "-c:v dvvideo -pix_fmt yuv411p -aspect 4:3 -c:a pcm_s16le",
        (640, 480),
    ),
    film("free.mkv", "s=320x240:r=25", "-c:v libtheora -q:v 9 -c:a libvorbis", (320, 240)),
    film("new-phone.mp4", "s=320x240:r=30", "-c:v libx265 -preset ultrafast -tag:v hvc1 -c:a aac", (320, 240)),
    film(
        "disc-rip.mkv",
        "s=320x240:r=24000/1001",
        "-c:v libx265 -preset ultrafast -pix_fmt yuv420p10le -c:a eac3 -ac 6",
        (320, 240),
    ),
    film("newest.mp4", "s=320x240:r=25", "-c:v libsvtav1 -preset 12 -c:a libopus", (320, 240)),
    film("newest.webm", "s=320x240:r=25", "-c:v libaom-av1 -cpu-used 8 -usage realtime -c:a libvorbis", (320, 240)),
    film(
        "cut-out.webm",
        "s=320x240:r=25",
        "-c:v libvpx-vp9 -pix_fmt yuva420p -deadline realtime -c:a libopus",
        (320, 240),
    ),
    film("animation.mov", "s=320x240:r=25", "-c:v qtrle -c:a adpcm_ima_qt", (320, 240)),
    film("stills.mov", "s=320x240:r=10", "-c:v png -c:a alac", (320, 240)),
    film("webcam.avi", "s=320x240:r=15", "-c:v rawvideo -pix_fmt yuyv422 -c:a pcm_u8 -ar 11025 -ac 1", (320, 240)),
    film("webcam2.avi", "s=320x240:r=30", "-c:v mjpeg -q:v 2 -huffman default -c:a pcm_s16le", (320, 240)),
    film("lossless.avi", "s=320x240:r=25", "-c:v huffyuv -pix_fmt yuv422p -c:a pcm_s16le", (320, 240)),
    film("gray.mkv", "s=320x240:r=25", "-c:v ffv1 -pix_fmt gray -c:a flac -ar 96000", (320, 240)),
    film("screen.mkv", "s=320x240:r=30", "-c:v libx264rgb -preset ultrafast -c:a libopus", (320, 240)),
    film("nineties.avi", "s=320x240:r=25", "-c:v msmpeg4 -q:v 2 -c:a libmp3lame", (320, 240)),
    film("two-thousands.avi", "s=320x240:r=25", "-c:v mpeg4 -bf 2 -vtag XVID -q:v 2 -c:a ac3", (320, 240)),
    film("old-mac.mov", "s=320x240:r=25", "-c:v svq1 -q:v 2 -c:a pcm_s8", (320, 240)),
    film(
        "pieces.mp4",
        "s=320x240:r=25",
        "-c:v libx264 -preset ultrafast -g 25 -c:a aac -movflags frag_keyframe+empty_moov+default_base_moof",
        (320, 240),
    ),
    // The clock of a transport stream has 33 bits, and returns to zero during this film.
    film(
        "long-running.ts",
        "s=320x240:r=25",
        "-c:v libx264 -preset veryfast -x264opts open-gop=1:keyint=50:bframes=3 -c:a aac -output_ts_offset 95440",
        (320, 240),
    ),
    film(
        "narrow-pixels.mp4",
        "s=176x288:r=25",
        "-vf setsar=2 -c:v libx264 -preset ultrafast -pix_fmt yuv444p -c:a libmp3lame -ar 32000",
        (352, 288),
    ),
    film("one-key-frame.mkv", "s=320x240:r=50", "-c:v libx264 -g 9999 -bf 16 -b_strategy 0 -c:a aac -ac 8", (320, 240)),
];

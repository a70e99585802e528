//! Media containers that are built byte by byte, with false data.

pub fn words(list: &[u32]) -> Vec<u8> {
    list.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// Builds an MP4 box.
pub fn atom(name: &[u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let content = parts.concat();
    [&words(&[content.len() as u32 + 8])[..], name, &content].concat()
}

/// Builds an MP4 box with version and flags.
fn table(name: &[u8; 4], list: &[u32]) -> Vec<u8> {
    atom(name, &[&words(&[0]), &words(list)])
}

pub fn brand() -> Vec<u8> {
    atom(b"ftyp", &[b"isom\0\0\x02\0isommp41"])
}

/// An MP4 of two seconds with twenty uncompressed frames, whose fields can be falsified.
pub struct Movie {
    pub seconds: u32,
    pub width: u16,
    pub height: u16,
    /// `stts`: the frame counts and their durations.
    pub times: Vec<u32>,
    /// `stsc`: the number of frames in each chunk.
    pub chunks: Vec<u32>,
    /// `stsz`: the size that all frames have, and the number of frames.
    pub sizes: Vec<u32>,
    /// `stco`: the offsets of the chunks.
    pub places: Vec<u32>,
    /// `dref`: the location of the data.
    pub data: Vec<u8>,
    /// Additional boxes in the track.
    pub track: Vec<u8>,
    /// Additional boxes in the sample description.
    pub picture: Vec<u8>,
    /// Additional boxes in the movie.
    pub movie: Vec<u8>,
}

const DATA: u32 = 32;
const FRAME: u32 = 16 * 16 * 3;

impl Default for Movie {
    fn default() -> Self {
        Self {
            seconds: 2,
            width: 16,
            height: 16,
            times: vec![1, 20, 1],
            chunks: vec![1, 1, 20, 1],
            sizes: vec![FRAME, 20],
            places: vec![1, DATA],
            data: atom(b"dref", &[&words(&[0, 1]), &atom(b"url ", &[&words(&[1])])]),
            track: Vec::new(),
            picture: Vec::new(),
            movie: Vec::new(),
        }
    }
}

impl Movie {
    /// Builds the file, with frames in a single shade.
    pub fn file(&self, shade: u8) -> Vec<u8> {
        let frames = atom(b"mdat", &[&vec![shade; (FRAME * 20) as usize]]);
        [brand(), frames, self.index()].concat()
    }

    pub fn index(&self) -> Vec<u8> {
        let matrix = words(&[0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000]);
        let length = self.seconds * 10;
        let header = atom(
            b"mvhd",
            &[&words(&[0, 0, 0, 10, length, 0x10000, 0x100_0000, 0, 0]), &matrix, &[0; 24], &words(&[2])],
        );
        let [width, height] = [self.width, self.height].map(u16::to_be_bytes);
        let entry = atom(
            b"raw ",
            &[
                &[0, 0, 0, 0, 0, 0, 0, 1],
                &[0; 16],
                &width,
                &height,
                &words(&[0x48_0000, 0x48_0000, 0]),
                &[0, 1],
                &[0; 32],
                &[0, 24, 0xff, 0xff],
                &self.picture,
            ],
        );
        let tables = atom(
            b"stbl",
            &[
                &atom(b"stsd", &[&words(&[0, 1]), &entry]),
                &table(b"stts", &self.times),
                &table(b"stsc", &self.chunks),
                &table(b"stsz", &self.sizes),
                &table(b"stco", &self.places),
            ],
        );
        let media = atom(b"minf", &[&atom(b"vmhd", &[&words(&[1, 0, 0])]), &atom(b"dinf", &[&self.data]), &tables]);
        let media = atom(
            b"mdia",
            &[
                &table(b"mdhd", &[0, 0, 10, length, 0x55c4_0000]),
                &atom(b"hdlr", &[&words(&[0, 0]), b"vide", &[0; 12], b"v\0"]),
                &media,
            ],
        );
        let shown =
            atom(b"tkhd", &[&words(&[3, 0, 0, 1, 0, length, 0, 0, 0, 0]), &matrix, &width, &[0, 0], &height, &[0, 0]]);
        atom(b"moov", &[&header, &atom(b"trak", &[&shown, &self.track, &media]), &self.movie])
    }
}

/// Builds a Matroska element.
pub fn element(id: &[u8], content: &[u8]) -> Vec<u8> {
    let size = (content.len() as u64 | 1 << 56).to_be_bytes();
    [id, &size, content].concat()
}

/// Builds an AVI chunk.
pub fn chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let padding = &[0][..content.len() % 2];
    [name, &(content.len() as u32).to_le_bytes()[..], content, padding].concat()
}

/// Replaces the first occurrence of `old` with `new`.
pub fn patched(file: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let at = file.windows(old.len()).position(|window| window == old).unwrap();
    [&file[..at], new, &file[at + old.len()..]].concat()
}

/// Generates pseudorandom bytes from a seed.
pub fn noise(seed: u32, count: usize) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    };
    (0..count).map(|_| next()).collect()
}

/** Recognizes files that end too early, from the lengths that their containers declare. */

/** A file with more boxes than this is left to the server: fragmented files have one or two per second. */
const MOST_BOXES = 1000;

const bytesOf = async (file: Blob, from: number, length: number): Promise<DataView> =>
  new DataView(await file.slice(from, from + length).arrayBuffer());

/** Returns four bytes as text, as most containers name their parts. */
const nameAt = (view: DataView, at: number): string =>
  view.byteLength < at + 4
    ? ''
    : String.fromCharCode(...[0, 1, 2, 3].map((byte) => view.getUint8(at + byte)));

/** Whether the container declares more bytes than the file has, or a MOV or MP4 file lacks its index, which cameras write last. */
export async function isCutOff(file: Blob): Promise<boolean> {
  const head = await bytesOf(file, 0, 64);
  if (nameAt(head, 4) === 'ftyp') return isCutOffMp4(file);
  if (nameAt(head, 0) === 'RIFF' && nameAt(head, 8) === 'AVI ')
    return head.getUint32(4, true) + 8 > file.size;
  if (nameAt(head, 0) === '\x1a\x45\xdf\xa3') return isCutOffMatroska(head, file.size);
  return false;
}

/** Walks the top-level boxes (ISO/IEC 14496-12, section 4.2). */
async function isCutOffMp4(file: Blob): Promise<boolean> {
  let hasIndex = false;
  let at = 0;
  for (let count = 0; at + 8 <= file.size; count += 1) {
    if (count === MOST_BOXES) return false;
    const view = await bytesOf(file, at, 16);
    const name = nameAt(view, 4);
    let size = view.getUint32(0);
    // One means that a size of 64 bits follows, zero that the box extends to the end of the file.
    if (size === 1 && view.byteLength === 16) size = Number(view.getBigUint64(8));
    if (size === 0) size = file.size - at;
    // This is no box, so the rest of the file can't be judged.
    if (size < 8 || !/^[\x20-\x7e]{4}$/.test(name)) return false;
    hasIndex ||= name === 'moov';
    at += size;
    if (at > file.size) return name === 'mdat' || name === 'moov' || name === 'moof';
  }
  return !hasIndex;
}

/** Compares the length of the segment (RFC 9559, section 5.1) with that of the file. Live recordings declare none. */
function isCutOffMatroska(head: DataView, fileSize: number): boolean {
  const header = numberAt(head, 4);
  const at = 4 + header.length + (header.value ?? 0);
  if (nameAt(head, at) !== '\x18\x53\x80\x67' || at + 12 > head.byteLength) return false;
  const segment = numberAt(head, at + 4);
  return segment.value !== null && at + 4 + segment.length + segment.value > fileSize;
}

/** Reads a number of variable length (RFC 8794, section 4). Its value is null if it is unknown, which is written as ones only. */
function numberAt(view: DataView, at: number): { length: number; value: number | null } {
  const first = view.getUint8(at);
  const length = Math.clz32(first) - 23;
  if (length > 8 || at + length > view.byteLength) return { length, value: null };
  let value = first & (0xff >> length);
  let isUnknown = value === 0xff >> length;
  for (let byte = 1; byte < length; byte += 1) {
    const next = view.getUint8(at + byte);
    isUnknown &&= next === 0xff;
    value = value * 256 + next;
  }
  return { length, value: isUnknown ? null : value };
}

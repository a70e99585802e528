/** Reads a picture's properties from the first bytes of its file, without decoding it. This module is pure. */

export interface Head {
  /** The number of stored pixels. In a rotated photo, width and height are swapped. */
  width: number;
  height: number;
  /** Known only for some types. */
  isAnimated: boolean;
}

/** This is enough for the metadata that cameras write before the picture. */
export const HEAD_BYTES = 256 * 1024;

const text = (bytes: Uint8Array, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

function pngHead(view: DataView, bytes: Uint8Array): Head | null {
  if (view.byteLength < 24) return null;
  let isAnimated = false;
  // Each chunk has a length, type, data and checksum. Animations are marked before the first frame.
  for (let at = 8; at + 8 <= view.byteLength;) {
    const name = text(bytes, at + 4, at + 8);
    if (name === 'acTL') isAnimated = true;
    if (name === 'IDAT') break;
    at += view.getUint32(at) + 12;
  }
  return { width: view.getUint32(16), height: view.getUint32(20), isAnimated };
}

function gifHead(view: DataView): Head | null {
  if (view.byteLength < 10) return null;
  return { width: view.getUint16(6, true), height: view.getUint16(8, true), isAnimated: false };
}

/** Reads a 24-bit little-endian integer. */
const three = (view: DataView, at: number): number =>
  view.getUint16(at, true) + view.getUint8(at + 2) * 65_536;

function webpHead(view: DataView, bytes: Uint8Array): Head | null {
  if (view.byteLength < 30) return null;
  switch (text(bytes, 12, 16)) {
    case 'VP8X':
      return {
        width: three(view, 24) + 1,
        height: three(view, 27) + 1,
        isAnimated: (view.getUint8(20) & 2) !== 0,
      };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return {
        width: (bits & 0x3fff) + 1,
        height: ((bits >>> 14) & 0x3fff) + 1,
        isAnimated: false,
      };
    }
    case 'VP8 ':
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
        isAnimated: false,
      };
    default:
      return null;
  }
}

/** Whether a marker starts a frame. Other markers in this range have other meanings. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function jpegHead(view: DataView): Head | null {
  for (let at = 2; at + 9 <= view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return null;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1;
    else if (isFrame(marker)) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5), isAnimated: false };
    } else at += 2 + view.getUint16(at + 2);
  }
  return null;
}

type Kind = 'png' | 'gif' | 'webp' | 'jpeg';

/** Returns the type, whatever the file name is. Returns null unless it is a JPEG, PNG, WebP or GIF. */
export function kindOf(buffer: ArrayBuffer): Kind | null {
  const first = text(new Uint8Array(buffer), 0, 12);
  if (first.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (first.startsWith('GIF87a') || first.startsWith('GIF89a')) return 'gif';
  if (first.startsWith('RIFF') && first.endsWith('WEBP')) return 'webp';
  return first.startsWith('\xff\xd8\xff') ? 'jpeg' : null;
}

/** Returns the picture's properties, or null if the first bytes don't contain them. */
export function headOf(buffer: ArrayBuffer): Head | null {
  const bytes = new Uint8Array(buffer);
  const view = new DataView(buffer);
  switch (kindOf(buffer)) {
    case 'png':
      return pngHead(view, bytes);
    case 'gif':
      return gifHead(view);
    case 'webp':
      return webpHead(view, bytes);
    case 'jpeg':
      return jpegHead(view);
    case null:
      return null;
  }
}

/** Generates one-time passwords in the same way as an authenticator app: RFC 6238 with SHA-1, six digits, 30 seconds. */
import { createHmac } from 'node:crypto';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function base32(text: string): Buffer {
  let [bits, value] = [0, 0];
  const bytes: number[] = [];
  for (const letter of text) {
    value = (value << 5) | LETTERS.indexOf(letter);
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >>> bits) & 255);
    }
  }
  return Buffer.from(bytes);
}

/** Returns the current password for an `otpauth:` key. */
export function oneTime(key: string): string {
  const secret = base32(new URL(key).searchParams.get('secret') ?? '');
  const interval = Buffer.alloc(8);
  interval.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac('sha1', secret).update(interval).digest();
  const at = (digest.at(-1) ?? 0) & 15;
  const number = (digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000;
  return String(number).padStart(6, '0');
}

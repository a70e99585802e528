/** Solves ALTCHA's proof of work: it finds the number whose hash with the salt is the challenge. This module is pure. */
export interface Challenge {
  algorithm: string;
  /** The SHA-256 hash of the salt and the number, in hexadecimal. */
  challenge: string;
  /** The maximum number. */
  maxnumber: number;
  salt: string;
  signature: string;
}

/** How many hashes run concurrently. With one at a time, most of the time would be spent waiting. */
const BATCH = 512;

const hex = (hash: ArrayBuffer): string =>
  Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Returns the number, or `null` if the challenge has no solution because it was corrupted. */
export async function solve({ challenge, salt, maxnumber }: Challenge): Promise<number | null> {
  const encoder = new TextEncoder();
  for (let first = 0; first <= maxnumber; first += BATCH) {
    const count = Math.min(BATCH, maxnumber - first + 1);
    const hashes = await Promise.all(
      Array.from({ length: count }, (_, at) =>
        crypto.subtle.digest('SHA-256', encoder.encode(salt + String(first + at))),
      ),
    );
    const at = hashes.findIndex((hash) => hex(hash) === challenge);
    if (at >= 0) return first + at;
  }
  return null;
}

/** Returns what the form sends. The texts are ASCII, so base64 accepts them as they are. */
export const payload = (
  { algorithm, challenge, salt, signature }: Challenge,
  number: number,
): string => btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));

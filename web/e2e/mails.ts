/** Reads the mails that the server under test wrote to its data folder, as their recipients see them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';

/** Data folder of the server that most tests share. */
export const SHARED = process.env.DATA_DIR ?? '../.lantern';

/** Decodes quoted-printable: soft line breaks and escaped `=` (RFC 2045, 6.7). */
const unquoted = (body: string): string =>
  Buffer.from(
    body
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
    'latin1',
  ).toString();

/** Decodes a mail: the headers of each part, and its text. Texts in other alphabets are encoded as base64. */
const decoded = (mail: string): string =>
  [...mail.matchAll(/boundary="([^"]+)"/g)]
    .reduce((parts, [, end = '']) => parts.flatMap((part) => part.split(`--${end}`)), [mail])
    .map((part) => {
      const [head = '', ...rest] = part.trimStart().split(/\r?\n\r?\n/);
      const body = rest.join('\n\n');
      const isBase64 = /^content-transfer-encoding: base64/im.test(head);
      return `${head}\n\n${isBase64 ? Buffer.from(body, 'base64').toString() : unquoted(body)}`;
    })
    .join('\n');

/** Returns the site's addresses found in all mails to a recipient. */
function links(to: string, pattern: RegExp, data: string): string[] {
  const folder = join(data, 'mail');
  const files = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  return files
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((mail) => mail.includes(to))
    .flatMap((mail) => decoded(mail).match(pattern) ?? []);
}

/** Waits for a mail with a matching link, and returns the link as a path on the site. */
export async function linkIn(to: string, pattern: RegExp, data = SHARED): Promise<string> {
  await expect
    .poll(() => links(to, pattern, data).length, { message: `a mail to ${to}` })
    .toBeGreaterThan(0);
  return links(to, pattern, data)[0] ?? '';
}

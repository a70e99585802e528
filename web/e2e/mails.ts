/** Mails the server under test wrote into its data folder, as one who has the mailbox sees them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';

/** Data folder of the server that most journeys share. */
export const SHARED = process.env.DATA_DIR ?? '../.lantern';

/** Undoes quoted-printable, in which long lines are broken and `=` is spelled out (RFC 2045, 6.7). */
const unquoted = (body: string): string =>
  Buffer.from(
    body
      .replace(/=\r?\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
    'latin1',
  ).toString();

/** A mail as it is read: each part with its head, and its text in plain. Texts in other alphabets come as base64. */
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

/** Addresses on the site, found in all mails to somebody. */
function links(to: string, pattern: RegExp, data: string): string[] {
  const folder = join(data, 'mail');
  const files = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  return files
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((mail) => mail.includes(to))
    .flatMap((mail) => decoded(mail).match(pattern) ?? []);
}

/** Waits for a mail with such a link, and gives the link as a path of the site. */
export async function linkIn(to: string, pattern: RegExp, data = SHARED): Promise<string> {
  await expect
    .poll(() => links(to, pattern, data).length, { message: `a mail to ${to}` })
    .toBeGreaterThan(0);
  return links(to, pattern, data)[0] ?? '';
}

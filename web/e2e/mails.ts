/** Mails the server under test wrote into its data folder, as one who has the mailbox sees them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';

const folder = join(process.env.DATA_DIR ?? '../.lantern', 'mail');

/** Undoes quoted-printable, in which long lines are broken and `=` is spelled out. */
const decoded = (mail: string): string =>
  mail
    .replace(/=\r?\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/** Addresses on the site, found in all mails to somebody. */
function links(to: string, pattern: RegExp): string[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.eml'));
  return files
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .filter((mail) => mail.includes(to))
    .flatMap((mail) => decoded(mail).match(pattern) ?? []);
}

/** Waits for a mail with such a link, and gives the link as a path of the site. */
export async function linkIn(to: string, pattern: RegExp): Promise<string> {
  await expect
    .poll(() => links(to, pattern).length, { message: `a mail to ${to}` })
    .toBeGreaterThan(0);
  return links(to, pattern)[0] ?? '';
}

/** Makes a page look the same on every machine and every day, by fixing its fonts, dates and stills. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, Page } from '@playwright/test';

const FACES = ['latin', 'latin-ext', 'cyrillic'].map((part) =>
  readFileSync(
    createRequire(import.meta.url).resolve(
      `@fontsource-variable/inter/files/inter-${part}-wght-normal.woff2`,
    ),
  ).toString('base64'),
);

const STYLE = `
  *, ::before, ::after { font-family: Looks0, Looks1, Looks2 !important; caret-color: transparent !important; }
  /* Chosen at random each day. */
  footer section:has(#keywords) { display: none !important; }
  /* Stills and videos depend on the ffmpeg version: show their area in one colour. */
  img[src*='/media/'], video { object-position: -9999px 0 !important; background: #777 !important; }
`;

/** Sets the scene for all pages opened in the browser from now on. */
export async function setScene(context: BrowserContext): Promise<void> {
  await context.addInitScript(
    ([faces, style]) => {
      faces.forEach((face, index) => {
        const bytes = Uint8Array.from(atob(face), (letter) => letter.charCodeAt(0));
        document.fonts.add(
          new FontFace(`Looks${String(index)}`, bytes.buffer, { weight: '100 900' }),
        );
      });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(style);
      document.adoptedStyleSheets.push(sheet);
      // The demo's dates are relative to today, so they would change daily.
      Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
        get: () => () => '1 January 2026',
      });
    },
    [FACES, STYLE] as const,
  );
}

/** Replaces letters that the bundled typeface lacks, because they would use a system font. */
export const inKnownLetters = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    // Japanese letters and punctuation.
    const others = /[\u2e80-\u9fff\uf900-\uffef]/gu;
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      const known = text.textContent?.replace(others, 'm') ?? '';
      if (known !== text.textContent) text.textContent = known;
    }
  });

/** Keeps what does not depend on data: landmarks, headings and controls. */
export const withoutData = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const node of document.querySelectorAll('main :is(ul, ol, dl, p)')) {
      if (!node.closest('nav')) node.setAttribute('aria-hidden', 'true');
    }
  });

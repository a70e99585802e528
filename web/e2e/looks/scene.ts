/** Makes a page the same on every machine and day: its letters, its dates and its stills. */
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
  /* Drawn by lot each day. */
  footer section:has(#keywords) { display: none !important; }
  /* Stills and films are drawn by a program that has versions: their place is shown, in one colour. */
  img[src*='/media/'], video { object-position: -9999px 0 !important; background: #777 !important; }
`;

/** For all pages of the browser that are opened from now on. */
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
      // The demo's data is as old on every day, and has other dates.
      Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
        get: () => () => '1 January 2026',
      });
    },
    [FACES, STYLE] as const,
  );
}

/** Letters that the typeface doesn't have would be the system's: others stand for them. */
export const inKnownLetters = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    // Those of Japanese, and its marks.
    const others = /[\u2e80-\u9fff\uf900-\uffef]/gu;
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      const known = text.textContent?.replace(others, 'm') ?? '';
      if (known !== text.textContent) text.textContent = known;
    }
  });

/** Leaves what is the same whatever the site holds: landmarks, headings, controls. */
export const withoutData = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const node of document.querySelectorAll('main :is(ul, ol, dl, p)')) {
      if (!node.closest('nav')) node.setAttribute('aria-hidden', 'true');
    }
  });

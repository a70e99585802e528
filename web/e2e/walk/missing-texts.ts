/** Finds missing texts on a page: bare keys and unfilled placeholders. */
import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';

interface Tree {
  [key: string]: string | Tree;
}
const keysOf = (tree: Tree, prefix = ''): string[] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key] : keysOf(value, `${prefix}${key}.`),
  );

const FOLDER = new URL('../../../config/texts/', import.meta.url);
/** Keys that cannot be words used on the site itself. */
const KEYS = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) =>
    keysOf(JSON.parse(readFileSync(new URL(`${name}/en.json`, FOLDER), 'utf8')) as Tree),
  )
  .filter((key) => /[.A-Z_]/.test(key));

/** Returns all missing texts, whether visible or for screen readers. */
export const missingTexts = (page: Page): Promise<string[]> =>
  page.evaluate((keys) => {
    const known = new Set(keys);
    const said: string[] = [document.title];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode: text } = texts;
      if (!text.parentElement?.closest('script, style')) said.push(text.textContent ?? '');
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      for (const node of document.querySelectorAll(`[${name}]`))
        said.push(node.getAttribute(name) ?? '');
    return said
      .map((text) => text.trim())
      .filter((text) => known.has(text) || /\{\{|\bundefined\b|\bNaN\b|\[object /.test(text));
  }, KEYS);

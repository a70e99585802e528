/** Updates the document head after client-side navigation, so that it matches the server's head for that address. */

import { below, type Block } from './below';

const TYPE = 'application/vnd.lantern.head+json';
const DATA = 'script[type="application/ld+json"]';
/** The head elements that the server writes (`site/src/head.rs`). */
const FACTS = [
  'meta[name=description]',
  'meta[name=robots]',
  'meta[name^="twitter:"]',
  'meta[property^="og:"]',
  'link[rel=canonical]',
  'link[rel=alternate]',
  'link[rel=prev]',
  'link[rel=next]',
].join();

interface Head {
  /** HTML of the title and of all `FACTS`. */
  head: string;
  /** Structured data. */
  data: object | null;
  /** The operator's text below the list. */
  text: Block[] | null;
}

let asking: AbortController | undefined;

const clear = (selector: string) => {
  for (const node of document.querySelectorAll(selector)) node.remove();
};

function show({ head, data, text }: Head): void {
  below.write(text ?? []);
  const parsed = new DOMParser().parseFromString(head, 'text/html');
  document.title = parsed.title;
  document.head.append(...parsed.querySelectorAll(FACTS));
  if (!data) return;
  const script = document.createElement('script');
  script.type = 'application/ld+json';
  script.textContent = JSON.stringify(data);
  document.body.append(script);
}

/** Replaces the head with the server's for the current address. The head is empty until the new one has loaded, and if loading fails. */
export async function updateHead(): Promise<void> {
  asking?.abort();
  const { signal } = (asking = new AbortController());
  clear(FACTS);
  clear(DATA);
  below.write([]);
  try {
    const response = await fetch(location.href, {
      headers: { accept: TYPE },
      // The page has the same URL, so don't overwrite the browser's cache entry for the page.
      cache: 'no-store',
      signal,
    });
    // The dev server returns only whole pages.
    if (response.headers.get('content-type') !== TYPE) return;
    const head = (await response.json()) as Head;
    if (!signal.aborted) show(head);
  } catch (error) {
    // Further navigation aborted the request, or the browser is offline, so there is no head.
    if (!signal.aborted && !(error instanceof TypeError)) throw error;
  }
}

/** The head of the page after the app went to another address by itself: what the server says there. */

import { below, type Block } from './below';

const TYPE = 'application/vnd.lantern.head+json';
const DATA = 'script[type="application/ld+json"]';
/** What the server writes about a page (`api/src/page/head.rs`). */
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
  /** HTML of the title and of all of `FACTS`. */
  head: string;
  /** Structured data. */
  data: object | null;
  /** What an operator says below the list. */
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

/** Says of the page what the server says of this address. Until it is known, and if it can't be, nothing is said. */
export async function updateHead(): Promise<void> {
  asking?.abort();
  const { signal } = (asking = new AbortController());
  clear(FACTS);
  clear(DATA);
  below.write([]);
  try {
    const response = await fetch(location.href, {
      headers: { accept: TYPE },
      // The address is the page's own: the browser's memory of that stays as it is.
      cache: 'no-store',
      signal,
    });
    // The dev server has pages only.
    if (response.headers.get('content-type') !== TYPE) return;
    const head = (await response.json()) as Head;
    if (!signal.aborted) show(head);
  } catch (error) {
    // Left for another address, or offline: there is nothing to say then.
    if (!signal.aborted && !(error instanceof TypeError)) throw error;
  }
}

import type { Ads } from './ads';
import type { Lang } from './audience';
import type { Block } from './below';
import type { Limits } from './limits';
import type { Offers } from './offers';

/** The JSON the server writes under the page's content, parsed once. A page without it (the dev server's), or with nothing in it, has none of its fields. */
export interface Sent {
  /** Of the charts, ISO 3166-1 alpha-2. */
  country: string;
  lang: Lang;
  /** The visitor's country asks for an age check. */
  age_gate: boolean;
  /** The visitor shows no session. */
  guest: boolean;
  /** The operator has set up the sign-in at Google. */
  google: boolean;
  /** The domain of the site's cookies; empty for the host's own. */
  cookie_domain: string;
  /** What the operator configured. */
  limits: Limits;
  /** Advertisements; none where the operator set up none, or the member has premium. */
  ads: Ads;
  /** What the site says for itself and its partners. */
  offers: Offers;
  /** Visits of pages are counted. */
  page_views: boolean;
  /** What an operator says below the list. */
  text: Block[];
  /** What the calls of this page would answer, by their URL. */
  answers: Record<string, unknown>;
}

let known: Partial<Sent> | undefined;

function read(): Partial<Sent> {
  const json = document.getElementById('boot')?.textContent.trim();
  return json ? (JSON.parse(json) as Partial<Sent>) : {};
}

export const sent = (): Partial<Sent> => (known ??= read());

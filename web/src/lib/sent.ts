import type { Ads } from './ads';
import type { Lang } from './audience';
import type { Block } from './below';
import type { Limits } from './limits';
import type { Offers } from './offers';

/**
 * The JSON that the server embeds below the page's content. It is parsed once. All fields are missing if the page has no JSON (dev
 * server) or an empty object.
 */
export interface Sent {
  /** The country that the charts are for, ISO 3166-1 alpha-2. */
  country: string;
  lang: Lang;
  /** Whether the visitor's country requires an age check. */
  age_gate: boolean;
  /** Whether the visitor has no session. */
  guest: boolean;
  /** Whether the operator has configured login with Google. */
  google: boolean;
  /** The domain for the site's cookies. It is empty for host-only cookies. */
  cookie_domain: string;
  /** Limits configured by the operator. */
  limits: Limits;
  /** Advertisements. The field is missing if none are configured or the member has premium. */
  ads: Ads;
  /** Promotions for the site and its partners. */
  offers: Offers;
  /** Whether page views are counted. */
  page_views: boolean;
  /** The operator's text below the list. */
  text: Block[];
  /** Responses to this page's calls, by URL. */
  answers: Record<string, unknown>;
}

let known: Partial<Sent> | undefined;

function read(): Partial<Sent> {
  const json = document.getElementById('boot')?.textContent.trim();
  return json ? (JSON.parse(json) as Partial<Sent>) : {};
}

export const sent = (): Partial<Sent> => (known ??= read());

/** Captcha providers. The server chooses one, and the code of the others is not loaded. */
import type { Query } from '@/api/call';
import { fetchAnswer } from '@/api/client';
import { ApiError } from '@/lib/http';
import { payload, type Challenge } from './solve';

export type Purpose = Query<'/api/captcha.php'>['for'];

type ProviderOffer =
  | ({ provider: 'altcha' } & Challenge)
  | { provider: 'turnstile' | 'recaptcha'; site_key: string }
  | { provider: 'off' };

interface Turnstile {
  render: (
    place: HTMLElement,
    options: {
      sitekey: string;
      action: string;
      callback: (token: string) => void;
      'error-callback': () => void;
    },
  ) => string;
  remove: (widget: string) => void;
}
interface Recaptcha {
  ready: (done: () => void) => void;
  execute: (siteKey: string, options: { action: string }) => Promise<string>;
}
declare global {
  interface Window {
    turnstile?: Turnstile;
    grecaptcha?: Recaptcha;
  }
}

/** The check could not run, which is reported in the same way as the server's refusal. */
const failed = () => new ApiError(0, { code: 'captcha_invalid', field: 'captcha' });

const scripts = new Map<string, Promise<void>>();

function loadScript(src: string): Promise<void> {
  const known = scripts.get(src);
  if (known) return known;
  const loading = new Promise<void>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.async = true;
    script.onload = () => resolve();
    script.onerror = () => {
      // The next attempt loads the script again.
      scripts.delete(src);
      script.remove();
      reject(failed());
    };
    document.head.append(script);
  });
  scripts.set(src, loading);
  return loading;
}

function proveWork(challenge: Challenge): Promise<string> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  return new Promise<string>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<number | null>) => {
      if (data === null) reject(failed());
      else resolve(payload(challenge, data));
    };
    worker.onerror = () => reject(failed());
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}

async function askTurnstile(siteKey: string, action: Purpose, place: HTMLElement): Promise<string> {
  await loadScript('https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit');
  const { turnstile } = window;
  if (!turnstile) throw failed();
  // Removes the previous widget, because each token is valid for one form.
  place.replaceChildren();
  const box = place.appendChild(document.createElement('div'));
  return new Promise((resolve, reject) => {
    turnstile.render(box, {
      sitekey: siteKey,
      action,
      callback: resolve,
      'error-callback': () => reject(failed()),
    });
  });
}

async function askRecaptcha(siteKey: string, action: Purpose): Promise<string> {
  await loadScript(`https://www.google.com/recaptcha/api.js?render=${encodeURIComponent(siteKey)}`);
  const { grecaptcha } = window;
  if (!grecaptcha) throw failed();
  await new Promise<void>((resolve) => grecaptcha.ready(resolve));
  return grecaptcha.execute(siteKey, { action });
}

/** Returns the value for the form's `captcha` field, which is valid for one attempt. Returns `undefined` if none is required. */
export async function prove(purpose: Purpose, place: HTMLElement): Promise<string | undefined> {
  const offered = await fetchAnswer<'/api/captcha.php', ProviderOffer>('/api/captcha.php', {
    for: purpose,
  });
  switch (offered.provider) {
    case 'altcha':
      return proveWork(offered);
    case 'turnstile':
      return askTurnstile(offered.site_key, purpose, place);
    case 'recaptcha':
      return askRecaptcha(offered.site_key, purpose);
    case 'off':
      return undefined;
  }
}

// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { render } from '@/lib/render';
import { LanguageList, LanguageMenu } from './preferences';

const named = (text: string): HTMLButtonElement => {
  const found = [...document.querySelectorAll('button')].find((one) =>
    one.textContent.includes(text),
  );
  if (!found) throw new Error(`no button ${text}`);
  return found;
};
const click = (text: string) => act(() => named(text).click());

beforeEach(async () => {
  navigate('/');
  document.cookie = 'app_lang=en; Path=/';
  await render(
    <>
      <LanguageMenu />
      <LanguageList />
    </>,
  );
});

afterEach(() => {
  document.cookie = 'app_lang=; Path=/; Max-Age=0';
});

it('shows the chosen language before its texts are loaded', () => {
  click('Deutsch');
  // Nothing was awaited, so the page is still in English.
  expect(named('Language').textContent).toContain('Language: Deutsch');
});

// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { startI18n } from '@/i18n';
import { VisitorProvider } from '@/lib/visitor';
import { LanguageList, LanguageMenu } from './preferences';

let root: Root;
const host = document.createElement('div');

const named = (text: string): HTMLButtonElement => {
  const found = [...document.querySelectorAll('button')].find((one) =>
    one.textContent.includes(text),
  );
  if (!found) throw new Error(`no button ${text}`);
  return found;
};
const click = (text: string) => act(() => named(text).click());

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  navigate('/');
  document.cookie = 'app_lang=en; Path=/';
  await startI18n('en');
  root = createRoot(document.body.appendChild(host));
  act(() =>
    root.render(
      <VisitorProvider lang="en" country="US">
        <LanguageMenu />
        <LanguageList />
      </VisitorProvider>,
    ),
  );
});

afterEach(() => {
  act(() => root.unmount());
  document.body.replaceChildren();
  document.cookie = 'app_lang=; Path=/; Max-Age=0';
  vi.unstubAllGlobals();
});

it('shows the chosen language before its texts are loaded', () => {
  click('Deutsch');
  // Nothing was awaited, so the page is still in English.
  expect(named('Language').textContent).toContain('Language: Deutsch');
});

// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { navigate } from 'wouter/use-browser-location';
import { startI18n } from '@/i18n';
import { VisitorProvider } from '@/lib/visitor';
import { turnKeys } from '@/shared/keys/keys';
import { forgetSearches, rememberSearch } from './recent';
import { SearchBox } from './search-box';

const requests: string[] = [];
let root: Root;
let input: HTMLInputElement;

const setValue = (value: string, isComposing = false) => {
  // React overrides the element's own setter, so use the prototype's, as typing does.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  input.dispatchEvent(new InputEvent('input', { bubbles: true, isComposing }));
};
const press = (key: string, isComposing = false) =>
  input.dispatchEvent(
    new KeyboardEvent('keydown', { key, isComposing, bubbles: true, cancelable: true }),
  );
/** Waits for the debounce, the response and the rendering. */
const rest = async () => {
  for (let step = 0; step < 3; step += 1) await act(() => vi.advanceTimersByTimeAsync(150));
};
const suggestions = () => requests.filter((url) => url.includes('suggester.php'));

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  requests.length = 0;
  forgetSearches();
  vi.stubGlobal('fetch', (url: string) => {
    requests.push(url);
    const found = [{ title: '夜景', type: 'query', total: 3 }];
    return Promise.resolve(
      Response.json({ suggestions: url.includes('suggester.php') ? found : [] }),
    );
  });
  navigate('/');
  document.cookie = 'app_lang=ja; Path=/';
  await startI18n('ja');
  const host = document.body.appendChild(document.createElement('div'));
  root = createRoot(host);
  act(() => {
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <VisitorProvider lang="ja" country="JP">
          <SearchBox />
        </VisitorProvider>
      </QueryClientProvider>,
    );
  });
  const found = host.querySelector('input');
  if (!found) throw new Error('no search box');
  input = found;
  act(() => input.focus());
});

afterEach(() => {
  act(() => root.unmount());
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('requests suggestions once typing pauses, but not for a single letter', async () => {
  act(() => setValue('a'));
  await rest();
  act(() => setValue('ab'));
  await act(() => vi.advanceTimersByTimeAsync(200));
  expect(suggestions()).toEqual([]);
  await rest();
  expect(suggestions()).toHaveLength(1);
});

it('requests suggestions for a single kanji, which is a word', async () => {
  act(() => setValue('雪'));
  await rest();
  expect(suggestions()).toHaveLength(1);
});

it('ignores keys and text during input method composition', async () => {
  act(() => {
    input.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
    setValue('やけい', true);
    press('Enter', true);
  });
  await rest();
  expect(location.pathname).toBe('/');
  expect(suggestions()).toEqual([]);
  act(() => {
    setValue('夜景', true);
    input.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
  });
  await rest();
  expect(suggestions()).toHaveLength(1);
});

it('chooses by arrow and Enter, closes by Escape', async () => {
  act(() => setValue('夜景'));
  await rest();
  expect(input.getAttribute('aria-expanded')).toBe('true');
  act(() => {
    press('Escape');
  });
  expect(input.getAttribute('aria-expanded')).toBe('false');
  act(() => {
    press('ArrowDown');
  });
  expect(input.getAttribute('aria-expanded')).toBe('true');
  act(() => {
    press('ArrowDown');
  });
  expect(input.getAttribute('aria-activedescendant')).not.toBeNull();
  act(() => {
    press('Enter');
  });
  expect(location.pathname + location.search).toBe('/search/1/?s=%E5%A4%9C%E6%99%AF');
});

it('removes one recent search or all, and keeps focus in the box', async () => {
  act(() => {
    rememberSearch('夜景');
    rememberSearch('温泉');
    input.click();
  });
  // The list and its buttons are in separate chunks.
  await act(() => import('./suggestion-list'));
  await act(() => import('./forget'));
  const press = (name: RegExp) => {
    const found = [...document.querySelectorAll('button')].find((button) =>
      name.test(button.getAttribute('aria-label') ?? ''),
    );
    act(() => found?.click());
  };
  const shown = () => [...document.querySelectorAll('[role=option]')].map((one) => one.textContent);
  expect(shown()).toEqual(['温泉', '夜景']);
  press(/「温泉」/);
  expect(shown()).toEqual(['夜景']);
  expect(document.activeElement).toBe(input);
  press(/最近の検索をすべて消去/);
  expect(shown()).toEqual([]);
  expect(document.activeElement).toBe(input);
});

it('is focused by a slash unless single-key shortcuts are off', () => {
  const slash = () => {
    const event = new KeyboardEvent('keydown', { key: '/', bubbles: true, cancelable: true });
    act(() => {
      document.body.dispatchEvent(event);
    });
    return [event.defaultPrevented, document.activeElement === input];
  };
  act(() => input.blur());
  turnKeys(false);
  expect(slash()).toEqual([false, false]);
  turnKeys(true);
  expect(slash()).toEqual([true, true]);
});

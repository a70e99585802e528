// @vitest-environment happy-dom
import { act } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { render } from '@/lib/render';
import { until } from '@/lib/until';
import { Disclosure } from './disclosure';

const button = () => document.querySelector<HTMLButtonElement>('button[aria-expanded]');
const panel = () => document.querySelector('a');
const open = async () => {
  act(() => button()?.click());
  await until(() => expect(panel()).not.toBeNull());
};
const closed = () => until(() => expect(panel()).toBeNull());

beforeEach(async () => {
  await render(
    <Disclosure label="Videos">
      {(close) => (
        <a href="#new" onClick={close}>
          New
        </a>
      )}
    </Disclosure>,
  );
});

it('opens with a click and moves focus in', async () => {
  expect(button()?.getAttribute('aria-expanded')).toBe('false');
  expect(panel()).toBeNull();
  await open();
  expect(panel()?.textContent).toBe('New');
  expect(button()?.getAttribute('aria-expanded')).toBe('true');
  expect(button()?.hasAttribute('aria-haspopup')).toBe(false);
  await until(() => {
    expect(document.activeElement?.contains(panel())).toBe(true);
    expect(document.activeElement).not.toBe(document.body);
  });
  act(() => button()?.click());
  await closed();
});

it('closes on Escape and returns focus to its button', async () => {
  await open();
  act(() => {
    panel()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  });
  await closed();
  await until(() => expect(document.activeElement).toBe(button()));
});

it('closes when a link in it is followed', async () => {
  await open();
  act(() => {
    panel()?.click();
  });
  await closed();
});

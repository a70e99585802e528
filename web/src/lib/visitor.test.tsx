// @vitest-environment happy-dom
import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { readCookie } from './cookies';
import { render } from './render';
import { chosenLang, useVisitor } from './visitor';

function Country() {
  const { country, setCountry } = useVisitor();
  return (
    <button type="button" onClick={() => setCountry('JP')}>
      {country}
    </button>
  );
}

it('stores the country of the charts in the cookie that the server reads', async () => {
  await render(<Country />);
  const button = document.querySelector('button');
  expect(button?.textContent).toBe('US');
  act(() => button?.click());
  expect(button?.textContent).toBe('JP');
  expect(readCookie('chart_country')).toBe('JP');
});

it('starts in the language of the address, the cookie, or the browser', () => {
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['sv-SE', 'pt-BR', 'de']);
  expect(chosenLang('')).toBe('pt');
  document.cookie = 'app_lang=ja';
  expect(chosenLang('')).toBe('ja');
  expect(chosenLang('?lang=fr')).toBe('fr');
  document.cookie = 'app_lang=; Max-Age=0';
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['sv']);
  expect(chosenLang('')).toBe('en');
});

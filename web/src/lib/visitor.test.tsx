// @vitest-environment happy-dom
import { act } from 'react';
import { expect, it } from 'vitest';
import { readCookie } from './cookies';
import { render } from './render';
import { useVisitor } from './visitor';

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

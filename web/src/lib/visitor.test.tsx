// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { readCookie } from './cookies';
import { useVisitor, VisitorProvider } from './visitor';

function Country() {
  const { country, setCountry } = useVisitor();
  return (
    <button type="button" onClick={() => setCountry('JP')}>
      {country}
    </button>
  );
}

it('stores the country of the charts in the cookie that the server reads', () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  act(() =>
    root.render(
      <VisitorProvider lang="en" country="US">
        <Country />
      </VisitorProvider>,
    ),
  );
  const button = document.querySelector('button');
  expect(button?.textContent).toBe('US');
  act(() => button?.click());
  expect(button?.textContent).toBe('JP');
  expect(readCookie('chart_country')).toBe('JP');
  act(() => root.unmount());
});

import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Named } from './named';

it('shows a detail in muted text after the name', () => {
  expect(renderToStaticMarkup(<Named title="Yui Sato" />)).toBe('Yui Sato');
  expect(renderToStaticMarkup(<Named title="Yui Sato" detail="Japan, 27" />)).toBe(
    'Yui Sato <span class="font-normal whitespace-nowrap text-muted">Japan, 27</span>',
  );
});

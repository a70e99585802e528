// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, it, vi } from 'vitest';
import { startI18n } from '@/i18n';
import { Chips } from './chips';

it('marks the filter that was dropped', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  await startI18n('en');
  const items = [
    { key: 'duration', label: 'Short', unapplied: true, remove: vi.fn() },
    { key: 'type', label: 'HD only', unapplied: false, remove: vi.fn() },
  ];
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  act(() => root.render(<Chips items={items} onClear={vi.fn()} />));
  const [duration, type] = document.querySelectorAll('button');
  expect(duration?.innerHTML).toContain('<s>Short</s>');
  expect(duration?.getAttribute('aria-label')).toBe('Remove Short (not applied)');
  expect(type?.innerHTML).not.toContain('<s>');
  expect(type?.getAttribute('aria-label')).toBe('Remove HD only');
  act(() => root.unmount());
});

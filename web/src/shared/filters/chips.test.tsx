// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { render } from '@/lib/render';
import { Chips } from './chips';

it('marks the filter that was dropped', async () => {
  const items = [
    { key: 'duration', label: 'Short', unapplied: true, remove: vi.fn() },
    { key: 'type', label: 'HD only', unapplied: false, remove: vi.fn() },
  ];
  await render(<Chips items={items} onClear={vi.fn()} />);
  const [duration, type] = document.querySelectorAll('button');
  expect(duration?.innerHTML).toContain('<s>Short</s>');
  expect(duration?.getAttribute('aria-label')).toBe('Remove Short (not applied)');
  expect(type?.innerHTML).not.toContain('<s>');
  expect(type?.getAttribute('aria-label')).toBe('Remove HD only');
});

// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { NOTHING } from './member-state';
import { toggled } from './video-acts';

it('the same button saves and removes a video', () => {
  const say = (key: string) => key;
  const on = toggled('favourite', 7, NOTHING, say);
  expect(on.fields).toEqual({ act: 'favourite', section: 'add', object_id: 7 });
  const off = toggled('favourite', 7, { ...NOTHING, ...on.change }, say);
  expect(off).toMatchObject({ fields: { section: 'rem' }, change: { favourite: false } });
  expect(toggled('watch_later', 7, undefined, say).fields).toMatchObject({ section: 'add' });
  // Only a removal can be undone.
  expect([on.undo, off.undo]).toEqual([undefined, on.fields]);
});

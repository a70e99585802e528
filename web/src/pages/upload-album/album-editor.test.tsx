// @vitest-environment happy-dom
import { act, useEffect } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { UPLOAD_STATUS } from '@/api/status';
import { errorText } from '@/i18n/errors';
import { ApiError } from '@/lib/http';
import { queryClient } from '@/lib/query';
import { render, unmount } from '@/lib/render';
import { until } from '@/lib/until';
import { closeLogin, useLoginRequest } from '@/shared/account/login-request';
import { AlbumEditor } from './album-editor';
import { upload } from './run';
import { BEGUN, dropWork, findWork } from './works';

vi.mock('@/ui/toast', () => ({ toast: () => Promise.resolve() }));
vi.mock('./run', () => ({ upload: vi.fn(), stop: vi.fn() }));
vi.mock('./examine', () => ({
  examine: ({ name }: File) =>
    Promise.resolve({ doubt: name === 'note.txt' ? 'kind' : null, thumb: null, size: null }),
}));

const LIMITS = {
  max_bytes: 1000,
  max_side: 12_000,
  max_pixels: 25_000_000,
  min_width: 320,
  min_height: 320,
  max_frames: 1,
  max_photos: 4,
  form_photos: 20,
  form_bytes: 1000,
  title_min: 3,
  title_max: 150,
  description_max: 5000,
  max_categories: 3,
  max_models: 20,
};
const FIRST = {
  title: 'Harbour',
  description: '',
  lang: 'en',
  orientation: 'str',
  categories: [{ dir: 'night', title: 'Night' }],
  models: [],
  isPrivate: false,
} as const;

let isAsked: boolean;
const onDone = vi.fn(() => Promise.resolve());

function Probe() {
  const request = useLoginRequest();
  useEffect(() => {
    isAsked = request !== null;
  }, [request]);
  return null;
}
const page = () => document.body.textContent;
const one = (selector: string) => {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
};
const choose = async (...names: string[]) => {
  const input = one('input[type=file]');
  const files = names.map((name) => new File(['x'], name, { lastModified: 1 }));
  Object.defineProperty(input, 'files', { value: files, configurable: true });
  await act(async () => {
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await Promise.resolve();
  });
};
const names = () => findWork(BEGUN)?.pictures.map(({ file }) => file?.name);
const press = (selector: string, key: string) => {
  act(() => {
    one(selector).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  });
};
const send = () => {
  act(() => {
    (one('form') as HTMLFormElement).requestSubmit();
  });
};

beforeEach(async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ categories: [] })));
  await errorText({ code: 'required' }, 'en');
  await render(
    <>
      <AlbumEditor name={BEGUN} title="album" limits={LIMITS} first={FIRST} onDone={onDone} />
      <Probe />
    </>,
    queryClient,
  );
  await until(() => {
    expect(page()).toContain('Upload album');
  });
});
afterEach(() => {
  act(closeLogin);
  unmount();
  dropWork(BEGUN);
  queryClient.clear();
});

it('sorts by keys, keeps the cover, and removes', async () => {
  await choose('a.jpg', 'b.jpg', 'c.jpg');
  await until(() => {
    expect(document.querySelectorAll('ol > li')).toHaveLength(3);
  });
  act(() => {
    one('ol > li:nth-child(2) input[type=radio]').click();
  });
  press('[aria-label="Move picture 3"]', 'Home');
  expect(names()).toEqual(['c.jpg', 'a.jpg', 'b.jpg']);
  expect(page()).toContain('Picture 3 is now number 1 of 3');
  act(() => {
    one('[aria-label="Move picture 1 back"]').click();
  });
  expect(names()).toEqual(['a.jpg', 'c.jpg', 'b.jpg']);
  expect((one('ol > li:nth-child(3) input[type=radio]') as HTMLInputElement).checked).toBe(true);
  act(() => {
    one('[aria-label="Remove picture 3"]').click();
  });
  expect(names()).toEqual(['a.jpg', 'c.jpg']);
  expect((one('ol > li:first-child input[type=radio]') as HTMLInputElement).checked).toBe(true);
  expect(document.activeElement).toBe(one('[aria-label="Remove picture 2"]'));
});

it('sends nothing without pictures, or with an invalid one', async () => {
  send();
  await until(() => {
    expect(document.querySelector('[role=alert]')).not.toBeNull();
  });
  await choose('a.jpg', 'note.txt', 'b.jpg', 'c.jpg', 'd.jpg', 'e.jpg', 'a.jpg');
  await until(() => {
    expect(page()).toContain('This file can’t be used.');
    expect(page()).toContain('An album holds at most 4 pictures.');
  });
  send();
  expect(upload).not.toHaveBeenCalled();
  act(() => {
    [...document.querySelectorAll('button')]
      .find(({ textContent }) => textContent === 'Remove them')
      ?.click();
  });
  await until(() => {
    expect(names()).toEqual(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg']);
  });
  vi.mocked(upload).mockResolvedValueOnce({ end: 'done', statusId: UPLOAD_STATUS.inReview });
  send();
  await until(() => {
    expect(onDone).toHaveBeenCalledWith(2);
  });
});

it('asks a member whose session has expired to log in, and keeps everything', async () => {
  await choose('a.jpg');
  vi.mocked(upload).mockRejectedValueOnce(new ApiError(401, { code: 'need_auth' }));
  send();
  await until(() => {
    expect(isAsked).toBe(true);
  });
  expect(names()).toEqual(['a.jpg']);
});

// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MEMBER_STATUS, UPLOAD_STATUS } from '@/api/status';
import { errorText } from '@/i18n/errors';
import { queryClient } from '@/lib/query';
import { render } from '@/lib/render';
import { until } from '@/lib/until';
import { meQuery, type Me } from '@/shared/account/use-me';
import type { UploadItem } from './rows';
import { dropTransfer, transfers } from './transfers';
import UploadScreen from './upload-screen';

vi.mock('./send', () => ({ send: () => ({ stop: () => undefined }) }));
vi.mock('@/ui/toast', () => ({ toast: () => Promise.resolve() }));

const ME: Me = {
  user_id: 7,
  username: 'demo',
  avatar: null,
  status_id: MEMBER_STATUS.ordinary,
  unread_messages: 0,
  unread_notifications: 0,
  refresh_seconds: 60,
  friend_requests: 0,
  is_moderator: false,
  is_premium: false,
};
const LIMITS = {
  max_bytes: 1000,
  formats: ['mp4', 'webm'],
  exclusive_seconds: 360,
  other_seconds: 600,
  max_seconds: 7200,
  title_min: 3,
  title_max: 150,
  poster_width: 160,
  poster_height: 90,
  description_max: 5000,
  max_categories: 3,
  max_models: 20,
};
const upload = (change: Partial<UploadItem>): UploadItem => ({
  url: '/api/uploads/a',
  token: 'a',
  file_name: 'night_market.mp4',
  size_bytes: 4,
  received_bytes: 1,
  state: 'receiving',
  error_code: null,
  expires_at: '2026-10-01T12:00:00Z',
  title: null,
  step: null,
  percent: null,
  retry_at: null,
  is_kept: false,
  replaces: null,
  video: null,
  ...change,
});

let uploads: UploadItem[];
let posted: URLSearchParams[];
let refusal: object | null;

const answer = (body: unknown, status = 200) => Promise.resolve(Response.json(body, { status }));

function respond(url: string, init?: RequestInit): Promise<Response> {
  if (init?.method === 'POST') {
    posted.push(init.body as URLSearchParams);
    return refusal ? answer(refusal, 422) : answer({ ok: 1 });
  }
  if (url.startsWith('/api/uploads/')) return answer({ uploads, limits: LIMITS });
  const categories = [
    { dir: 'night', title: 'Night' },
    { dir: 'street', title: 'Street' },
  ];
  return answer({ categories });
}

const page = () => document.body.textContent;
const one = (selector: string) => {
  const found = document.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`no ${selector}`);
  return found;
};
const choose = async (selector: string, ...files: File[]) => {
  const input = one(selector);
  Object.defineProperty(input, 'files', { value: files, configurable: true });
  await act(async () => {
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await Promise.resolve();
  });
};
const show = async () => {
  queryClient.setQueryData(meQuery.queryKey, { user: ME });
  await render(<UploadScreen />, queryClient);
  await until(() => {
    expect(page()).toContain('Upload videos');
  });
};

beforeEach(async () => {
  vi.stubGlobal('fetch', vi.fn(respond));
  posted = [];
  refusal = null;
  uploads = [];
  await errorText({ code: 'required' }, 'en');
});
afterEach(() => {
  for (const { key } of transfers()) dropTransfer(key);
  queryClient.clear();
});

it('refuses invalid files before sending anything', async () => {
  await show();
  await until(() => {
    expect(page()).toContain('Nothing uploaded yet');
  });
  await choose('input[type=file]', new File(['x'], 'notes.txt'), new File([], 'film.mp4'));
  await until(() => {
    expect(page()).toContain('This format is not supported.');
    expect(page()).toContain('The file is empty.');
  });
  const said = [...document.querySelectorAll('[role=status]')].map((each) => each.textContent);
  expect(said.join()).toContain('notes.txt: Can’t be uploaded');
  expect(transfers().map(({ state }) => state)).toEqual(['refused', 'refused']);
});

it('resumes an unfinished upload only with the same file', async () => {
  uploads = [upload({})];
  await show();
  await until(() => {
    expect(page()).toContain('Not finished');
  });
  await choose('article input[type=file]', new File(['fil'], 'night_market.mp4'));
  expect(one('[role=alert]').textContent).toContain('is a different file');
  expect(transfers()).toEqual([]);
  await choose('article input[type=file]', new File(['film'], 'night_market.mp4'));
  await until(() => {
    expect(page()).toContain('Uploading');
  });
  expect(transfers()).toMatchObject([{ key: 'a', token: 'a', state: 'sending', sent: 1 }]);
});

it('sends the details; the server’s errors are shown at their fields', async () => {
  uploads = [upload({ state: 'received', received_bytes: 4 })];
  await show();
  await until(() => {
    expect(page()).toContain('details missing');
  });
  expect((one('input[name=title]') as HTMLInputElement).value).toBe('Night market');
  const form = one('form') as HTMLFormElement;
  act(() => {
    form.requestSubmit();
  });
  await until(() => {
    expect(one('[role=alert]').textContent).toBe('Please fill in this field.');
  });
  const box = one('input[name=categories]');
  expect(document.activeElement).toBe(box);
  await until(() => {
    expect(document.querySelectorAll('[role=option]')).toHaveLength(2);
  });
  const press = (key: string) => {
    act(() => {
      box.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    });
  };
  press('ArrowDown');
  press('Enter');
  expect(document.querySelector('[role=alert]')).toBeNull();
  expect(one('form ul').textContent).toBe('Street');

  refusal = { code: 'prohibited_terms', codes: [{ field: 'title', code: 'prohibited_terms' }] };
  act(() => {
    form.requestSubmit();
  });
  await until(() => {
    expect(one('input[name=title]').getAttribute('aria-invalid')).toBe('true');
  });
  expect(Object.fromEntries(posted[0] ?? [])).toMatchObject({
    upload: 'a',
    title: 'Night market',
    categories: 'street',
    orientation: 'str',
    visible: '0',
    publish_at: 'now',
  });

  refusal = null;
  uploads = [upload({ state: 'processing', step: 'waiting', title: 'Night market' })];
  act(() => {
    form.requestSubmit();
  });
  await until(() => {
    expect(page()).toContain('Saved as “Night market”');
    expect(page()).toContain('Waiting to be processed');
  });
});

it('chooses a poster', async () => {
  const shots = Array.from({ length: 10 }, (_, shot) => `/media/p/x/shot-${String(shot)}-320.webp`);
  const video = {
    video_id: 9,
    status_id: UPLOAD_STATUS.draft,
    reason: null,
    publish_at: null,
    shots,
    has_lost_audio: true,
  };
  uploads = [upload({ state: 'done', title: 'Night market', video })];
  await show();
  await until(() => {
    expect(document.querySelectorAll('input[type=radio]')).toHaveLength(10);
  });
  expect(page()).toContain('The sound of this video could not be read');
  const form = one('form') as HTMLFormElement;
  act(() => {
    form.requestSubmit();
  });
  await until(() => {
    expect(one('[role=alert]').textContent).toContain('choose a picture');
  });
  expect(document.activeElement).toBe(one('[role=radiogroup]'));
  act(() => {
    one('input[value="4"]').click();
  });
  const chosen = { ...video, status_id: UPLOAD_STATUS.inReview };
  uploads = [upload({ state: 'done', title: 'Night market', video: chosen })];
  act(() => {
    form.requestSubmit();
  });
  await until(() => {
    expect(page()).toContain('Waiting for review');
  });
  expect(Object.fromEntries(posted[0] ?? [])).toEqual({ video_id: '9', shot: '4' });
});

it('shows why an upload failed', async () => {
  uploads = [upload({ state: 'failed', error_code: 'video_duplicate' })];
  await show();
  await until(() => {
    expect(page()).toContain('We already have this video.');
  });
});

it('shows why a video was rejected', async () => {
  const video = {
    video_id: 9,
    status_id: UPLOAD_STATUS.rejected,
    reason: 'quality',
    publish_at: null,
    shots: [],
    has_lost_audio: false,
  };
  uploads = [upload({ state: 'done', title: 'Night market', video })];
  await show();
  await until(() => {
    expect(page()).toContain('The picture or sound is too poor.');
  });
  expect(page()).not.toContain('The sound of this video');
});

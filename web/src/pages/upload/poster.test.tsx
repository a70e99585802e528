// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { queryClient } from '@/lib/query';
import { render } from '@/lib/render';
import { until } from '@/lib/until';
import { Poster } from './poster';

vi.mock('@/ui/toast', () => ({ toast: () => Promise.resolve() }));

const onDone = vi.fn(() => Promise.resolve());
const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>();
const alert = () => document.querySelector('[role=alert]')?.textContent;
const input = () => {
  const found = document.querySelector<HTMLInputElement>('input[type=file]');
  if (!found) throw new Error('no field');
  return found;
};
const send = (file?: File) => {
  // Scripts can't choose a file, so the test fakes the form's data.
  vi.stubGlobal(
    'FormData',
    class extends FormData {
      constructor() {
        super();
        if (file) this.set('poster', file);
      }
    },
  );
  act(() => document.querySelector('form')?.requestSubmit());
};

beforeEach(async () => {
  vi.stubGlobal('fetch', fetched);
  await render(
    <Poster
      videoId={7}
      title="Harbour"
      limits={{ poster_width: 160, poster_height: 90 }}
      onDone={onDone}
    />,
    queryClient,
  );
  await until(() => expect(input().accept).toContain('image/png'));
  expect(document.body.textContent).toContain('160 × 90 pixels');
});
afterEach(() => {
  fetched.mockReset();
  onDone.mockClear();
});

it('reports that a picture was refused, and why', async () => {
  const refusal = {
    code: 'screen_upload_error',
    field: 'poster',
    codes: [{ field: 'poster', code: 'screen_upload_error' }],
    info: { code: 'photo_banned' },
  };
  fetched.mockImplementation(() => Promise.resolve(Response.json(refusal, { status: 422 })));
  send(new File(['x'], 'a.png', { type: 'image/png' }));
  await until(() => expect(alert()).toMatch(/^The picture could not be uploaded\. \S/));
  expect(onDone).not.toHaveBeenCalled();
});

it('sends the picture with its video', async () => {
  fetched.mockImplementation(() => Promise.resolve(Response.json({ ok: 1 })));
  send(new File(['x'], 'a.png', { type: 'image/png' }));
  await until(() => expect(onDone).toHaveBeenCalledOnce());
  const [url, { body }] = fetched.mock.lastCall ?? ['', {}];
  expect(url).toBe('/api/video_poster.php');
  expect((body as unknown as FormData).get('video_id')).toBe('7');
});

it('asks for a picture if none was chosen', async () => {
  send();
  await until(() => expect(alert()).toBeTruthy());
  expect(fetched).not.toHaveBeenCalled();
});

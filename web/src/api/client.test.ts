import { afterEach, describe, expect, it, vi } from 'vitest';
import { fieldCodes } from '@/lib/field-codes';
import { addressOf, post } from './client';

const answer = (status: number, body: unknown) =>
  vi.fn<typeof fetch>(() => Promise.resolve(Response.json(body, { status })));

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('post', () => {
  it('encodes fields like a form: unchecked boxes and undefined values are omitted', async () => {
    const fetched = answer(200, { ok: 1 });
    vi.stubGlobal('fetch', fetched);
    await post('/api/signup.php', {
      usr: 'ann & bob',
      eml: 'a@b.example',
      pwd: ' 1 ',
      agree18: true,
      captcha: undefined,
    });
    await post('/api/stat.php', { act: 'view', section: 'video', object_id: 1, nogeo: false });
    const init = fetched.mock.calls[0]?.[1];
    expect(init?.method).toBe('POST');
    expect(String(init?.body as URLSearchParams)).toBe(
      'usr=ann+%26+bob&eml=a%40b.example&pwd=+1+&agree18=1',
    );
    expect(String(fetched.mock.calls[1]?.[1]?.body as URLSearchParams)).toBe(
      'act=view&section=video&object_id=1',
    );
  });

  it('throws an error with all details of a refusal', async () => {
    vi.stubGlobal(
      'fetch',
      answer(429, { code: 'slow', field: 'notify', info: { retry_after: 9 } }),
    );
    const error = await post('/api/logout.php', {}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      status: 429,
      code: 'slow',
      field: 'notify',
      info: { retry_after: 9 },
    });
    expect(fieldCodes(error)).toEqual({});
  });

  it('recognizes a proxy’s response and a lost connection', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('<html>', { status: 502 })));
    await expect(post('/api/logout.php', {})).rejects.toMatchObject({
      status: 502,
      code: 'unavailable',
    });
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed')));
    await expect(post('/api/logout.php', {})).rejects.toMatchObject({ status: 0, code: 'offline' });
  });
});

describe('addressOf', () => {
  it('fills in the path, then appends the query', () => {
    expect(
      addressOf('/api/json/model_wall/{lifetime}/{prefix}/{dir}.{page}.json', {
        lifetime: 0,
        prefix: 'é/',
        dir: 'é/b',
        page: 2,
      }),
    ).toBe('/api/json/model_wall/0/%C3%A9%2F/%C3%A9%2Fb.2.json');
    expect(addressOf('/api/suggester.php', { c: 'a & b', lang: 'de', count: undefined })).toBe(
      '/api/suggester.php?c=a+%26+b&lang=de',
    );
    expect(addressOf('/api/me.php', {})).toBe('/api/me.php');
  });
});

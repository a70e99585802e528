import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiFailure, fieldCodes, post } from './post';

const answer = (status: number, body: unknown) =>
  vi.fn<typeof fetch>(() => Promise.resolve(Response.json(body, { status })));

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('post', () => {
  it('sends fields as a form does: unticked boxes and what is unknown stay away', async () => {
    const fetched = answer(200, { ok: 1 });
    vi.stubGlobal('fetch', fetched);
    await post('/api/x.php', { usr: 'ann & bob', agree18: true, other: false, captcha: undefined });
    const init = fetched.mock.calls[0]?.[1];
    expect(init?.method).toBe('POST');
    expect(String(init?.body as URLSearchParams)).toBe('usr=ann+%26+bob&agree18=1');
  });

  it('throws all that a refusal says', async () => {
    vi.stubGlobal(
      'fetch',
      answer(429, { code: 'slow', field: 'notify', info: { retry_after: 9 } }),
    );
    const error = await post('/api/x.php', {}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      status: 429,
      code: 'slow',
      field: 'notify',
      info: { retry_after: 9 },
    });
    expect(fieldCodes(error)).toEqual({});
  });

  it('knows an answer of a proxy and a lost line', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve(new Response('<html>', { status: 502 })));
    await expect(post('/api/x.php', {})).rejects.toMatchObject({
      status: 502,
      code: 'unavailable',
    });
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed')));
    await expect(post('/api/x.php', {})).rejects.toMatchObject({ status: 0, code: 'offline' });
  });
});

describe('fieldCodes', () => {
  it('gives each field its first reason', () => {
    const codes = [
      { field: 'usr', code: 'min_length', info: { bound: 3 } },
      { field: 'usr', code: 'bad_symbols' },
      { field: 'pwd', code: 'required' },
    ];
    const failure = new ApiFailure(422, { code: 'min_length', field: 'usr', codes });
    expect(fieldCodes(failure)).toEqual({ usr: codes[0], pwd: codes[2] });
  });

  it('takes the one field of a failure without a list', () => {
    const failure = new ApiFailure(409, { code: 'usr_occupied', field: 'usr' });
    expect(fieldCodes(failure)).toEqual({ usr: { field: 'usr', code: 'usr_occupied', info: {} } });
  });
});

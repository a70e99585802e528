import { describe, expect, it } from 'vitest';
import {
  checkLogin,
  checkNewPassword,
  checkPasswordChange,
  checkRestore,
  checkSignup,
} from './validation';

const form = (fields: Record<string, string>): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
};
const codes = (problems: object) =>
  Object.fromEntries(
    Object.entries(problems).map(([field, problem]) => [field, (problem as { code: string }).code]),
  );

describe('logging in', () => {
  it.each([
    [
      { usr: '', pwd: '' },
      { usr: 'required', pwd: 'required' },
    ],
    [{ usr: '  ', pwd: 'secret' }, { usr: 'required' }],
    [{ usr: 'ab', pwd: 'secret' }, { usr: 'invalid_usr_or_pwd' }],
    [{ usr: 'abc', pwd: '1234' }, { usr: 'invalid_usr_or_pwd' }],
    [{ usr: 'abc', pwd: '12345' }, {}],
    // Spaces are valid characters of a password.
    [{ usr: 'abc', pwd: '     ' }, {}],
  ])('%o', (fields, expected) => expect(codes(checkLogin(form(fields)))).toEqual(expected));
});

describe('signing up', () => {
  const good = { usr: 'ann_b-1', eml: 'ann@example.org', pwd: '12345', agree18: '1' };
  it.each([
    [{}, {}],
    [{ usr: 'ab' }, { usr: 'min_length' }],
    [{ usr: 'a'.repeat(21) }, { usr: 'max_length' }],
    [{ usr: 'ann b' }, { usr: 'bad_symbols' }],
    // These are Cyrillic letters that look like Latin ones.
    [{ usr: 'аnn' }, { usr: 'bad_symbols' }],
    [{ eml: 'ann@example' }, { eml: 'eml_invalid' }],
    [{ eml: 'ann.example.org' }, { eml: 'eml_invalid' }],
    [{ pwd: '1234' }, { pwd: 'min_length' }],
    // These are four code points, but more than five UTF-16 units.
    [{ pwd: '👤👤👤👤' }, { pwd: 'min_length' }],
  ])('%o', (change, expected) =>
    expect(codes(checkSignup(form({ ...good, ...change })))).toEqual(expected),
  );

  it('requires the checkbox', () => {
    const { agree18: _, ...rest } = good;
    expect(codes(checkSignup(form(rest)))).toEqual({ agree18: 'agree18_required' });
  });
});

describe('passwords and email addresses', () => {
  it('requires the current password only if the form asks for it', () => {
    expect(codes(checkPasswordChange(form({ pwd: '12345' })))).toEqual({});
    expect(codes(checkPasswordChange(form({ pwd_now: '', pwd: '12345' })))).toEqual({
      pwd_now: 'required',
    });
  });
  it('checks a new password’s length and an address’s form', () => {
    expect(codes(checkNewPassword(form({ pwd: '1234' })))).toEqual({ pwd: 'min_length' });
    expect(codes(checkRestore(form({ eml: 'x' })))).toEqual({ eml: 'eml_invalid' });
  });
});

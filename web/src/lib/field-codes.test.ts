import { describe, expect, it } from 'vitest';
import { fieldCodes } from './field-codes';
import { ApiError } from './http';

describe('fieldCodes', () => {
  it('gives each field its first reason', () => {
    const codes = [
      { field: 'usr', code: 'min_length', info: { bound: 3 } },
      { field: 'usr', code: 'bad_symbols' },
      { field: 'pwd', code: 'required' },
    ];
    const failure = new ApiError(422, { code: 'min_length', field: 'usr', codes });
    expect(fieldCodes(failure)).toEqual({ usr: codes[0], pwd: codes[2] });
  });

  it('takes the one field of a failure without a list', () => {
    const failure = new ApiError(409, { code: 'usr_occupied', field: 'usr' });
    expect(fieldCodes(failure)).toEqual({ usr: { field: 'usr', code: 'usr_occupied', info: {} } });
  });
});

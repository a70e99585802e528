import { describe, expect, it } from 'vitest';
import { fieldCodes } from './field-codes';
import { ApiError } from './http';

describe('fieldCodes', () => {
  it('maps each field to its first error', () => {
    const codes = [
      { field: 'usr', code: 'min_length', info: { bound: 3 } },
      { field: 'usr', code: 'bad_symbols' },
      { field: 'pwd', code: 'required' },
    ];
    const failure = new ApiError(422, { code: 'min_length', field: 'usr', codes });
    expect(fieldCodes(failure)).toEqual({ usr: codes[0], pwd: codes[2] });
  });

  it('uses the single field of an error without a list', () => {
    const failure = new ApiError(409, { code: 'usr_occupied', field: 'usr' });
    expect(fieldCodes(failure)).toEqual({ usr: { field: 'usr', code: 'usr_occupied', info: {} } });
  });
});

// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import { GENDERS } from './audience';
import { agree, chosen, domainPart, hasAgreed } from './cookies';

const forget = (name: string) => {
  document.cookie = `${name}=; Path=/; Max-Age=0`;
};
afterEach(() => {
  forget('gender');
  forget('age_agreed');
});

describe('a choice in a cookie', () => {
  // The server compares the raw value without decoding it.
  it.each([
    ['gay', 'gay'],
    ['%', 'str'],
    ['%E0%A4%A', 'str'],
    ['%67ay', 'str'],
    ['', 'str'],
  ])('%j is %j', (value, gender) => {
    document.cookie = `gender=${value}; Path=/`;
    expect(chosen(GENDERS, '', 'gender', 'gender')).toBe(gender);
  });
});

describe('age confirmation', () => {
  it.each(['yes', '0', '10', 'true', '', '%31'])('rejects %j', (value) => {
    document.cookie = `age_agreed=${value}; Path=/`;
    expect(hasAgreed()).toBe(false);
  });

  it('accepts the value the button stores', () => {
    expect(hasAgreed()).toBe(false);
    agree();
    expect(hasAgreed()).toBe(true);
  });
});

describe('the domain of a cookie', () => {
  it.each([
    ['', 'tube.example', ''],
    ['tube.example', 'tube.example', '; Domain=tube.example'],
    ['tube.example', 'de.tube.example', '; Domain=tube.example'],
    ['tube.example', 'mytube.example', ''],
    ['tube.example', '127.0.0.1', ''],
  ])('%j on %s is %j', (domain, host, part) => expect(domainPart(domain, host)).toBe(part));
});

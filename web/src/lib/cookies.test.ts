import { describe, expect, it } from 'vitest';
import { domainPart } from './cookies';

describe('the domain of a cookie', () => {
  it.each([
    ['', 'tube.example', ''],
    ['tube.example', 'tube.example', '; Domain=tube.example'],
    ['tube.example', 'de.tube.example', '; Domain=tube.example'],
    ['tube.example', 'mytube.example', ''],
    ['tube.example', '127.0.0.1', ''],
  ])('%j on %s is %j', (domain, host, part) => {
    expect(domainPart(domain, host)).toBe(part);
  });
});

import { expect, it } from 'vitest';
import { webAddress } from './web-address';

it('accepts only web addresses', () => {
  expect(webAddress('https://channel.example/a')).toBe('https://channel.example/a');
  for (const text of ['javascript:alert(1)', 'data:text/html,a', '/videos/', 'channel', '']) {
    expect(webAddress(text)).toBeNull();
  }
});

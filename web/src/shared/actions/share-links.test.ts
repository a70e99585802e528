import { describe, expect, it } from 'vitest';
import { embedCode, startLink } from './share-links';

describe('share', () => {
  it('starts at whole seconds, and plainly at the beginning', () => {
    expect(startLink('https://x.example/videos/1/a/', 42.7)).toBe(
      'https://x.example/videos/1/a/?start_time=42',
    );
    expect(startLink('https://x.example/videos/1/a/', 0.4)).toBe('https://x.example/videos/1/a/');
  });
  it('embeds at the size that oEmbed says, with the title escaped', () => {
    expect(embedCode('https://x.example/embed/1/', 'A "B" <c>')).toBe(
      '<iframe src="https://x.example/embed/1/" width="426" height="265" title="A &quot;B&quot; &lt;c&gt;" allow="fullscreen; picture-in-picture" loading="lazy" style="border:0"></iframe>',
    );
  });
});

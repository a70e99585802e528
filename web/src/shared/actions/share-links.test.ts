import { describe, expect, it } from 'vitest';
import { embedCode, mailLink, socialLinks, startLink } from './share-links';

describe('share', () => {
  it('starts at whole seconds, without a parameter at the beginning', () => {
    expect(startLink('https://x.example/videos/1/a/', 42.7)).toBe(
      'https://x.example/videos/1/a/?start_time=42',
    );
    expect(startLink('https://x.example/videos/1/a/', 0.4)).toBe('https://x.example/videos/1/a/');
  });
  it('encodes link and title for other sites', () => {
    const links = socialLinks('https://x.example/videos/1/a/?start_time=5', 'A & b +');
    for (const { name, href } of links) {
      const said = [...new URL(href).searchParams.values()].join(' ');
      expect(said, name).toContain('https://x.example/videos/1/a/?start_time=5');
      expect(said, name).toContain('A & b +');
    }
    expect(mailLink('https://x.example/?a=1', 'A b')).toBe(
      'mailto:?subject=A%20b&body=https%3A%2F%2Fx.example%2F%3Fa%3D1',
    );
  });
  it('embeds at the size of oEmbed, with the title escaped', () =>
    expect(embedCode('https://x.example/embed/1/', 'A "B" <c>')).toBe(
      '<iframe src="https://x.example/embed/1/" width="426" height="265" title="A &quot;B&quot; &lt;c&gt;" allow="fullscreen; picture-in-picture" loading="lazy" style="border:0"></iframe>',
    ));
});

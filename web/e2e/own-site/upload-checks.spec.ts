/** Tests that the upload page says what is wrong with a file before it is sent and before its details are filled in. */
import { coded } from '../films';
import { expect, test } from '../site';

const PICTURE = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=5:d=601'];
const SOUND = ['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '601'];
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast'];

test('a file is examined before it is sent', async ({ newMember }) => {
  const { page } = await newMember();
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().includes('/api/uploads'))
      sent.push(
        Buffer.from(
          /\w+ ([\w=]+)/.exec(request.headers()['upload-metadata'] ?? '')?.[1] ?? '',
          'base64',
        ).toString(),
      );
  });
  await page.goto('/upload-video/');
  const main = page.getByRole('main');
  const mp4 = coded('a.mp4', ...PICTURE, ...H264);
  const ahead = coded('a.mp4', ...PICTURE, ...H264, '-movflags', 'faststart');
  const mkv = coded('a.mkv', ...PICTURE, ...H264);
  const cut = (file: Buffer) => file.subarray(0, Math.floor(file.length * 0.7));
  const refused = 'Can’t be uploaded';
  const held = 'Please check';
  const noPicture = 'This file contains sound but no video.';
  const noEnd = 'its end is missing';
  for (const [name, file, stage, text] of [
    ['gif.mp4', coded('a.gif', ...PICTURE, '-t', '1'), refused, 'This is a picture, not a video.'],
    ['sound.mp4', coded('a.m4a', ...SOUND), refused, noPicture],
    ['song.mkv', coded('a.mkv', ...SOUND), refused, noPicture],
    ['song.mov', coded('a.mp3', ...SOUND), refused, noPicture],
    ['cut.mp4', cut(mp4), held, noEnd],
    ['ahead.mp4', cut(ahead), held, noEnd],
    ['cut.mkv', cut(mkv), held, noEnd],
    [
      'brief.ts.mts',
      coded('a.ts', ...PICTURE, ...H264, '-t', '4'),
      held,
      'This video is 0:04 long.',
    ],
    [
      'brief.mkv',
      coded('a.mkv', ...PICTURE, '-c:v', 'mpeg4', '-t', '4'),
      held,
      'This video is 0:04 long.',
    ],
  ] as const) {
    await main
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name, mimeType: '', buffer: file });
    const card = main.getByRole('article', { name });
    await expect(card).toContainText(stage);
    await expect(card).toContainText(text);
    // The details of a file without a video would be in vain.
    await expect(card.getByRole('form')).toHaveCount(stage === refused ? 0 : 1);
  }
  expect(sent).toEqual([]);
  for (const [name, file] of [
    ['fine.mp4', mp4],
    // The browser can't read these, but the server can.
    ['fine.avi', coded('a.avi', ...PICTURE, '-c:v', 'mpeg4')],
    [
      'old.m2t',
      coded(
        'a.ts',
        ...PICTURE,
        ...SOUND.slice(0, 4),
        '-r',
        '25',
        '-c:v',
        'mpeg2video',
        '-c:a',
        'mp2',
        '-ar',
        '44100',
        '-t',
        '4',
      ),
    ],
  ] as const) {
    await main
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name, mimeType: '', buffer: file });
    await expect(main.getByRole('article', { name })).toContainText('details missing');
  }
  expect(sent).toEqual(['fine.mp4', 'fine.avi', 'old.m2t']);
});

/** Generates videos with ffmpeg, so that no files need to be stored in the repository. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the text track of {@link film} says in English, from its first to its last second. */
export const SPOKEN = 'Good evening from the harbour';

/** The pitch of the sound of {@link film} in Hz: its default track is in English, and the other one in German. */
export const PITCH = { English: 440, Deutsch: 880 };

/** Returns SubRip captions with one line from the first to the last second of {@link film}. */
export const captions = (line: string) => `1\n00:00:01,000 --> 00:06:04,000\n${line}\n`;

/** Returns the file that ffmpeg makes. The name's ending chooses the format. */
export function coded(name: string, ...args: string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'lantern-film-'));
  const file = join(folder, name);
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args, file]);
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}

/** Returns a video, by default of the minimum length for site-only uploads. It shows a still picture, so it is smaller than a megabyte. */
export function film(seconds = 365): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'lantern-film-'));
  const length = String(seconds);
  const picture = `color=c=0x334455:s=854x480:r=2:d=${length}`;
  const text = join(folder, 'film.srt');
  writeFileSync(text, captions(SPOKEN));
  const sounds = Object.values(PITCH).flatMap((hz) => [
    '-f',
    'lavfi',
    '-i',
    `sine=${String(hz)}:d=${length}:r=8000`,
  ]);
  const made = ['-f', 'lavfi', '-i', picture, ...sounds, '-i', text];
  const tracks = ['-map', '0', '-map', '1', '-map', '2', '-map', '3'];
  const named = ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=deu'];
  const said = ['-c:s', 'mov_text', '-metadata:s:s:0', 'language=eng'];
  const seen = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];
  const heard = ['-c:a', 'aac', '-b:a', '4k'];
  const bytes = coded('film.mp4', ...made, ...tracks, ...seen, ...heard, ...named, ...said);
  rmSync(folder, { recursive: true });
  return bytes;
}

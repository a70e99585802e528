/** Solves beside the page, which stays quick meanwhile. */
import { solve, type Challenge } from './solve';

addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  void solve(data).then((number) => {
    postMessage(number);
  });
});

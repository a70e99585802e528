/** Solves in a worker, so that the page stays responsive. */
import { solve, type Challenge } from './solve';

addEventListener('message', ({ data }: MessageEvent<Challenge>) => {
  void solve(data).then((number) => postMessage(number));
});

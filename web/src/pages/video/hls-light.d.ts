/** The light build (no subtitles, no choice of audio, no DRM) has the same types as the full build. */
declare module 'hls.js/light' {
  export { default, type ErrorData } from 'hls.js';
}

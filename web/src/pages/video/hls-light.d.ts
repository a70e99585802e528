/** The light build (no subtitles, no alternate audio, no DRM) has the same types as the full one. */
declare module 'hls.js/light' {
  export { default, type ErrorData } from 'hls.js';
}

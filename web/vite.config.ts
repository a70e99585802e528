import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The running Lantern that the dev server proxies to. */
const backend = process.env.LANTERN_URL ?? 'http://127.0.0.1:8080';

/** Code that is always loaded together is in a few large chunks, which means fewer requests and better compression. */
const chunks = [
  {
    // Code that runs before the app's own code is loaded.
    name: 'index',
    test: /vite\/preload-helper|src\/(main|shared\/mutes\/rules|lib\/(first-paint|theme|storage|one-of))\.tsx?$/,
    priority: 3,
  },
  {
    // Everything that lists of videos need. Only lists of models have ranges.
    name: 'search',
    test: /node_modules\/(react-instantsearch(-core)?|instantsearch\.js|algoliasearch-helper|@algolia|@swc)\/(?!.*\/(use|connect)Range\.)|src\/search\/(?!codec|listing\.ts|model-listing)|src\/(shared\/(filters\/(chips|use-video-chips|on-demand)|lists\/(frame|pagination|sort-menu|video-results)|saved\/new-since)|pages\/listing\/)/,
    priority: 1,
  },
  {
    name: 'base',
    test: /node_modules\/(react|react-dom|scheduler|use-sync-external-store|@tanstack(?!.*(nfiniteQuery[.O]|useMutation|mutationObserver))|i18next|wouter|regexparam)\/|generated\/addresses|src\/(lib\/(?!head|field-codes)|ui\/(?!sheet|toast|form|member-icons|popover|focus|show-more|back)|api|search\/(codec|listing\.ts)|shared\/(address\/(paths|route|table)|history\/(stored|guest-history|progress)|keys\/keys\.|mutes\/mutes\.|search-box\/recent|cards\/(video-card|video-grid)|layout\/(nav-items|preferences|not-found|redirect))|i18n\/(index|loader))/,
    priority: 2,
  },
  {
    // Code that members' screens share and that is loaded after the page. As many small files, it would add more to the first load's list
    // of
    // files than it weighs itself.
    name: 'member',
    test: /src\/(shared\/(account\/(account-host|user-menu|login-request|boot-facts|return-page|use-|next)|contact\/contact-request|cookies\/dismissal|layout\/bottom-bar|actions\/(at-once|icons|member-state|use-|toggle|confirm-button|dialogs|video-acts)|cards\/avatar|queries\/(own-lists|fresh)|lists\/removable)|pages\/member\/(profile-fields|upload-state)|i18n\/(errors|account|actions|member|site|namespace)\.ts|lib\/field-codes|ui\/(member-icons|form|toast\.|show-more))/,
    priority: 1,
  },
  {
    name: 'community',
    test: /src\/(shared\/(lists\/list\.|queries\/community|cards\/tiles|address\/(member-filters|community-lists))|i18n\/community\.ts)/,
    priority: 1,
  },
];

/** Requests what the first paint needs before the pictures that the server preloads. */
const loadingOrder: Plugin = {
  name: 'lantern-loading-order',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const own =
        html.match(/ *<(link rel="stylesheet"|script type="module") crossorigin.*\n/g) ?? [];
      const rest = own.reduce((page, tag) => page.replace(tag, ''), html);
      // The style sheet comes first. Rendering waits until the script has set the theme and checked that the server's page is meant for
      // this
      // viewer.
      const tags = own.sort().join('').replace('type="module"', 'type="module" blocking="render"');
      return rest.replace(/ *<!--head-->/, (head) => tags + head);
    },
  },
};

/** Modules that InstantSearch always imports but this app never runs, and what replaces them. */
const unused: Record<string, string> = {
  // The app passes its own router (`src/search/router.ts`). This one brings `qs`, which alone is 10 KB.
  'lib/routers/history.js':
    'export default () => { throw new Error("left out of the build: vite.config.ts") };',
  // The app sends no events (`insights={false}`).
  'middlewares/createInsightsMiddleware.js':
    'export const createInsightsMiddleware = () => { throw new Error("left out of the build: vite.config.ts") };',
  // Only Algolia's crawler gets metadata.
  'middlewares/createMetadataMiddleware.js':
    'export const isMetadataEnabled = () => false; export const createMetadataMiddleware = () => {};',
  // These are for string templates.
  'lib/createHelpers.js': 'export default () => ({});',
};

/** Leaves `unused` out. If InstantSearch moves one of these modules, the build fails instead of growing. */
const leaveOutUnused = (): Plugin => {
  const left = new Set(Object.keys(unused));
  return {
    name: 'lantern-leave-out-unused',
    apply: 'build',
    load(id) {
      const name = id.split('/node_modules/instantsearch.js/es/')[1];
      if (name === undefined || !(name in unused)) return null;
      left.delete(name);
      return { code: unused[name] ?? '', moduleSideEffects: false };
    },
    generateBundle() {
      if (left.size > 0) this.error(`InstantSearch no longer has ${[...left].join(', ')}`);
    },
  };
};

export default defineConfig({
  plugins: [react(), tailwindcss(), loadingOrder, leaveOutUnused()],
  resolve: { alias: { '@': file('./src') } },
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The server sends a strict CSP, so there can be no data: modules and no inline polyfill.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // Every page already has these, so no list needs to name them. Files that cards need (from `base`) may load one after the other.
      resolveDependencies: (_file, needed, { hostId }) =>
        hostId.includes('/base-')
          ? []
          : hostId.includes('/index-')
            ? needed
            : needed.filter((name) => !/\/(base|rolldown-runtime|index)-[^/]*\.js$/.test(name)),
    },
    reportCompressedSize: false,
    // hls.js is a single chunk of this size, and is loaded only with the player. `npm run size` guards the rest.
    chunkSizeWarningLimit: 600,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunks },
        // Content blockers block files with such names. The server caches files forever if their names have a hash after a dash.
        chunkFileNames: ({ name }) =>
          /^(ad(-|$)|page-views|sponsor)/.test(name)
            ? 'assets/part-[hash].js'
            : 'assets/[name]-[hash].js',
      },
    },
  },
  server: {
    proxy: { '/api': backend, '/media': backend },
    fs: { allow: ['.', '../config/texts'] },
  },
  test: {
    // A test file that needs a DOM says so in its first line, because creating one takes longer than most tests.
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}'],
    restoreMocks: true,
    // This is far more than any test needs: on a busy machine, each test takes several times as long but should still pass.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

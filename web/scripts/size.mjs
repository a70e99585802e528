// Builds in memory, and checks the brotli-compressed size of a listing's first load against its budget.
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'vite';

// The address table takes 500 bytes of the budget. Another 2,000 are needed by every page from the start: orientations in addresses, the
// orientation menu, the offline texts and reconnecting, a video that continues on other pages, the language of titles, which videos are
// new to the viewer, and the counts of filter options. 1,500 are for what cards and lists know about the viewer from the start, so that
// nothing shifts and muted content is never shown: watch progress, and what to exclude from which lists. 200 are for models and excluded
// categories in every list's address and filters.
// 300 are for the notification bell and the ad slots, which are empty unless an operator fills them. 300 more are for keeping the rest of a
// page when the connection is lost while a part loads.
const BUDGET = { js: 138_200, css: 20_000 };
/** The page itself, the app, the listing's screen, and the largest language file. */
const LOADED = ['index.html', 'app/start.tsx', 'listing-screen.tsx', 'common/ru.json'];

const { output } = await build({ logLevel: 'error', build: { write: false } });
const chunks = new Map(output.map((file) => [file.fileName, file]));
const files = new Set();
const add = (name) => {
  const chunk = chunks.get(name);
  if (files.has(name) || !chunk) return;
  files.add(name);
  for (const next of chunk.imports ?? []) add(next);
  for (const style of chunk.viteMetadata?.importedCss ?? []) add(style);
};
for (const { fileName, facadeModuleId } of output) {
  if (LOADED.some((end) => facadeModuleId?.endsWith(end))) add(fileName);
}

const size = (content) =>
  brotliCompressSync(Buffer.from(content), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
    .length;
const found = { js: 0, css: 0 };
for (const name of files) {
  const file = chunks.get(name);
  const bytes = size(file.type === 'chunk' ? file.code : file.source);
  found[name.endsWith('.css') ? 'css' : 'js'] += bytes;
  console.log(String(bytes).padStart(7), name);
}
for (const [kind, budget] of Object.entries(BUDGET)) {
  const over = found[kind] > budget;
  if (over) process.exitCode = 1;
  console.log(`${kind}: ${found[kind]} of ${budget} bytes${over ? ' – over budget' : ''}`);
}

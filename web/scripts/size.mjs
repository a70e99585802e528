// Builds in memory and checks the first load of a listing, brotli-compressed, against its budget.
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'vite';

// The address table is 500 bytes of the budget; another 2,000 are needed by every page from the start: orientations in addresses, the
// orientation menu, the offline texts and reconnecting, a video that continues on other pages, the language of titles, which videos are
// new to the viewer, the counts of filter options. 1,500 are what cards and lists know of the viewer from the start, so that nothing
// shifts and muted content is never shown: watch progress, and what to exclude from which lists. 200 are models and excluded categories
// in the address and filters of every list.
// 300 are the notification bell and the ad slots, which are empty unless an operator fills them; 300 more retain the rest of a page when
// the connection is lost while a part loads.
const BUDGET = { js: 152_400, css: 20_000 };
/** The page itself, the app, the listing's screen, and the largest of the languages. */
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

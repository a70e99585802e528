// Builds in memory and measures the first load of a listing, brotli-compressed, against its budget.
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'vite';

// The one table of addresses is 500 bytes of the first; another 2,000 are what every page needs from its start: orientations in
// addresses, the menu of orientations, the words for a line that is gone and going on after it, a film that goes on beside any page,
// the language of titles, which videos are new to somebody, the counts beside choices. 1,500 are what cards and lists know of the
// viewer from their start, so that nothing moves or is shown that is muted: how much was watched, and which lists are asked for
// without what. 200 are models and left out categories in every list's address and rail.
// 300 are the bell of members and the places of what pays for a site, which are empty unless an operator fills them; 300 more keep
// the rest of a page where the line breaks while a part of it comes.
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

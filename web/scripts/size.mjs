// Measures the first load of a listing, brotli-compressed, against its budget.
import { readFileSync } from 'node:fs';
import { constants, brotliCompressSync } from 'node:zlib';

const BUDGET = { js: 130_000, css: 20_000 };
const manifest = JSON.parse(readFileSync('dist/.vite/manifest.json', 'utf8'));
const LISTING = 'src/features/listing/listing-screen.tsx';
const LOCALE = 'src/i18n/locales/ru.json'; // the largest

const files = new Set();
const css = new Set();
const add = (key) => {
  const chunk = manifest[key];
  if (!chunk || files.has(chunk.file)) return;
  files.add(chunk.file);
  for (const style of chunk.css ?? []) css.add(style);
  for (const next of chunk.imports ?? []) add(next);
};
for (const key of ['index.html', LISTING, LOCALE]) add(key);

const size = (file) =>
  brotliCompressSync(readFileSync(`dist/${file}`), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11 },
  }).length;
const total = (list) => [...list].reduce((sum, file) => sum + size(file), 0);
for (const file of [...files, ...css]) console.log(String(size(file)).padStart(7), file);
const found = { js: total(files), css: total(css) };
let failed = false;
for (const kind of ['js', 'css']) {
  const over = found[kind] > BUDGET[kind];
  failed ||= over;
  console.log(`${kind}: ${found[kind]} of ${BUDGET[kind]} bytes${over ? ' – over budget' : ''}`);
}
process.exitCode = failed ? 1 : 0;

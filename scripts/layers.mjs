// Compares the table of crates in docs/ARCHITECTURE.md with the manifests: a crate may depend on those in its row, no others.
// Dependencies for tests alone are exempt.

import { readFileSync } from 'node:fs';

const table = readFileSync('docs/ARCHITECTURE.md', 'utf8');
const members = /^members = \[(.*)\]$/m.exec(readFileSync('Cargo.toml', 'utf8'))[1];
const crates = members.split(',').map((name) => name.trim().replaceAll('"', ''));

/** The `lantern-*` crates below `[dependencies]` of a manifest. */
function dependencies(crate) {
  const manifest = readFileSync(`${crate}/Cargo.toml`, 'utf8');
  const section = /^\[dependencies\]\n([^[]*)/m.exec(manifest)?.[1] ?? '';
  return [...section.matchAll(/^lantern-([a-z]+)/gm)].map(([, name]) => name);
}

let wrong = 0;
function report(text) {
  console.error(text);
  wrong += 1;
}

for (const crate of crates) {
  const row = new RegExp(`^\\| \`${crate}\` \\|([^|]*)\\|`, 'm').exec(table);
  if (!row) {
    report(`docs/ARCHITECTURE.md has no row for ${crate}`);
    continue;
  }
  const allowed = [...row[1].matchAll(/`([a-z]+)`/g)].map(([, name]) => name);
  const actual = dependencies(crate);
  for (const name of actual.filter((name) => !allowed.includes(name))) report(`${crate} must not depend on ${name}`);
  for (const name of allowed.filter((name) => !actual.includes(name))) report(`${crate} does not depend on ${name}; remove it from the table`);
}
console.log(`${crates.length} crates, ${wrong} wrong dependencies`);
process.exit(wrong > 0 ? 1 : 0);

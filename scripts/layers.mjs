// Compares the table of crates in docs/ARCHITECTURE.md with the manifests: a crate may depend only on the crates in its row.
// Dependencies that only tests use are exempt.

import { readFileSync, readdirSync } from 'node:fs';

const table = readFileSync('docs/ARCHITECTURE.md', 'utf8');
const members = /^members = \[(.*)\]$/m.exec(readFileSync('Cargo.toml', 'utf8'))[1];
const crates = members.split(',').map((name) => name.trim().replaceAll('"', ''));

/** Returns the `lantern-*` crates below a manifest's `[dependencies]`. */
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
/** The top-level modules that a source text imports with `crate::`. */
function imports(source) {
  const code = source.replace(/\/\/.*/g, '').split('#[cfg(test)]')[0];
  const roots = new Set();
  for (const [, tree] of code.matchAll(/\bcrate::(\{[^;]*|[a-z_]+)/g)) {
    if (tree[0] !== '{') roots.add(tree);
    // In a tree, the first name of each item at depth 1 is a module of the crate.
    let depth = 0;
    let starts = false;
    for (const [token] of tree.matchAll(/[{}]|\w+|,/g)) {
      if (token === '{') depth += 1;
      else if (token === '}') depth -= 1;
      else if (token !== ',' && depth === 1 && starts) roots.add(token);
      starts = (token === '{' && depth === 1) || token === ',';
    }
  }
  return roots;
}

/** The crates of the site, whose modules must not import each other in a cycle. */
const acyclic = ['errors', 'listing', 'search', 'http', 'api', 'site'];

/** Returns which modules of a crate each of its top-level modules imports. */
function modules(crate) {
  const root = `${crate}/src`;
  const graph = new Map();
  for (const path of readdirSync(root, { recursive: true }).filter((path) => path.endsWith('.rs') && path !== 'lib.rs')) {
    const module = path.split('/')[0].replace('.rs', '');
    const found = graph.get(module) ?? new Set();
    for (const name of imports(readFileSync(`${root}/${path}`, 'utf8'))) if (name !== module) found.add(name);
    graph.set(module, found);
  }
  return graph;
}

/** The first cycle below a module, if there is one; modules in `done` have none. */
function cycle(graph, module, path, done) {
  if (path.includes(module)) return [...path.slice(path.indexOf(module)), module];
  if (done.has(module)) return undefined;
  for (const next of graph.get(module) ?? []) {
    const found = graph.has(next) && cycle(graph, next, [...path, module], done);
    if (found) return found;
  }
  done.add(module);
  return undefined;
}

let total = 0;
for (const crate of acyclic) {
  const graph = modules(crate);
  const done = new Set();
  total += graph.size;
  for (const module of graph.keys()) {
    const found = cycle(graph, module, [], done);
    if (found) {
      report(`modules of ${crate} import each other in a cycle: ${found.join(' -> ')}`);
      break;
    }
  }
}

console.log(`${crates.length} crates, ${total} modules of the site, ${wrong} wrong dependencies`);
process.exit(wrong > 0 ? 1 : 0);

// Writes config/addresses.json and listing/vocabulary.json as TypeScript, so that their names are types.
import { readFileSync, writeFileSync } from 'node:fs';

const read = (path) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url)));
const write = (name, constants) => {
  const lines = Object.entries(constants).map(
    ([constant, value]) => `export const ${constant} = ${JSON.stringify(value)} as const;\n`,
  );
  writeFileSync(new URL(`../generated/${name}.ts`, import.meta.url), lines.join(''));
};

const table = read('config/addresses.json');
// Pages that only the server renders have no screen in the app.
table.addresses = table.addresses.filter(([, what]) => !/^(embed$|feed:)/.test(what));
write('addresses', table);
write('vocabulary', read('listing/vocabulary.json'));

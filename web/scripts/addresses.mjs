// Writes config/addresses.json as TypeScript, so that its names are types.
import { readFileSync, writeFileSync } from 'node:fs';

const table = JSON.parse(readFileSync(new URL('../../config/addresses.json', import.meta.url)));
// Pages that only the server renders have no screen in the app.
table.addresses = table.addresses.filter(([, what]) => !/^(embed$|feed:)/.test(what));
const lines = Object.entries(table).map(
  ([name, value]) => `export const ${name} = ${JSON.stringify(value)} as const;\n`,
);
writeFileSync(new URL('../generated/addresses.ts', import.meta.url), lines.join(''));

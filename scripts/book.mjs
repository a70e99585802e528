// Writes the source of the documentation site to a folder: docs/book.toml and, in src/, the pages that docs/SUMMARY.md names, the
// decisions, and the files that these pages link to. Paths are the same as in the repository, so that links work in both places.
//   node scripts/book.mjs FOLDER
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { code, prose, settingsPage } from "./settings.mjs";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Usage: node scripts/book.mjs FOLDER");
  process.exit(2);
}

const LINK = /\]\(([^)#:\s]+)/g;
const linked = (text) => [...text.matchAll(LINK)].map((match) => match[1]);

/** Renders the API document's calls as one table for each tag. */
function callsPage({ info, tags, paths }) {
  const calls = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, call]) => ({ method: method.toUpperCase(), path, ...call })),
  );
  const tables = tags.map(({ name, description }) => {
    const rows = calls
      .filter((call) => call.tags?.includes(name))
      .map(({ method, path, summary }) => `| ${code(`${method} ${path}`)} | ${prose(summary)} |`);
    return [`### ${name}`, "", prose(description), "", "| Call | Purpose |", "|---|---|", ...rows, ""].join("\n");
  });
  return ["## Calls", "", info.description, "", ...tables].join("\n");
}

/** Returns each decision's title and path below docs/, by number. */
function decisions() {
  return readdirSync("docs/adr")
    .filter((name) => /^\d.*\.md$/.test(name))
    .sort()
    .map((name) => [readFileSync(join("docs/adr", name), "utf8").match(/^# (.*)/)[1], `adr/${name}`]);
}

/** mdbook renders README.md as index.html, but does not rename links to it (rust-lang/mdBook#984). */
const asIndex = (text) => text.replace(/(\]\((?:[^)#:\s]*\/)?)README\.md/g, "$1index.md");

function write(path, text) {
  const to = join(folder, "src", path);
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, text);
}

const generated = {
  "docs/API.md": () => callsPage(JSON.parse(readFileSync("docs/openapi.json", "utf8"))),
  "docs/CONFIGURE.md": () => settingsPage(readFileSync("config/default.toml", "utf8")),
};

// The decisions are listed below the last entry.
let summary = readFileSync("docs/SUMMARY.md", "utf8");
for (const [title, path] of decisions()) summary += `  - [${title}](${path})\n`;
const pages = linked(summary).map((path) => join("docs", path));
write("SUMMARY.md", asIndex(summary.replace(LINK, (_, path) => `](${join("docs", path)}`)));

for (const page of pages) {
  let text = readFileSync(page, "utf8");
  for (const target of linked(text)) {
    const file = join(dirname(page), target);
    if (extname(file) === ".md" || !existsSync(file) || !statSync(file).isFile()) continue;
    mkdirSync(dirname(join(folder, "src", file)), { recursive: true });
    cpSync(file, join(folder, "src", file));
  }
  if (generated[page]) text += `\n${generated[page]()}`;
  write(page.replace(/README\.md$/, "index.md"), asIndex(text));
}
cpSync("docs/book.toml", join(folder, "book.toml"));
console.log(`${pages.length} pages`);

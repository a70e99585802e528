// Checks that relative links and #anchors in Markdown resolve to files, folders and headings below the current folder. Uses no network.
//   node scripts/links.mjs [FILE|FOLDER…]  default: README.md CONTRIBUTING.md docs
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, extname, join, relative } from "node:path";

const given = process.argv.slice(2);
const files = (given.length > 0 ? given : ["README.md", "CONTRIBUTING.md", "docs"]).flatMap(pages);

/** Returns the pages below a folder, or the given page itself. */
function pages(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || extname(entry.name) === ".md")
    .flatMap((entry) => pages(join(path, entry.name)))
    .sort();
}

/** Returns a page's lines. Lines in fenced code blocks and comments become empty, so that line numbers do not change. */
function proseLines(path) {
  let fence = "";
  const text = readFileSync(path, "utf8").replace(/<!--.*?-->/gs, (comment) => comment.replace(/[^\n]/g, ""));
  return text.split("\n").map((line) => {
    const mark = line.match(/^\s*(`{3,}|~{3,})(.*)/);
    if (fence !== "") {
      if (mark?.[1].startsWith(fence) && mark[2].trim() === "") fence = "";
      return "";
    }
    if (!mark) return line;
    fence = mark[1];
    return "";
  });
}

/** Returns the lines without code spans. A code span may continue on the paragraph's next line. */
function withoutCode(lines) {
  const span = /(?<!`)(`+)(?!`)(?:(?!\n\s*\n).)*?(?<!`)\1(?!`)/gs;
  return lines.join("\n").replace(span, (code) => code.replace(/[^\n]/g, "")).split("\n");
}

/** Returns the id that GitHub gives a heading, without the number that distinguishes duplicates. */
function slug(heading) {
  return heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<[^>]+>/g, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}

const known = new Map();
/** Returns a page's anchors: headings and explicit ids. */
function anchors(path) {
  if (known.has(path)) return known.get(path);
  const found = new Set();
  const lines = proseLines(path);
  lines.forEach((line, at) => {
    const underlined = /^(=+|-+)\s*$/.test(lines[at + 1] ?? "") && !/^\s*([-*+>|#]|\d+\.|$)/.test(line);
    const heading = underlined ? line : line.match(/^ {0,3}#{1,6}\s+(.*?)(\s+#+)?\s*$/)?.[1];
    if (heading !== undefined) {
      const name = slug(heading.trim());
      let id = name;
      for (let again = 1; found.has(id); again += 1) id = `${name}-${again}`;
      found.add(id);
    }
  });
  for (const [, id] of withoutCode(lines).join("\n").matchAll(/<[^>]+\s(?:id|name)="([^"]+)"/g)) found.add(id);
  known.set(path, found);
  return found;
}

/** Returns the targets of inline links, images, reference definitions and HTML attributes in a line without code. */
function targets(line) {
  const inline = /\]\(\s*([^<\s)](?:[^\s()]|\([^\s()]*\))*)/g;
  const inBrackets = /\]\(\s*<([^>]*)>/g;
  const definition = /^ {0,3}\[[^\]^]+\]:\s*(\S+)/g;
  const attribute = /<[^>]*\s(?:href|src)="([^"]*)"/g;
  return [inline, inBrackets, definition, attribute].flatMap((form) => [...line.matchAll(form)].map((match) => match[1]));
}

/** Returns what is wrong with a link on a page, or an empty string. */
function problem(page, target) {
  if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(target)) return "";
  if (target.startsWith("/")) return "use a relative link";
  const [path, anchor = ""] = target.split("#").map(decodeURIComponent);
  const file = path === "" ? page : join(dirname(page), path.replace(/\?.*/, ""));
  if (relative(".", file).startsWith("..")) return "leaves the folder";
  if (!existsSync(file)) return `${file} does not exist`;
  if (anchor === "" || (extname(file) !== ".md" && /^L\d+(-L\d+)?$/.test(anchor))) return "";
  if (statSync(file).isDirectory() || extname(file) !== ".md") return `${file} has no anchors`;
  return anchors(file).has(anchor) ? "" : `${file} has no heading #${anchor}`;
}

let links = 0;
let broken = 0;
for (const page of files) {
  withoutCode(proseLines(page)).forEach((line, at) => {
    for (const target of targets(line)) {
      links += 1;
      const reason = problem(page, target);
      if (reason === "") continue;
      broken += 1;
      console.log(`${page}:${at + 1}: ${target}: ${reason}`);
    }
  });
}
console.log(`${links} links in ${files.length} pages, ${broken} broken`);
// If no links were found at all, the check itself is broken.
process.exitCode = broken === 0 && links > 0 ? 0 : 1;

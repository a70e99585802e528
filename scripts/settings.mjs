// Renders config/default.toml as Markdown: a table of keys, defaults and comments for each section.

/** Parses sections with their comments and rows. A key without a comment shares the row of the key above it. */
function parse(toml) {
  let section = { name: "", comment: [], rows: [] };
  const sections = [section];
  let comment = [];
  let row;
  const lines = toml.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    const setting = line.match(/^(\w+) = (.*)$/);
    if (line === "") {
      section.comment.push(...comment);
      comment = [];
      row = undefined;
    } else if (line.startsWith("#")) {
      comment.push(line.replace(/^# ?/, ""));
    } else if (/^\[{1,2}[\w.]+\]{1,2}$/.test(line)) {
      section = { name: line.replace(/[[\]]/g, ""), comment, rows: [] };
      sections.push(section);
      comment = [];
      row = undefined;
    } else if (setting) {
      let value = setting[2];
      while (value.startsWith("[") && !value.endsWith("]")) {
        at += 1;
        if (at === lines.length) throw new Error(`the list ${setting[1]} does not end`);
        value += ` ${lines[at].trim()}`;
      }
      if (!row || comment.length > 0) {
        row = { settings: [], comment };
        section.rows.push(row);
        comment = [];
      }
      row.settings.push([setting[1], value]);
    } else {
      throw new Error(`config/default.toml:${at + 1}: not understood: ${line}`);
    }
  }
  return sections;
}

export const code = (text) => `\`${text.replaceAll("|", "\\|")}\``;

/** Escapes Markdown outside code spans. */
export const prose = (text) =>
  text
    .split(/(`[^`]+`)/)
    .map((part, at) => (at % 2 === 1 ? code(part.slice(1, -1)) : part.replace(/[\\*_<>|[\]]/g, "\\$&")))
    .join("");

/** Renders a section's comment. Lines indented by two or more spaces are examples. */
function paragraphs(lines) {
  const blocks = [];
  for (const line of lines) {
    const example = line.startsWith("  ");
    if (blocks.at(-1)?.example !== example) blocks.push({ example, lines: [] });
    blocks.at(-1).lines.push(example ? line.slice(2) : line);
  }
  return blocks.map(({ example, lines: own }) =>
    example ? `\`\`\`toml\n${own.join("\n")}\n\`\`\`\n` : `${prose(own.join(" "))}\n`,
  );
}

function table(rows) {
  const lines = rows.map(({ settings, comment }) => {
    const keys = settings.map(([key]) => code(key)).join("<br>");
    const defaults = settings.map(([, value]) => code(value)).join("<br>");
    return `| ${keys} | ${defaults} | ${prose(comment.join(" "))} |`;
  });
  return ["| Key | Default | Comment |", "|---|---|---|", ...lines, ""].join("\n");
}

export function settingsPage(toml) {
  return parse(toml)
    .flatMap(({ name, comment, rows }, at, sections) => [
      // Tables in the same list, such as [[crawlers.engines]], share a heading.
      ...(name === sections[at - 1]?.name ? [] : [name === "" ? "## All settings\n" : `### ${name}\n`]),
      ...paragraphs(comment),
      ...(rows.length > 0 ? [table(rows)] : []),
    ])
    .join("\n");
}

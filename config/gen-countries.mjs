// Writes config/countries.json: every ISO 3166-1 country's name in the interface's ten languages.
//
//   node config/gen-countries.mjs            adds missing names and keeps existing ones
//   node config/gen-countries.mjs --refresh  regenerates every name from this Node's language data
//   node config/gen-countries.mjs --check    writes nothing; exits with 1 if a code or a name is missing
//
// Names differ slightly between versions of Node's language data, so a plain run keeps the committed names and the file stays the
// same on every machine.
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const FILE = new URL("./countries.json", import.meta.url);
const LANGUAGES = ["en", "ru", "de", "fr", "es", "pl", "it", "pt", "ja", "nl"];
const CODES = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
  CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
  GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
  KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT
  MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
  SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
  UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
`.trim().split(/\s+/);
// Their full names are too long for a list ("Hong Kong SAR China").
const LONG_WINDED = new Set(["HK", "MO", "PS"]);

const mode = process.argv[2] ?? "";
if (!["", "--refresh", "--check"].includes(mode)) {
  console.error(`gen-countries: unknown option ${mode}; use --refresh, --check or no option`);
  process.exit(2);
}

const known = existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : {};

if (mode === "--check") {
  const missing = CODES.flatMap((code) =>
    LANGUAGES.filter((lang) => !known[code]?.[lang]).map((lang) => `${code}.${lang}`),
  );
  const unknown = Object.keys(known).filter((code) => !CODES.includes(code));
  if (missing.length + unknown.length > 0) {
    console.error(`countries.json: missing ${missing.join(" ") || "nothing"}; not a country: ${unknown.join(" ") || "none"}`);
    process.exit(1);
  }
} else {
  const source = (lang, style) => new Intl.DisplayNames([lang], { type: "region", style, fallback: "none" });
  const full = new Map(LANGUAGES.map((lang) => [lang, source(lang, "long")]));
  const brief = new Map(LANGUAGES.map((lang) => [lang, source(lang, "short")]));
  const nameOf = (code, lang) => (LONG_WINDED.has(code) ? brief : full).get(lang).of(code);
  const rows = CODES.map((code) => {
    const kept = mode === "--refresh" ? {} : (known[code] ?? {});
    const row = Object.fromEntries(LANGUAGES.map((lang) => [lang, kept[lang] ?? nameOf(code, lang)]));
    const lacking = LANGUAGES.filter((lang) => !row[lang]);
    if (lacking.length > 0) {
      console.error(`gen-countries: this Node has no name for ${code} in ${lacking.join(", ")}; use a Node with full ICU data`);
      process.exit(1);
    }
    return `  ${JSON.stringify(code)}: ${JSON.stringify(row)}`;
  });
  writeFileSync(FILE, `{\n${rows.join(",\n")}\n}\n`);
}

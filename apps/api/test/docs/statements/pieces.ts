/**
 * Where the words of a page are: `code` between backticks, `prose` without that, `text`, which is both together, and
 * `block` between fences.
 */
export type Place = "code" | "prose" | "text" | "block";

/** A part of a page, in which statements are looked for. The rest of the page is blank in it. */
export interface Piece {
  place: Place;
  content: string;
  /** What is around the statements: the text of the page, or the block. */
  context: string;
  /** The number of its first line. */
  line: number;
  /** The language of a block. */
  language: string;
}

/** A word of a page that states that something exists. */
export interface Statement {
  line: number;
  value: string;
  /** The words before it in its paragraph or item of a list, or in its row of a table and in the paragraph before that. */
  before: string;
}

const fences = /^[ ]*```(.*)\n([\s\S]*?)^[ ]*```$/gm;
/** Code ends in its paragraph. */
const codes = /(?<!`)(`+)(?!`)(?:(?!\n\s*\n)[\s\S])*?(?<!`)\1(?!`)/g;
const comments = /<!--[\s\S]*?-->/g;
const tables = /^ *\|.*\|\n *\|[ :|-]+\|\n(?: *\|.*\|\n)*/gm;
/** The titles of columns that say what was. */
const formerTitles = ["Was", "Removed test"];

/** Divides the Markdown of a page. Its comments, and what its tables say of former times, are no part of it. */
export function piecesOf(markdown: string): Piece[] {
  const page = withoutFormer(markdown.replaceAll(comments, blank));
  const text = page.replaceAll(fences, blank);
  const prose = text.replaceAll(codes, blank);
  const code = text.replaceAll(/[^\n]/g, (character, index: number) =>
    prose[index] === character ? " " : character,
  );
  const blocks = [...page.matchAll(fences)].map(({ index, 1: info = "", 2: content = "" }) => {
    const [language = ""] = info.trim().split(" ");
    return {
      place: "block" as const,
      content,
      context: content,
      line: linesBefore(page, index) + 2,
      language,
    };
  });
  const whole = { context: text, line: 1, language: "" };
  return [
    { place: "text", content: text, ...whole },
    { place: "prose", content: prose, ...whole },
    { place: "code", content: code, ...whole },
    ...blocks,
  ];
}

/** What a pattern finds in a piece. Its first group, if it has one, is the value; a line break in it is a space. */
export function statementsIn({ content, context, line }: Piece, pattern: RegExp): Statement[] {
  return [...content.matchAll(pattern)].map((match) => {
    const value = match[1] ?? match[0];
    const index = match.index + match[0].indexOf(value);
    return {
      line: line + linesBefore(content, index),
      value: value.replaceAll(/\s+/g, " ").trim(),
      before: introductionOf(context, index),
    };
  });
}

function introductionOf(context: string, index: number): string {
  const before = context.slice(0, index);
  const paragraphs = before.split(/\n\s*\n/);
  const row = before.slice(before.lastIndexOf("\n") + 1);
  if (row.startsWith("|")) return `${paragraphs.at(-2) ?? ""}\n${row}`;
  const [item = ""] = (paragraphs.at(-1) ?? "").split(/\n(?= *(?:-|\d+\.) )/).slice(-1);
  return item;
}

function linesBefore(content: string, index: number): number {
  return content.slice(0, index).split("\n").length - 1;
}

/** Blanks the columns of tables that say what was. */
function withoutFormer(page: string): string {
  return page.replaceAll(tables, (table) => {
    const [head = ""] = table.split("\n");
    const former = head.split("|").findIndex((title) => formerTitles.includes(title.trim()));
    if (former === -1) return table;
    const inRow = (row: string) =>
      row
        .split("|")
        .map((cell, index) => (index === former ? blank(cell) : cell))
        .join("|");
    return table.split("\n").map(inRow).join("\n");
  });
}

/** Spaces instead of the characters. Lines stay. */
function blank(content: string): string {
  return content.replaceAll(/[^\n]/g, " ");
}

/** The anchors of a page: those in its text, and those of its headings as the site of a repository makes them. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set([...markdown.matchAll(/<a id="([\w-]+)"><\/a>/g)].map(([, id = ""]) => id));
  for (const [, heading = ""] of markdown.replaceAll(fences, blank).matchAll(/^#+ (.+)$/gm)) {
    const name = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(/\s/g, "-");
    let anchor = name;
    for (let repeated = 1; anchors.has(anchor); repeated += 1) anchor = `${name}-${repeated}`;
    anchors.add(anchor);
  }
  return anchors;
}

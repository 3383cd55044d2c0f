/** A word of a page that states that something exists. */
export interface Statement {
  line: number;
  value: string;
}

/** The parts of a page: `code` between backticks, `prose` without it, `text`, which is both, and fenced `blocks`. */
export type Place = "code" | "prose" | "text" | "blocks";

const fences = /^[ ]*```.*\n[\s\S]*?^[ ]*```$/gm;
/** Code ends in its paragraph. */
const codes = /(?<!`)(`+)(?!`)(?:(?!\n\s*\n)[\s\S])*?(?<!`)\1(?!`)/g;
const comments = /<!--[\s\S]*?-->/g;

/** A page without everything but one of its parts. The rest is blank, so that lines stay. */
export function partOf(markdown: string, place: Place): string {
  const page = markdown.replaceAll(comments, blank);
  const text = page.replaceAll(fences, blank);
  if (place === "text") return text;
  if (place === "blocks") return without(page, text);
  const prose = text.replaceAll(codes, blank);
  return place === "prose" ? prose : without(text, prose);
}

/** What a pattern finds in a part. Its first group, if it has one, is the value; a line break in it is a space. */
export function statementsIn(part: string, pattern: RegExp): Statement[] {
  return [...part.matchAll(pattern)].map((match) => {
    const value = match[1] ?? match[0];
    const before = part.slice(0, match.index + match[0].indexOf(value));
    return { line: before.split("\n").length, value: value.replaceAll(/\s+/g, " ").trim() };
  });
}

/** The anchors of a page: those in its text, and those of its headings as the site of a repository makes them. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set([...markdown.matchAll(/<a id="([\w-]+)"><\/a>/g)].map(([, id = ""]) => id));
  for (const [, heading = ""] of markdown.replaceAll(fences, blank).matchAll(/^#+ (.+)$/gm)) {
    const kept = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "");
    const name = kept.trim().replaceAll(/\s/g, "-");
    let anchor = name;
    for (let repeated = 1; anchors.has(anchor); repeated += 1) anchor = `${name}-${repeated}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The characters that are blank in the other text. */
function without(page: string, other: string): string {
  return page.replaceAll(/[^\n]/g, (character, index: number) =>
    other[index] === character ? " " : character,
  );
}

function blank(content: string): string {
  return content.replaceAll(/[^\n]/g, " ");
}

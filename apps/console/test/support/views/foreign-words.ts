import type { Page } from "playwright-core";
import { marks } from "./pseudo-build.ts";

/** Everything that a page says: its texts, also hidden ones, the labels and titles of its elements, and its title. */
const readPage = `(() => {
  const said = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement.closest("script, style")) said.push(walker.currentNode.data);
  }
  for (const element of document.querySelectorAll("*")) {
    for (const name of ["aria-label", "aria-description", "aria-roledescription", "title", "placeholder", "alt"]) {
      if (element.hasAttribute(name)) said.push(element.getAttribute(name));
    }
  }
  return said;
})()`;

/** What is data by its form: dates, ids also shortened, codes of the service, commits, initials and keys. */
const data = [
  /\b\d{1,2} [A-Z][a-z]{2,4}(?: \d{4})?, \d{2}:\d{2}(?::\d{2})?(?: (?:UTC|GMT|CET|CEST|HKT)(?:[+-]\d{1,2})?)?/g,
  /\w{4,16}…\w{4}/g,
  /\b[a-z][A-Za-z]*(?:[.:][A-Za-z_]+)+\b/g,
  /\b[a-z]{2,8}_\w{2,80}\b/g,
  /\b[A-Z]+(?:_[A-Z]+)+\b/g,
  /^[0-9a-f]{8}$/g,
  /^[A-Z]{1,2}$/g,
  /^[a-z]$/g,
];

/** The texts of a page that are neither marked words nor data. `answered` runs after the page is read. */
export async function foreignWords(page: Page, answered: () => readonly unknown[]): Promise<string[]> {
  const said = await page.evaluate<string[]>(readPage);
  const known = new Set(answered().flatMap(textsOf));
  return [...new Set(said.map(withoutWords))].filter((rest) => {
    if (known.has(rest)) return false;
    const left = data.reduce((text, form) => text.replaceAll(form, " "), rest);
    return /\p{L}/u.test(left) && !known.has(bare(left));
  });
}

const { open, close } = marks;
const inner = `[^${open}${close}]*`;
const marked = new RegExp(open + inner + close, "g");
const begun = new RegExp(`${open}${inner}$`);
const ended = new RegExp(`^${inner}${close}`);

function withoutWords(text: string): string {
  let rest = text;
  // Words may be in words, and a mark may be in the neighbouring text.
  for (let before = ""; before !== rest; ) {
    before = rest;
    rest = rest.replaceAll(marked, " ");
  }
  return bare(rest.replace(begun, " ").replace(ended, " "));
}

/** A text without the punctuation that joins it to others. */
const bare = (text: string): string => text.replace(/^[\s:·,()]+/, "").replace(/[\s:·,(]+$/, "");

/** All texts in an answer. */
function textsOf(answer: unknown): string[] {
  if (typeof answer === "string") return [answer];
  return typeof answer === "object" && answer !== null ? Object.values(answer).flatMap(textsOf) : [];
}

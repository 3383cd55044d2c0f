import { expect } from "vitest";

/** A program of a page: the code of one block. */
export interface Snippet {
  language: (typeof languages)[number];
  /** The tab that shows it. A snippet without a tab belongs to every language. */
  tab: string | undefined;
  code: string;
  /** The output that the page shows beneath it, or beneath its group of tabs. */
  output: Output | undefined;
}

interface Output {
  language: (typeof outputs)[number];
  code: string;
}

const languages = ["sh", "ts", "python"] as const;
const outputs = ["json", "text"] as const;
const fence = /^```(?<language>\w+)(?<info>.*)\n(?<code>[\s\S]*?)^```$/gm;

/**
 * The programs of a page in their order, without blocks marked as an illustration.
 *
 * @throws if a block has an unknown language
 */
export function snippetsOf(markdown: string): Snippet[] {
  const snippets: Snippet[] = [];
  let group: Snippet[] = [];
  for (const { groups = {} } of markdown.matchAll(fence)) {
    const { info = "", code = "" } = groups;
    if (/\billustration\b/.test(info)) continue;
    const tab = /tab="([^"]+)"/.exec(info)?.[1];
    const language = languages.find((known) => known === groups.language);
    const output = outputs.find((known) => known === groups.language);
    if (language) {
      const snippet = { language, tab, code, output: undefined };
      const isNextTab = tab !== undefined && group.every((other) => other.tab && other.tab !== tab);
      group = isNextTab ? [...group, snippet] : [snippet];
      snippets.push(snippet);
    } else if (output) {
      for (const snippet of group) snippet.output = { language: output, code };
      group = [];
    } else throw new Error(`A snippet in an unknown language: ${groups.language}`);
  }
  return snippets;
}

/** Compares a program's output with the output on the page, where … stands for any text. */
export function expectOutput(actual: string, { language, code }: Output): void {
  if (language === "json") expect(JSON.parse(actual)).toEqual(JSON.parse(code, loosenField));
  else expect(actual.trim()).toEqual(loosen(code.trim()));
}

/** A new card expires some years after today. */
function loosenField(name: string, value: unknown): unknown {
  return name === "expiryMonth" || name === "expiryYear" ? expect.any(Number) : loosen(value);
}

function loosen(value: unknown): unknown {
  if (typeof value !== "string" || !value.includes("…")) return value;
  const parts = value.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return expect.stringMatching(new RegExp(`^${parts.join("[\\s\\S]*")}$`));
}

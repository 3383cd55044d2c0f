import { expect } from "vitest";

/** A code block of a guide: a program, or the output of the program before it. */
export interface Snippet {
  language: "sh" | "ts" | "json" | "text";
  /** Whether every later TypeScript snippet starts with it. */
  setup: boolean;
  code: string;
}

const languages = ["sh", "ts", "json", "text"] as const;

/** The code blocks of a guide in their order, without those marked as an illustration. */
export function snippetsOf(markdown: string, url: string): Snippet[] {
  const blocks = [
    ...markdown.replaceAll("http://127.0.0.1:3000", url).matchAll(/^```(.*)\n([\s\S]*?)^```$/gm),
  ];
  return blocks.flatMap(([, info = "", code = ""]) => {
    const [name, mark] = info.split(" ");
    if (mark === "illustration") return [];
    const language = languages.find((known) => known === name);
    if (!language) throw new Error(`A snippet in an unknown language: ${info}`);
    return [{ language, setup: mark === "setup", code }];
  });
}

export const isOutput = ({ language }: Snippet): boolean => language === "json" || language === "text";

/** Compares a program's output with the output in the guide, where … stands for any text. */
export function expectOutput(actual: string, { language, code }: Snippet): void {
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

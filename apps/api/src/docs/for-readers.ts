type Json = unknown;

/**
 * Prepares the document for the docs page. Escapes angle brackets in descriptions, which Markdown would read as HTML,
 * marks extensions, and removes the schemas of rules between fields, which the page renders as empty boxes.
 */
export function forReaders(document: Json): Json {
  if (Array.isArray(document)) return document.map(forReaders);
  if (typeof document !== "object" || document === null) return document;
  const entries = Object.entries(document).filter(([key, value]) => !(key === "allOf" && areRules(value)));
  const shown = Object.fromEntries(entries.map(([key, value]) => [key, forReaders(value)]));
  return { ...shown, ...describe(shown) };
}

function areRules(value: Json): boolean {
  return (
    Array.isArray(value) &&
    value.every((part) => typeof part === "object" && part !== null && "x-rule" in part)
  );
}

/** The description, with a note if it belongs to an extension. */
function describe(shown: Record<string, Json>): Record<string, string> {
  const { description, "x-documented": documented } = shown;
  const paragraphs = [
    ...(typeof description === "string" ? [escapeAngleBrackets(description)] : []),
    ...(documented === false ? ["*Our extension; the interface does not describe it.*"] : []),
  ];
  return paragraphs.length === 0 ? {} : { description: paragraphs.join("\n\n") };
}

/** Escapes `<`, except in code, where Markdown shows it. */
function escapeAngleBrackets(markdown: string): string {
  return markdown
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll("<", "\\<")))
    .join("");
}

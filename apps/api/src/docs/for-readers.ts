type Json = unknown;

/**
 * The document as the docs page shows it: decisions of ours are named in the text, and the rules between
 * fields, which a page renders as empty boxes, are left to the words that stand above the fields.
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

/** The description, and whose decision it is. */
function describe(shown: Record<string, Json>): Record<string, string> {
  const notes = [
    ...(typeof shown["x-decision"] === "string" ? [`*Our decision ${shown["x-decision"]}.*`] : []),
    ...(shown["x-documented"] === false ? ["*An extension of ours; the interface does not show it.*"] : []),
  ];
  if (notes.length === 0) return {};
  const words = typeof shown.description === "string" ? [shown.description] : [];
  return { description: [...words, ...notes].join("\n\n") };
}

type Json = unknown;

/**
 * The document for the docs page: descriptions mention our decisions, and the schemas of rules between fields are
 * removed, because the page renders them as empty boxes.
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

/** The description with a note about our decision. */
function describe(shown: Record<string, Json>): Record<string, string> {
  const notes = [
    ...(typeof shown["x-decision"] === "string" ? [`*Our decision ${shown["x-decision"]}.*`] : []),
    ...(shown["x-documented"] === false ? ["*Our extension; the interface does not describe it.*"] : []),
  ];
  if (notes.length === 0) return {};
  const description = typeof shown.description === "string" ? [shown.description] : [];
  return { description: [...description, ...notes].join("\n\n") };
}

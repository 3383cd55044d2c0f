/** Keeps the ids of a response, which later requests name in their paths. */
export function collectIds(body: Record<string, unknown>, ids: Record<string, string>): void {
  for (const [name, value] of Object.entries(body)) if (/Id$/.test(name)) ids[name] = String(value);
  const [first] = (body.items ?? []) as Record<string, unknown>[];
  if (first) collectIds(first, ids);
}

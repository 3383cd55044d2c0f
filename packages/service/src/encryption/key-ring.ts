const help = "Give versions with keys of 32 bytes in base64, such as 1:<key>,2:<key>; the first is in use.";

/** The keys that wrap users' data keys, by version. */
export interface KeyRing {
  /** The version that wraps new data keys. */
  current: number;
  keys: ReadonlyMap<number, Buffer>;
}

/**
 * Parses `version:base64,version:base64`. The first version is the current one, so a new version can be appended on
 * every instance before any instance uses it.
 * @throws Error with a message that says how to correct the text without quoting it.
 */
export function parseKeyRing(text: string): KeyRing {
  const entries = text.split(",").map((entry) => parseEntry(entry.trim()));
  const keys = new Map(entries);
  const [first] = entries;
  if (first === undefined) throw new Error(help);
  if (keys.size < entries.length) throw new Error("A version appears twice.");
  if (new Set(entries.map(([, key]) => key.toString("hex"))).size < entries.length)
    throw new Error("Two versions have the same key.");
  return { current: first[0], keys };
}

function parseEntry(entry: string): [version: number, key: Buffer] {
  const [, version, encoded = ""] = /^([1-9]\d{0,8}):([A-Za-z0-9+/]{43}=)$/.exec(entry) ?? [];
  const key = Buffer.from(encoded, "base64");
  // Rejects base64 with spare bits, so that each key has exactly one encoding.
  if (version === undefined || key.toString("base64") !== encoded) throw new Error(help);
  return [Number(version), key];
}

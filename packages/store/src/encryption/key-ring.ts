const help = "Give versions with keys of 32 bytes in base64, such as 1:<key>,2:<key>; the first is in use.";

/** Keys that wrap users' data keys, by version. */
export interface KeyRing {
  /** The version that new data keys are wrapped under. */
  current: number;
  keys: ReadonlyMap<number, Buffer>;
}

/**
 * Parses `version:base64,version:base64`. The first version is the current one. A new version can therefore be
 * appended on every instance before any instance uses it.
 * @throws Error with a message that says how to correct the text and quotes none of it.
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
  // Refuses base64 with spare bits: each key has one encoding only.
  if (version === undefined || key.toString("base64") !== encoded) throw new Error(help);
  return [Number(version), key];
}

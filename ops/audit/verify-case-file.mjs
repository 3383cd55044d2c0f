// Verifies a case file, or a proof of a search, with published checkpoints alone:
// node verify-case-file.mjs case-file.json published.ndjson
// Published are lines of JSON, such as the service's log: platformId, number (or checkpoint) and root.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const [file, published] = process.argv.slice(2).map((path) => readFileSync(path, "utf8"));
if (published === undefined) fail("Give the file and the published checkpoints.");

const formats = new Map([
  ["cardbridge-case-file/1", readCaseFile],
  ["cardbridge-audit-proof/1", readProof],
]);
const content = readJson(file);
const read = formats.get(content.format) ?? fail("The file has no format that this script knows.");
const { name, platforms, since: dropped, expected } = read(content);
const roots = new Map();
for (const line of published.split("\n").map(readJson)) {
  const { platformId, root, ...one } = Object(line.labels ?? line);
  const number = Number(one.number ?? one.checkpoint);
  const key = `${platformId} ${number}`;
  if (typeof root !== "string") continue;
  if (root !== (roots.get(key) ?? root) && platforms.some((each) => each.platformId === platformId))
    fail(`Two roots of checkpoint ${number} are published.`);
  roots.set(key, root);
}
const ids = new Set();
const results = platforms.map(verify);
const count = results.reduce((sum, { entries }) => sum + entries.length, 0);
const pending = results.flatMap((each) => each.pending);
const verified = `${count - pending.length} of ${count} entries are verified.`;
const rest =
  pending.length > 0 ? `Pending, without a checkpoint that has a root: ${pending.join(", ")}.\n` : "";
const cut = dropped === null ? "" : `Entries before ${dropped} were dropped: see the exported files.\n`;
process.stdout.write(`${name}: ${verified}\n${rest}${cut}`);

/** A case file: its entries are about the record, its files and its proposals. */
function readCaseFile({ record, audit, files = [], proposals = [] }) {
  requirePlain(record.kycRecordId, audit.since);
  if (record.platformId !== audit.platformId) fail("The record and the audit are of different platforms.");
  const subjects = new Set([
    record.kycRecordId,
    ...files.map(({ fileId }) => fileId),
    ...proposals.map(({ proposalId }) => proposalId),
  ]);
  const expected = (entry) =>
    subjects.has(entry.subject) ? undefined : "is about neither the record, its files nor its proposals";
  return { name: `Record ${record.kycRecordId}`, platforms: [audit], since: audit.since, expected };
}

/** A proof of a search: its entries match the query. */
function readProof({ query, platforms, since }) {
  const { platformId, platformIds = [], after, before, ...equal } = query;
  const named = [...platformIds, ...(platformId === undefined ? [] : [platformId])];
  const name = Object.entries(query)
    .map(([field, value]) => `${field} ${value}`)
    .join(", ");
  requirePlain(since, ...Object.keys(query), ...Object.values(query).flat());
  for (const each of platforms) {
    requirePlain(each.platformId, each.since);
    if (named.length > 0 && !named.includes(each.platformId))
      fail("The proof has another platform than its query.");
  }
  const fields = {
    personId: "person",
    keyId: "actor",
    operation: "operation",
    subject: "subject",
    outcome: "outcome",
  };
  const expected = (entry) =>
    Object.entries(equal).some(([field, value]) => entry[fields[field]] !== value) ||
    Date.parse(entry.at) < Date.parse(after ?? entry.at) ||
    Date.parse(entry.at) > Date.parse(before ?? entry.at)
      ? "does not match the query"
      : undefined;
  return { name: name === "" ? "Search without a filter" : `Search for ${name}`, platforms, since, expected };
}

/** Verifies the entries of one platform. Returns the ids of the pending ones. */
function verify({ platformId, entries, checkpoints, since }) {
  const shown = new Map(checkpoints.map(({ number, root }) => [number, root]));
  for (const [number, root] of shown) {
    const known = roots.get(`${platformId} ${number}`);
    if (known === undefined) fail(`Checkpoint ${number} is not among the published ones.`);
    if (root !== known) fail(`Checkpoint ${number} has another root than the published one.`);
  }
  const pending = [];
  for (const { entry, leaf: hex, checkpoint, ...proof } of entries) {
    const leaf = Buffer.from(hex, "hex");
    compareFields(platformId, entry, leaf);
    requirePlain(entry.id);
    if (ids.has(entry.id)) fail(`Entry ${entry.id} is in the file twice.`);
    ids.add(entry.id);
    const other = expected(entry);
    if (other) fail(`Entry ${entry.id} ${other}.`);
    if (proof.index === null) {
      if (roots.has(`${platformId} ${checkpoint}`) && since === null)
        fail(`Entry ${entry.id} has no proof for its checkpoint.`);
      pending.push(entry.id);
    } else {
      const root = shown.get(checkpoint) ?? fail(`Checkpoint ${checkpoint} of entry ${entry.id} is missing.`);
      if (rootFrom(leaf, proof) !== root) fail(`Entry ${entry.id} is not under checkpoint ${checkpoint}.`);
    }
  }
  return { entries, pending };
}

/** A leaf is the number of columns, then the name and the value of each. */
function compareFields(platformId, { person, actor, at, ...fields }, leaf) {
  const [count, ...texts] = readTexts(leaf);
  const columns = new Map(texts.flatMap((text, nth) => (nth % 2 === 0 ? [[text, texts[nth + 1]]] : [])));
  const key = person === null ? actor : `${person}/${actor}`;
  const shown = { ...fields, platformId, actor: key, at: Date.parse(at), txid: columns.get("txid") };
  const values = new Map(Object.entries(shown).filter(([, value]) => value !== null));
  const names = [...values.keys(), ...columns.keys()];
  const differing = names.find((name) => columns.get(name) !== String(values.get(name)));
  if (differing !== undefined) fail(`Entry ${fields.id}: ${differing} differs from its leaf.`);
  if (texts.length !== 2 * Number(count)) fail(`Entry ${fields.id}: its leaf has other columns.`);
}

/** Before each text are its bytes' number, in four bytes. */
function readTexts(leaf) {
  if (leaf.length === 0) return [];
  const end = leaf.length < 4 ? Number.POSITIVE_INFINITY : 4 + leaf.readUInt32BE();
  if (end > leaf.length) fail("A leaf is cut off.");
  return [leaf.subarray(4, end).toString(), ...readTexts(leaf.subarray(end))];
}

/** The root that follows from a leaf and its path (RFC 9162, section 2.1.3). */
function rootFrom(leaf, { index, size, path }) {
  const siblings = [...path];
  let node = sha256(Buffer.of(0), leaf);
  for (let [at, width] = [index, size]; width > 1; [at, width] = [at >> 1, (width + 1) >> 1]) {
    if ((at ^ 1) >= width) continue; // A node without a sibling moves up unchanged.
    const sibling = Buffer.from(siblings.shift() ?? "", "hex");
    const pair = at % 2 === 1 ? [sibling, node] : [node, sibling];
    node = sha256(Buffer.of(1), ...pair);
  }
  return index < size && siblings.length === 0 ? node.toString("hex") : "";
}

function readJson(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** The file may come from anybody, so it must not write the output: texts have only characters of ids and times. */
function requirePlain(...texts) {
  const isPlain = (text) => typeof text === "string" && /^[\w:.+-]{0,80}$/.test(text);
  if (!texts.every((text) => isPlain(text ?? ""))) fail("The file has an id or a time that is none.");
}

function fail(message) {
  process.stderr.write(`${message.replace(/[^ -~]/g, "?")}\n`);
  process.exit(1);
}

// Verifies a case file with published checkpoints alone: node verify-case-file.mjs case-file.json published.ndjson
// Published are lines of JSON, such as the service's log: platformId, number (or checkpoint) and root.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const [caseFile, published] = process.argv.slice(2).map((path) => readFileSync(path, "utf8"));
if (published === undefined) fail("Give the case file and the published checkpoints.");
const { format, record, audit, files = [], proposals = [] } = readJson(caseFile);
if (format !== "cardbridge-case-file/1") fail("The file is no case file of this format.");
const { platformId, entries, since } = audit;
// The file may come from anybody, so it must not write the output.
if ([record.kycRecordId, since ?? ""].some((text) => !isPlain(text)))
  fail("The file has an id or a time that is none.");
if (record.platformId !== platformId) fail("The record and the audit are of different platforms.");
const subjects = new Set([
  record.kycRecordId,
  ...files.map(({ fileId }) => fileId),
  ...proposals.map(({ proposalId }) => proposalId),
]);

const roots = new Map();
for (const line of published.split("\n").map(readJson)) {
  const { platformId: platform, root, ...one } = Object(line.labels ?? line);
  const number = Number(one.number ?? one.checkpoint);
  if (platform !== platformId || typeof root !== "string") continue;
  if (root !== (roots.get(number) ?? root)) fail(`Two roots of checkpoint ${number} are published.`);
  roots.set(number, root);
}
const shown = new Map(audit.checkpoints.map(({ number, root }) => [number, root]));
for (const [number, root] of shown) {
  if (!roots.has(number)) fail(`Checkpoint ${number} is not among the published ones.`);
  if (root !== roots.get(number)) fail(`Checkpoint ${number} has another root than the published one.`);
}

const pending = [];
const ids = new Set();
for (const { entry, leaf: hex, checkpoint, ...proof } of entries) {
  const leaf = Buffer.from(hex, "hex");
  compareFields(entry, leaf);
  if (!isPlain(entry.id)) fail("The file has an id or a time that is none.");
  if (ids.has(entry.id)) fail(`Entry ${entry.id} is in the file twice.`);
  ids.add(entry.id);
  if (!subjects.has(entry.subject)) {
    fail(`Entry ${entry.id} is about neither the record, its files nor its proposals.`);
  }
  if (proof.index === null) {
    if (roots.has(checkpoint) && since === null) fail(`Entry ${entry.id} has no proof for its checkpoint.`);
    pending.push(entry.id);
  } else {
    const root = shown.get(checkpoint) ?? fail(`Checkpoint ${checkpoint} of entry ${entry.id} is missing.`);
    if (rootFrom(leaf, proof) !== root) fail(`Entry ${entry.id} is not under checkpoint ${checkpoint}.`);
  }
}
const verified = `${entries.length - pending.length} of ${entries.length} entries are verified.`;
const rest =
  pending.length > 0 ? `Pending, without a checkpoint that has a root: ${pending.join(", ")}.\n` : "";
const dropped = since === null ? "" : `Entries before ${since} were dropped: see the exported files.\n`;
process.stdout.write(`Record ${record.kycRecordId}: ${verified}\n${rest}${dropped}`);

/** A leaf is the number of columns, then the name and the value of each. */
function compareFields({ person, actor, at, ...fields }, leaf) {
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

/** Whether a text has only characters of ids and times. */
function isPlain(text) {
  return typeof text === "string" && /^[\w:.-]{0,80}$/.test(text);
}

function fail(message) {
  process.stderr.write(`${message.replace(/[^ -~]/g, "?")}\n`);
  process.exit(1);
}

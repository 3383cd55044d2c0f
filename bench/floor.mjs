import { createCipheriv, createHash, randomBytes, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import pg from "pg";
import { Pool } from "undici";
import { sign } from "./lib/contract.mjs";

/*
 * The floor: node:http and undici with only the work that every gateway has to do. A list: hash the key, sign the call,
 * parse the response, select the allowed fields, write JSON. A submission: parse, hash, sign, encrypt, make one call,
 * and make two durable commits of one statement each.
 */
const provider = new Pool(process.env.PROVIDER_URL, { connections: 64 });
const database = new pg.Pool({ connectionString: process.env.BENCH_DATABASE_URL, max: 10 });
const dataKey = randomBytes(32);
const knownKeys = new Set(process.env.BENCH_KEYS.split(",").map(hash));

/** The fields of a card that callers receive. */
const cardFields = [
  "cardId",
  "status",
  "memberId",
  "cardAccountId",
  "type",
  "network",
  "last4",
  "expiryMonth",
  "expiryYear",
  "nameOnCard",
  "currency",
  "createdAt",
];

function hash(text) {
  return createHash("sha256").update(text).digest("hex");
}

function encrypt(text) {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", dataKey, nonce);
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

async function list() {
  const query = "userReference=usr_1&page=1&pageSize=20&sort=-createdAt%2CcardId";
  const headers = sign("GET", "/v1/cards", query);
  const { body } = await provider.request({ path: `/v1/cards?${query}`, method: "GET", headers });
  const { items, page, pageSize, total } = JSON.parse(await body.text());
  const kept = items.map((item) => Object.fromEntries(cardFields.map((name) => [name, item[name]])));
  return { items: kept, page, pageSize, total, totalPages: Math.ceil(total / pageSize) };
}

async function submit(text) {
  const { memberId: _, ...applicant } = JSON.parse(text);
  const id = randomUUID();
  hash(text);
  const insert = { name: "insert", text: "insert into bench_floor (id, encrypted) values ($1, $2)" };
  await database.query({ ...insert, values: [id, encrypt(text)] });
  const body = JSON.stringify({ userReference: "usr_1", applicant });
  const path = `/v1/kyc/${id}`;
  const headers = { ...sign("PUT", path, "", body), "content-type": "application/json" };
  const answer = await provider.request({ path, method: "PUT", headers, body });
  const { status, cardAccountId } = JSON.parse(await answer.body.text());
  const update = { name: "update", text: "update bench_floor set status = $2 where id = $1" };
  await database.query({ ...update, values: [id, status] });
  return { success: true, kycRecordId: id, status, cardAccountId };
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const server = createServer(async (request, response) => {
  const key = (request.headers.authorization ?? "").slice(7);
  if (!knownKeys.has(hash(key))) return response.writeHead(401).end();
  const answer = request.method === "GET" ? await list() : await submit(await bodyOf(request));
  return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
});
await database.query(
  "create table if not exists bench_floor (id text primary key, encrypted bytea not null, status text)",
);
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`listening http://127.0.0.1:${server.address().port}\n`),
);

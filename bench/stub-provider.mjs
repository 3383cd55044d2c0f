import { createHash } from "node:crypto";
import { createServer } from "node:http";

/*
 * A card provider with minimal cost: a hundred pages of 20 cards for every user, and approval of every submission.
 * PUT /_delay sets the delay of the responses to submissions in milliseconds.
 */
const [reference, pageNumber] = ["\u0000", 987_654_321];
const opaque = (text) => createHash("sha256").update(text).digest("base64url").slice(0, 24);
const card = (number) => ({
  userReference: reference,
  cardId: `card_${opaque(`card ${number}`)}`,
  status: "active",
  memberId: null,
  cardAccountId: `acct_${opaque("account")}`,
  type: "virtual",
  network: "visa",
  last4: String(4_000 + number),
  expiryMonth: 5,
  expiryYear: 2031,
  nameOnCard: "BENCH MARK",
  currency: "USD",
  createdAt: "2026-01-31T12:00:00.000Z",
});
const items = Array.from({ length: 20 }, (_, number) => card(number));
const page = JSON.stringify({
  userReference: reference,
  page: pageNumber,
  pageSize: 20,
  total: 2_000,
  items,
});
const parts = page.split(JSON.stringify(reference));

/** The user of each accepted submission, by reference. */
const taken = new Map();
let delay = 0;

function listOf({ searchParams }) {
  const text = parts.join(JSON.stringify(searchParams.get("userReference")));
  return text.replace(String(pageNumber), searchParams.get("page") ?? "1");
}

function stateOf(reference) {
  const userReference = taken.get(reference);
  if (userReference === undefined) return [404, { reference, error: { code: "not_found" } }];
  const updatedAt = "2026-01-31T12:00:00.000Z";
  const state = { status: "approved", cardAccountId: "acct_1", revision: 1, updatedAt };
  return [200, { reference, userReference, ...state }];
}

function answer(request, url, body) {
  if (request.method === "GET" && url.pathname === "/v1/cards") return [200, listOf(url)];
  if (url.pathname === "/_delay") {
    delay = Number(body);
    return [200, "{}"];
  }
  const name = url.pathname.slice(8);
  if (request.method === "PUT") taken.set(name, JSON.parse(body).userReference);
  const [status, state] = stateOf(name);
  return [status, JSON.stringify(state)];
}

const server = createServer((request, response) => {
  const url = new URL(request.url, "http://localhost");
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const [status, text] = answer(request, url, Buffer.concat(chunks).toString());
    const send = () => response.writeHead(status, { "content-type": "application/json" }).end(text);
    if (delay > 0 && url.pathname.startsWith("/v1/kyc/")) setTimeout(send, delay);
    else send();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`listening http://127.0.0.1:${server.address().port}\n`),
);

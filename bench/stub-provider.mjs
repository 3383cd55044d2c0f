import { createHash } from "node:crypto";
import { createServer } from "node:http";

/* A card provider that costs next to nothing: 20 cards for every user, and yes to every submission. */
const reference = "\u0000";
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
const page = JSON.stringify({ userReference: reference, page: 1, pageSize: 20, total: 20, items });
const parts = page.split(JSON.stringify(reference));

const server = createServer((request, response) => {
  const url = new URL(request.url, "http://localhost");
  response.setHeader("content-type", "application/json");
  if (request.method === "GET" && url.pathname === "/v1/cards") {
    request.resume();
    response.end(parts.join(JSON.stringify(url.searchParams.get("userReference"))));
    return;
  }
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const { userReference } = JSON.parse(Buffer.concat(chunks));
    const updatedAt = "2026-01-31T12:00:00.000Z";
    const state = { status: "approved", cardAccountId: "acct_1", revision: 1, updatedAt };
    response.end(JSON.stringify({ reference: url.pathname.slice(8), userReference, ...state }));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () =>
  process.stdout.write(`listening http://127.0.0.1:${server.address().port}\n`),
);

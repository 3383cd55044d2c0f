/*
 * A separate process that keeps slow sockets of every kind open against a service, opens a closed socket again, and
 * prints a line of counts each second: node hold-sockets.mjs URL SOCKETS.
 */
import { connect } from "node:net";

const [url = "", count = "0"] = process.argv.slice(2);
const { hostname, port } = new URL(url);
/** The largest content that all callers share. */
const largest = "/docs/search.json";

const head = (start, ...headers) => [`${start} HTTP/1.1`, "host: a", ...headers, "", ""].join("\r\n");
const json = "content-type: application/json";
const signature = ["webhook-id: a", "webhook-timestamp: 1", "webhook-signature: a"];

/** What each kind sends, and whether it reads the response. */
const kinds = [
  [head(`GET ${largest}`), false],
  [head(`GET ${largest}`, "accept-encoding: br"), false],
  [head(`GET ${largest}`, "accept-encoding: gzip"), false],
  [head(`GET ${largest}`, "accept-encoding: identity"), false],
  [head("GET /openapi/v1/openapi.json").repeat(20), false],
  [head("GET /health/ready"), false],
  [head("POST /provider/events", ...signature, "content-length: 16000"), true],
  [head("POST /openapi/v1/users/kyc", json, "content-length: 60000"), true],
  [`${head("POST /trpc/kyc.submit", json, "transfer-encoding: chunked")}1\r\n{\r\n`, true],
  [head("POST /trpc/kyc.submit", json, "expect: 100-continue", "content-length: 60000"), true],
  [head("PUT /files/uploads/token", "content-length: 60000"), true],
  [head("GET /", "content-length: 60000"), true],
  [head("GET /docs", "transfer-encoding: chunked"), true],
  ["GET /health/ready HTTP/1.1\r\nhost: a\r\nx: ", true],
  ["", true],
];

/** How long a socket that does not read stays open, in milliseconds: it cannot detect its end. */
const holdMs = 70_000;
let opened = 0;
let ended = 0;

function hold(kind) {
  const [bytes, reads] = kinds[kind % kinds.length];
  const socket = connect({ host: hostname, port: Number(port) });
  opened += 1;
  socket.write(bytes);
  if (reads) socket.resume();
  else setTimeout(() => socket.destroy(), holdMs);
  socket.on("error", () => {});
  socket.on("close", () => {
    ended += 1;
    setTimeout(() => hold(kind), 500 + Math.random() * 1_000);
  });
}

const print = () => process.stdout.write(`${JSON.stringify({ opened, ended })}\n`);
for (let kind = 0; kind < Number(count); kind += 1) {
  hold(kind);
  if (kind % 50 === 49) await new Promise((resolve) => setTimeout(resolve, 20));
}
print();
setInterval(print, 1_000);

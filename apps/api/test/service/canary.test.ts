import { kycSubmission, maxWebhookEndpoints } from "@cardbridge/domain";
import { exampleSubmission } from "@cardbridge/operations";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { errorMapping } from "../../src/errors/mapping.ts";
import { findPort } from "../../src/server/serve.ts";
import type { Submission } from "../deep/faults/clients/marked-submission.ts";
import { signedHeaders } from "../deep/faults/clients/provider-event.ts";
import { type Cluster, startCluster } from "../deep/faults/cluster/cluster.ts";
import { http } from "../deep/faults/cluster/http-bytes.ts";
import type { QuotedCall } from "../deep/faults/cluster/provider-proxy.ts";
import type { Service } from "../deep/faults/cluster/service.ts";
import { type Binding, bindingOf, bindings } from "../support/bindings.ts";
import { anyName, inputOf, questionsOf } from "../support/names.ts";
import { startOtlpReceiver } from "../support/otlp-receiver.ts";
import { sampleImage } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { type Answer, type Call, createClient } from "./canary/client.ts";
import { createMarks } from "./canary/marks.ts";
import { readColumns, readDatabaseWords, readProcesses } from "./canary/places.ts";
import { wrongInputs } from "./canary/wrong-inputs.ts";

/*
 * Sends marked personal data through every success and every error of the real process, from callers and from the
 * provider. Then it searches every output for the marks.
 */

/** The known columns with personal data in plain text. */
const knownPlaintext: readonly string[] = [];

const marks = createMarks();
/** The provider's raw values: shown and stored unchanged, but never logged. */
const words = createMarks();
const client = createClient(marks);
const processes: string[] = [];
let cluster: Cluster;
let traces: Awaited<ReturnType<typeof startOtlpReceiver>>;
/** Three services: a healthy one, one with a failing provider that quotes data, and one that loses its database. */
let well: Service;
let quoting: Service;
let failing: Service;
const metricsUrls: string[] = [];

async function start(options: Parameters<Cluster["startService"]>[0] = {}): Promise<Service> {
  const port = await findPort({ host: "127.0.0.1", port: 0 });
  metricsUrls.push(`http://127.0.0.1:${port}/metrics`);
  const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: traces.url };
  const env = { LOG_LEVEL: "debug", METRICS_PORT: String(port), ...tracing };
  return cluster.startService({ ...options, env: { ...env, ...options.env } });
}

beforeAll(async () => {
  traces = await startOtlpReceiver();
  cluster = await startCluster(inject("postgres"), Math.random);
  // The database then logs every statement, without its parameters.
  for (const setting of ["log_statement = 'all'", "log_parameter_max_length = 0"])
    await cluster.query(
      `do $$ begin execute format('alter database %I set ${setting.replaceAll("'", "''")}', current_database()); end $$`,
    );
  [well, quoting, failing] = await Promise.all([start(), start({ run: "all" }), start()]);
  await cluster.query("update api_keys set scopes = '{}' where platform_id = 'plt_second'");
});
afterAll(async () => {
  await cluster.close();
  await traces.close();
});

const both = ["REST", "tRPC"] as const;
/** What reads a platform's data, over each transport. */
const queries = bindings.filter(
  ({ operation }) => operation.kind === "query" && !operation.scopes.includes("admin"),
);

interface Sent {
  service?: Service;
  key?: string;
  headers?: Record<string, string>;
}

/** Calls an operation over one transport, with marks in unknown fields and parameters where they are ignored. */
function ask(id: string, transport: Binding["transport"], input: object, sent: Sent = {}): Promise<Answer> {
  const binding = bindingOf(id, transport);
  const isBody = binding.request({ ...input }).body !== undefined;
  const { path, ...request } = binding.request({ ...input, ...(isBody && { [marks.next()]: marks.next() }) });
  const { service = well, key = cluster.keys.first } = sent;
  const headers = { ...request.headers, ...sent.headers };
  const parameter = `${path.includes("?") ? "&" : "?"}${marks.next()}=${marks.next()}`;
  const unknown = transport === "tRPC" ? parameter : "";
  return client.call(
    `${id} over ${transport}`,
    service.url,
    { ...request, path: path + unknown, headers },
    key,
  );
}

async function askBoth(id: string, input: (transport: string) => object, sent?: Sent): Promise<number[]> {
  const answers = [];
  for (const transport of both) answers.push(await ask(id, transport, input(transport), sent));
  return answers.map(({ status }) => status);
}

const call = async (name: string, request: Call, { service = well, key = cluster.keys.first }: Sent = {}) =>
  (await client.call(name, service.url, request, key)).status;
const idOf = ({ body }: Answer) => /kyc_[0-9a-z]+/.exec(body)?.[0] ?? "";
const json = { "content-type": "application/json" };
const submitPaths = ["/openapi/v1/users/kyc", "/trpc/kyc.submit"];

it("marks every personal field", () => {
  const marked: Record<string, unknown> = marks.submission();
  const example: Record<string, unknown> = exampleSubmission.input;
  const unmarked = Object.keys(kycSubmission.shape).filter(
    (name) => marked[name] === undefined || JSON.stringify(marked[name]) === JSON.stringify(example[name]),
  );
  // Fields with shared values cannot be marked; documentPermanentlyValid excludes documentExpiryDate.
  expect(unmarked.sort()).toEqual([
    "annualIncome",
    "documentCountry",
    "documentPermanentlyValid",
    "documentType",
    "gender",
    "nationality",
    "phoneCountryCode",
  ]);
});

it.each(["", "x", "xy", "xyz"])("finds a mark in every encoding, after %j", (before) => {
  const { email, phoneNumber, birthday } = marks.submission();
  for (const text of [marks.next(), email, phoneNumber, birthday]) {
    const bytes = Buffer.from(`${before}${text}z`);
    const encoded = (["hex", "base64", "base64url", "latin1"] as const).map((form) => bytes.toString(form));
    for (const form of [...encoded, encodeURIComponent(text)]) expect(marks.findIn(form)).not.toEqual([]);
  }
  expect(marks.findIn("an answer without any")).toEqual([]);
});

describe("marked data is sent in", () => {
  it("submissions that succeed, are repeated and are read", async () => {
    for (const transport of both) {
      const submission = marks.submission();
      const headers = { "idempotency-key": marks.next() };
      const slowly = { effect: true, before: look, answer: "pass" as const };
      well.provider.plan(submission.email, { put: [slowly] });
      const first = await ask("kyc.submit", transport, submission, { headers });
      expect(first.status).toBe(200);
      const again = await ask("kyc.submit", transport, submission, { headers });
      expect([again.status, idOf(again)]).toEqual([200, idOf(first)]);
      const { memberId, email } = submission;
      for (const name of [{ memberId }, { email }]) {
        expect((await ask("cards.list", transport, name)).status).toBe(200);
        expect((await ask("kyc.get", transport, name)).status).toBe(200);
      }
      expect((await ask("kyc.history", transport, { kycRecordId: idOf(first) })).status).toBe(200);
    }
  });

  it.each(bindings)("inputs of $operation.id over $transport with each field wrong", async (binding) => {
    const { id, input: schema, example } = binding.operation;
    const base = id === "kyc.submit" ? marks.submission() : example.input;
    const wrong = wrongInputs({ schema, input: base as object, mark: marks.next, isText: binding.isText });
    for (const [name, input] of wrong) {
      const { path, ...request } = binding.request(input as Record<string, unknown>);
      const key = binding.operation.scopes.includes("admin") ? cluster.keys.admin : cluster.keys.first;
      expect([name, await call(`${id}, ${name}`, { path, ...request }, { key })]).toEqual([name, 400]);
    }
  });

  it("files that are uploaded, read and missing", async () => {
    const file = new File([sampleImage], `${marks.next()}.jpg`);
    const taken = await ask("files.upload", "REST", { purpose: "selfie", file });
    expect(taken.status).toBe(201);
    const { url } = JSON.parse(taken.body);
    const { pathname } = new URL(url);
    const read = (path: string) => call("a file", { path, method: "GET", headers: {} }, {});
    expect(await read(pathname)).toBe(200);
    expect(await read(`/files/${marks.next()}`)).toBe(400);
    expect(await read(`/files/file_${"0".repeat(26)}`)).toBe(404);
    expect(await read(`${pathname}?expires=1&signature=${marks.next()}`)).toBe(401);
    expect(await read(`/files/uploads/${marks.next()}`)).toBe(405);
  });

  it.each(queries)("names of nobody, asked of $operation.id over $transport", async (binding) => {
    const own = await submitted();
    for (const { field, others } of questionsOf(binding.operation)) {
      const beside = Object.fromEntries(others.map((name) => [name, nameOf(own, name)]));
      const input = inputOf(binding.operation, { ...beside, [field]: anyName(field, marks.next()) });
      const { status } = await ask(binding.operation.id, binding.transport, input);
      expect([field, status]).toEqual([field, 404]);
    }
  });

  it.each(submitPaths)("invalid bodies to %s", async (path) => {
    const text = JSON.stringify(marks.submission());
    const post = (body: string, headers: Record<string, string> = json) =>
      call("a body that is none", { method: "POST", path, headers, body });
    for (const body of [text.slice(0, -1), text.replace(":", marks.next()), `"${marks.next()}"`, `[${text}]`])
      expect(await post(body)).toBe(400);
    expect(await post(`${text}${marks.next()}`)).toBe(400);
    expect(await post(`{"a":"\n    at ${marks.next()}"`)).toBe(400);
    expect(await post(text, { "content-type": `text/${marks.next()}` })).toBe(415);
    expect(await post(text, { ...json, "content-encoding": marks.next() })).toBe(415);
    expect(await post(JSON.stringify({ text, more: marks.next().repeat(5_000) }))).toBe(413);
    expect(await post(text, { ...json, "idempotency-key": `${marks.next()} ${marks.next()}` })).toBe(400);
  });

  it("unknown and invalid targets", async () => {
    const mark = marks.next();
    const path = (text: string) => text.replaceAll("MARK", mark);
    const found: [Call, number][] = [
      [{ path: path("/MARK?MARK=MARK") }, 404],
      [{ path: path("/openapi/v1/MARK/MARK@example.com") }, 404],
      [{ path: path("/openapi/v1/users/kyc/MARK/MARK") }, 404],
      [{ path: path("/trpc/MARK") }, 404],
      [{ path: path("/trpc/MARK?input=MARK") }, 400],
      [{ path: path("/trpc/cards.list?input=MARK") }, 400],
      [{ path: path("/trpc/cards.list?batch=1&MARK=MARK") }, 400],
      [
        { path: path("/trpc/cards.list,MARK?batch=1&input=%7B%220%22:%7B%22memberId%22:%22MARK%22%7D%7D") },
        404,
      ],
      [{ path: path(`/trpc/MARK${",MARK".repeat(20)}?batch=1`) }, 400],
      [{ path: path("/trpc/MARK,MARK?batch=1&input=%22MARK%22") }, 400],
      [{ path: path("/trpc/cards.list?connectionParams=MARK") }, 400],
      [{ path: path("/trpc/MARK%E0%A4%A?MARK") }, 400],
      [{ path: path("/openapi/v1/cards/list?memberId=MARK%E0%A4%A") }, 400],
      [{ path: path("/openapi/v1/cards/list?memberId=MARK&memberId=MARK") }, 400],
      [{ path: path("/openapi/v1/cards/list?memberId=MARK&email=MARK@example.com") }, 400],
      [{ path: path("/openapi/v1/cards/list?memberId=MARK&MARK=MARK") }, 400],
      [{ path: path("/trpc/cards.list?input=%7B%22memberId%22:%22MARK%22,%22MARK%22:%22MARK%22%7D") }, 400],
      [{ path: path("/openapi/v1/cards/list?memberId=MARK"), method: "DELETE" }, 405],
      [{ path: path("/openapi/v1/users/kyc/MARK"), method: "PUT", body: mark }, 405],
      [{ path: path("/trpc/kyc.submit?input=MARK") }, 405],
      [{ path: path(`/openapi/v1/cards/list?memberId=${"MARK".repeat(600)}`) }, 414],
      [{ path: path(`/trpc/cards.list?input=${"MARK".repeat(600)}`) }, 414],
      [{ path: path("/docs/MARK") }, 404],
      [{ path: path("/health/MARK") }, 404],
    ];
    for (const [request, status] of found)
      expect([request, await call("a target", request)]).toEqual([request, status]);
  });

  it("invalid HTTP", async () => {
    const mark = marks.next();
    const end = "host: a\r\nconnection: close\r\n\r\n";
    const raw: [string, number][] = [
      [`${mark}\r\n\r\n`, 400],
      [`GET /${mark} HTTP/1.1\r\nbad header ${mark}\r\n\r\n`, 400],
      [`GET /${mark} HTTP/1.1\r\nhost: ${mark}@${mark}\r\nconnection: close\r\n\r\n`, 400],
      [`GET http://${mark}:${mark}@x/ HTTP/1.1\r\n${end}`, 400],
      [`GET /${mark} HTTP/1.1\r\nexpect: ${mark}\r\n${end}`, 400],
      [`CONNECT ${mark}:443 HTTP/1.1\r\n${end}`, 405],
      [`GET /health/live HTTP/1.1\r\nx-${mark}: ${mark.repeat(1_200)}\r\n${end}`, 431],
      [`GET /health/live HTTP/1.1\r\nx-${mark}: ${mark.repeat(9_000)}\r\n${end}`, 431],
    ];
    for (const [bytes, status] of raw)
      expect([bytes, (await client.raw("no HTTP", well.url, bytes)).status]).toEqual([bytes, status]);
  });

  it("invalid keys, and a key without a scope", async () => {
    const values = [
      marks.next(),
      `Bearer ${marks.next()}`,
      `Basic ${btoa(marks.next())}`,
      `Bearer cb_live_${marks.next()}`,
    ];
    for (const authorization of values) {
      const headers = { authorization };
      for (const binding of bindings) {
        const { id, example } = binding.operation;
        const input = id === "kyc.submit" ? marks.submission() : example.input;
        expect((await ask(id, binding.transport, input as object, { headers })).status).toBe(401);
      }
    }
    for (const { operation, transport } of bindings) {
      const input = operation.id === "kyc.submit" ? marks.submission() : operation.example.input;
      const { status } = await ask(operation.id, transport, input as object, { key: cluster.keys.second });
      expect([operation.id, status]).toEqual([operation.id, 403]);
    }
    for (const { operation, transport } of queries) {
      const sent = { key: cluster.keys.second };
      const { status } = await ask(operation.id, transport, { memberId: marks.next() }, sent);
      expect([operation.id, transport, status]).toEqual([operation.id, transport, 403]);
    }
  });

  it("submissions that conflict", async () => {
    const [first, second] = [marks.submission(), marks.submission("refused")];
    const headers = { "idempotency-key": marks.next() };
    expect((await ask("kyc.submit", "REST", first, { headers })).status).toBe(200);
    expect(await askBoth("kyc.submit", () => ({ ...first, occupation: marks.next() }))).toEqual([409, 409]);
    expect(await askBoth("kyc.submit", () => ({ ...first, memberId: marks.next() }))).toEqual([409, 409]);
    expect(await askBoth("kyc.submit", () => marks.submission(), { headers })).toEqual([422, 422]);
    expect(await askBoth("kyc.submit", () => second)).toEqual([422, 422]);
    // A user with a requested erasure cannot submit again.
    await cluster.query("update users set erase_requested_at = now()");
    expect(await askBoth("kyc.submit", () => ({ ...second, name: marks.next() }))).toEqual([409, 409]);
    await cluster.query("update users set erase_requested_at = null");
  });

  it("missing and conflicting platforms and keys", async () => {
    // A platform's id is not personal data: statements contain it.
    const [theirs, header] = ["plt_nobody", "x-cardbridge-platform"];
    const lists = (key: string) =>
      askBoth("cards.list", () => ({ memberId: marks.next() }), { key, headers: { [header]: theirs } });
    expect(await lists(cluster.keys.first)).toEqual([403, 403]);
    expect(await lists(cluster.keys.admin)).toEqual([404, 404]);
    const key = cluster.keys.admin;
    const order = { platformId: "plt_first", name: "twice", scopes: ["cards:read"] };
    const create = async () => (await ask("keys.create", "tRPC", order, { key })).status;
    expect([await create(), await create()]).toEqual([200, 409]);
    expect((await ask("keys.revoke", "tRPC", { keyId: marks.next() }, { key })).status).toBe(404);
  });

  it("webhook endpoints up to their limit, and missing deliveries", async () => {
    const endpoint = { url: "https://hooks.example.com/", eventTypes: ["kyc.updated"] };
    const created = await ask("webhooks.create", "REST", endpoint);
    const { endpointId } = JSON.parse(created.body);
    for (let count = 1; count < maxWebhookEndpoints; count += 1)
      await ask("webhooks.create", "REST", endpoint);
    expect(await askBoth("webhooks.create", () => endpoint)).toEqual([409, 409]);
    expect(await askBoth("webhooks.test", () => ({ endpointId: marks.next() }))).toEqual([404, 404]);
    expect(await askBoth("webhooks.redeliver", () => ({ endpointId, deliveryId: marks.next() }))).toEqual([
      404, 404,
    ]);
    expect(await askBoth("webhooks.test", () => ({ endpointId }))).toEqual([200, 200]);
  });

  it("a settled record", async () => {
    const key = cluster.keys.admin;
    const { kycRecordId } = await submitted();
    const input = { kycRecordId, decision: { outcome: "refused" } };
    expect((await ask("records.settle", "tRPC", input, { key })).status).toBe(409);
  });

  it("cross-origin calls, and calls beyond the rate limit", async () => {
    const headers = { origin: `https://${marks.next()}.example.com`, "sec-fetch-site": "cross-site" };
    expect((await ask("kyc.submit", "tRPC", marks.submission(), { headers })).status).toBe(403);
    const service = await start({ env: { RATE_LIMIT_READS: "1/600" } });
    const list = () => askBoth("cards.list", () => ({ memberId: marks.next() }), { service });
    expect((await list()).at(-1)).toBe(429);
  });

  it("unexpected errors", async () => {
    for (const transport of both) {
      const service = await start({ failPoint: "claim.before:error" });
      expect((await ask("kyc.submit", transport, marks.submission(), { service })).status).toBe(500);
    }
  });

  it.each(both)("a database that goes away, over %s", async (transport) => {
    failing.database.down();
    expect((await ask("kyc.submit", transport, marks.submission(), { service: failing })).status).toBe(503);
    for (const { operation } of queries.filter((binding) => binding.transport === transport)) {
      for (const { field, others } of questionsOf(operation)) {
        const values = [field, ...others].map((name) => [name, anyName(name, marks.next())]);
        const input = inputOf(operation, Object.fromEntries(values));
        const { status } = await ask(operation.id, transport, input, { service: failing });
        expect([operation.id, field, status]).toEqual([operation.id, field, 503]);
      }
    }
    failing.database.up();
  });

  it("a provider that quotes the request", async () => {
    for (const [index, answer] of quotes.entries()) {
      for (const [transport, accepted] of [
        ["REST", 202],
        ["tRPC", 200],
      ] as const) {
        const submission = marks.submission();
        const fault = { effect: false, answer: answer(JSON.stringify(submission)) };
        quoting.provider.plan(submission.email, { put: [fault], ask: [fault, fault] });
        const { status } = await ask("kyc.submit", transport, submission, { service: quoting });
        expect([index, status]).toEqual([index, index === 0 ? 422 : accepted]);
      }
    }
    // The worker gets the same reply when it asks.
    await expect
      .poll(
        () => quoting.provider.seen.some(({ method, reference }) => method === "GET" && reference !== ""),
        {
          timeout: 60_000,
        },
      )
      .toBe(true);
  });

  it("a provider with unknown raw values", async () => {
    const submission = marks.submission();
    const answer = ({ reference, body }: QuotedCall) => {
      const { userReference } = JSON.parse(body);
      const said = { status: words.next(), cardAccountId: words.next(), revision: 1 };
      return http(200, JSON.stringify({ reference, userReference, ...said }));
    };
    well.provider.plan(submission.email, { put: [{ effect: false, answer }] });
    const { status, body } = await ask("kyc.submit", "REST", submission);
    expect(status).toBe(200);
    expect(words.findIn(body)).not.toEqual([]);
    await expect.poll(well.output).toContain("provider_sub_status_unmapped");
  });

  it("a failing provider for card lists", async () => {
    const { memberId } = await submitted();
    const listing = async (answer: Parameters<typeof http> | "never", service = well) => {
      const given = answer === "never" ? answer : http(...answer);
      service.provider.plan("cards", { ask: Array(6).fill({ effect: false, answer: given }) });
      return askBoth("cards.list", () => ({ memberId }), { service });
    };
    const quote = JSON.stringify({
      error: { code: marks.next(), message: marks.next() },
      items: [marks.next()],
    });
    expect(await listing([200, quote])).toEqual([502, 502]);
    expect(await listing([400, quote])).toEqual([502, 502]);
    expect(await listing([302, quote, { location: `https://${marks.next()}/` }])).toEqual([502, 502]);
    expect(await listing([429, quote, { "retry-after": marks.next() }])).toEqual([503, 503]);
    expect(await listing([401, quote, { "www-authenticate": marks.next() }])).toEqual([503, 503]);
    const impatient = await start({ env: { PROVIDER_READ_TIMEOUT_MS: "500" } });
    expect(await listing("never", impatient)).toEqual([504, 504]);
    well.provider.clear();
    failing.provider.down();
    expect(await askBoth("cards.list", () => ({ memberId }), { service: failing })).toEqual([503, 503]);
    expect(await askBoth("kyc.submit", () => marks.submission(), { service: failing })).toEqual([202, 200]);
    failing.provider.up();
  });

  it("events with valid and invalid signatures", async () => {
    const { kycRecordId, userReference } = await submitted();
    const known = { reference: kycRecordId, userReference, status: "approved", revision: 9 };
    const send = async (body: string, headers: Record<string, string> = signedHeaders(body)) =>
      (await client.call("an event", well.url, { path: "/provider/events", method: "POST", headers, body }))
        .status;
    const update = (data: object) => JSON.stringify({ type: "kyc.updated", data });
    expect(await send(update(marks.submission()), json)).toBe(401);
    expect(
      await send(update(known), {
        ...signedHeaders(update(known)),
        "webhook-signature": `v1,${marks.next()}`,
      }),
    ).toBe(401);
    expect(await send(update(marks.submission()))).toBe(400);
    expect(await send(`${marks.next()}{`)).toBe(400);
    expect(await send(update({ ...known, reference: marks.next() }))).toBe(404);
    expect(await send(update({ ...known, userReference: marks.next() }))).toBe(404);
    expect(await send(JSON.stringify({ type: marks.next(), data: marks.submission() }))).toBe(204);
    expect(await send(update({ ...known, applicant: marks.submission() }))).toBe(204);
    const card = { ...marks.submission(), cardId: "card_1", userReference, status: "locked" };
    expect(await send(JSON.stringify({ type: "card.updated", data: card }))).toBe(204);
    expect(await send(marks.next().repeat(5_000))).toBe(413);
  });

  it("a submission whose process is killed, and one whose caller disconnects", async () => {
    for (const point of ["submitKyc.before", "storeVerdict.before"] as const) {
      const victim = await start({ failPoint: `${point}:kill` });
      const lost = ask("kyc.submit", "REST", marks.submission(), { service: victim });
      await expect(lost).rejects.toThrow();
      expect(
        victim.child.signalCode ??
          (await new Promise((end) => victim.child.once("exit", (_, by) => end(by)))),
      ).toBe("SIGKILL");
    }
    const body = JSON.stringify(marks.submission());
    const headers = {
      ...json,
      host: "a",
      connection: "close",
      authorization: `Bearer ${cluster.keys.first}`,
      "content-length": `${body.length}`,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const cut = `POST /openapi/v1/users/kyc HTTP/1.1\r\n${lines.join("")}\r\n${body.slice(0, 200)}`;
    await client.raw("a body that breaks off", well.url, `${cut}`.replace(/\d+(?=\r\n\r\n)/, "200"));
  });
});

/** Inspects the processes during a submission. */
async function look(): Promise<void> {
  processes.push(await readProcesses(cluster.services.map(({ child }) => child.pid)));
}

/** The name that a submission's user goes by; any other, where it says none. */
const nameOf = (own: object, name: string): string => Reflect.get(own, name) ?? anyName(name, marks.next());

async function submitted(): Promise<Submission & { kycRecordId: string; userReference: string }> {
  const submission = marks.submission();
  const answer = await ask("kyc.submit", "REST", submission);
  expect(answer.status).toBe(200);
  const userReference = /usr_[0-9a-z]+/.exec(answer.body)?.[0] ?? "";
  return { ...submission, kycRecordId: idOf(answer), userReference };
}

/** Answers of a provider that quote the submission. Only the first is the documented refusal. */
const quotes: ((quote: string) => (call: QuotedCall) => ReturnType<typeof http>)[] = [
  (quote) => (call) => http(422, refusal(call, quote), quoted()),
  (quote) => (call) => http(422, refusal(call, quote).replace("kyc_refused", marks.next()), quoted()),
  (quote) => (call) => http(200, refusal(call, quote)),
  ...[200, 400, 401, 403, 404, 409, 429, 500, 503].map(
    (status) => (quote: string) => () => http(status, quote, quoted()),
  ),
  (quote) => () => http(200, `<html>${quote}`),
  (quote) => () => http(307, quote, { location: `https://${marks.next()}/` }),
  (quote) => () => http(200, quote, { "content-encoding": marks.next() }),
  (quote) => () => ({ bytes: `HTTP/1.1 ${quote}\r\n\r\n` }),
  (quote) => () => ({ bytes: quote }),
];

function refusal({ reference, body }: QuotedCall, quote: string): string {
  const { userReference } = JSON.parse(body || "{}");
  const reasons = [{ code: quote, field: quote, quote }, { code: "name_mismatch", field: quote }, quote];
  const error = { code: "kyc_refused", message: quote };
  return JSON.stringify({ reference, userReference, reasons, error, quote });
}

const quoted = () => ({ "x-quote": marks.next(), "retry-after": marks.next() });

const findAllIn = (text: string) => [...marks.findIn(text), ...words.findIn(text)];

describe("no mark is in", () => {
  it("error bodies and response headers, and every error occurred", () => {
    const met = new Set<string>();
    for (const { what, status, headers, body } of client.answers) {
      expect([what, marks.findIn(headers)]).toEqual([what, []]);
      // A card shows the provider's name on it.
      const shown = status < 300 ? body.replace(/"nameOnCard":"[^"]*"/g, "") : body;
      expect([what, marks.findIn(shown)]).toEqual([what, []]);
      for (const [, code = ""] of body.matchAll(/"code":"([A-Z_]+)"/g)) met.add(code);
    }
    // Separate tests cover slow callers, quotas, full disks and providers that do not count.
    const elsewhere = ["REQUEST_TIMEOUT", "FILE_QUOTA_EXCEEDED", "STORAGE_FULL", "CARD_LIST_TOO_LONG"];
    const expected = Object.keys(errorMapping).filter((code) => !elsewhere.includes(code));
    const unmet = expected.filter((code) => !met.has(code));
    expect(unmet, "Provoke each of these errors in a test above, with marks in the request.").toEqual([]);
  });

  it("the logs", async () => {
    for (const service of cluster.services) {
      expect(service.output()).toContain("cardbridge is ready");
      expect(findAllIn(service.output())).toEqual([]);
    }
    expect(well.output()).toContain('"msg":"request"');
  });

  it("the metrics", async () => {
    // Killed processes have no metrics.
    const answers = await Promise.allSettled(metricsUrls.map((url) => fetch(url)));
    const living = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    const text = (await Promise.all(living.map((answer) => answer.text()))).join("\n");
    // Each metric has all its series from the start, so only a count shows that it was observed.
    for (const name of ["kyc_attempts", "provider_answers_unreadable", "provider_answers_foreign"])
      expect(text).toMatch(new RegExp(`^cardbridge_${name}_total\\{[^}]*\\} [1-9]`, "m"));
    expect(findAllIn(text)).toEqual([]);
  });

  it("the traces", async () => {
    const names = () => new Set(traces.spans().map(({ name }) => name));
    for (const name of ["kyc.submit", "kyc_claim_new_user", "provider.submitKyc", "kyc.attempt"])
      await until(() => names().has(name));
    expect(findAllIn(traces.text())).toEqual([]);
  });

  it("the processes' command lines and environments", async () => {
    await look();
    expect(processes.length).toBeGreaterThan(2);
    for (const text of processes) {
      expect(text).toContain("dist/main.js");
      expect(marks.findIn(text)).toEqual([]);
    }
  });

  it("the database: its tables, its log and the statements of its connections", async () => {
    const columns = await readColumns(cluster);
    expect(columns.get("kyc_records.id")).toContain("kyc_");
    const found = [...columns].filter(([, text]) => marks.findIn(text).length > 0);
    expect(found.map(([column]) => column).sort()).toEqual([...knownPlaintext].sort());
    const said = await readDatabaseWords(cluster);
    expect(said).toContain('insert into "kyc_records"');
    expect(marks.findIn(said)).toEqual([]);
  });
});

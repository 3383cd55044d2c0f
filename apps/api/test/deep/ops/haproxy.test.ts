import { once } from "node:events";
import tls from "node:tls";
import { defaultPolicies, type ErrorCode, Failure } from "@cardbridge/domain";
import { createOperations } from "@cardbridge/service";
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, beforeEach, expect, inject, it } from "vitest";
import { toProblem } from "../../../src/http/errors/problem.ts";
import { toTrpcShape } from "../../../src/http/errors/trpc-shape.ts";
import { createRouter } from "../../../src/trpc/router.ts";
import { samplePdf } from "../../support/samples.ts";
import { openStream } from "../../trpc/open-stream.ts";
import { type Cluster, startCluster } from "../faults/cluster/cluster.ts";
import type { Service } from "../faults/cluster/service.ts";
import { reasonNotToRun } from "../machines/programs.ts";
import { startHaproxy } from "./haproxy.ts";
import { opsFile } from "./ops-files.ts";

/** The shipped file of HAProxy, in front of real processes. */
const reason = reasonNotToRun(["haproxy"]);
let cluster: Cluster;
let services: Service[];
beforeAll(async () => {
  if (reason !== undefined) return;
  cluster = await startCluster(inject("postgres"), Math.random);
  services = [await cluster.startService(), await cluster.startService()];
});
afterAll(() => cluster?.close());
beforeEach(({ skip }) => skip(reason !== undefined, reason));

const list = "/openapi/v1/cards/list?memberId=erin";
const submission = "/openapi/v1/users/kyc";
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const statusOf = async (url: string, key = cluster.keys.first) => {
  const response = await fetch(url, { headers: bearer(key) });
  await response.arrayBuffer();
  return response.status;
};

interface Documented {
  headers: Record<string, { required?: boolean }>;
  content: Record<string, { schema: object }>;
}
interface Document {
  paths: Record<string, Record<string, { responses: Record<number, Documented> }>>;
}

/** Whether the service's document accepts a response of an operation, by its body and its required headers. */
async function expectDocumented(url: string, operation: [path: string, method: string], response: Response) {
  const document = (await (await fetch(`${url}/openapi/v1/openapi.json`)).json()) as Document;
  const [path, method] = operation;
  const { headers = {}, content = {} } = document.paths[path]?.[method]?.responses[response.status] ?? {};
  for (const [name, { required }] of Object.entries(headers))
    if (required) expect([name, response.headers.get(name)]).toEqual([name, expect.any(String)]);
  const [type, { schema = {} } = {}] = Object.entries(content)[0] ?? [];
  expect(response.headers.get("content-type")).toBe(type);
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema({ ...document, $id: "doc" });
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replace('"#', '"doc#')));
  expect(validate(await response.clone().json()), JSON.stringify(validate.errors)).toBe(true);
}

it.each([
  ["RATE_LIMITED", 429],
  ["SERVICE_UNAVAILABLE", 503],
] as const)("%s has the service's own body in each transport", async (code, status) => {
  const { url, command } = await startHaproxy(services, { KEY_CALLS: status === 429 ? "0" : "100" });
  for (const name of ["api1", "api2"]) await command(`set server api/${name} state drain`);
  for (const [path, ofKyc] of [
    [list, false],
    [`${submission}?memberId=erin`, true],
    ["/trpc/cards.list?input=%7B%7D", false],
    ["/trpc/cards.list,kyc.get?batch=1", true],
  ] as const) {
    const response = await fetch(url + path, { headers: bearer(cluster.keys.first) });
    expect([path, response.status, response.headers.get("retry-after")]).toEqual([path, status, "1"]);
    expectOurs(await response.json(), code, { path, ofKyc, id: response.headers.get("x-request-id") });
  }
});

it("a slow body gets the service's own 408", async () => {
  const { url } = await startHaproxy(services);
  const send = async (path: string, ofKyc: boolean) => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("{")) });
    const headers = { ...bearer(cluster.keys.first), "content-type": "application/json" };
    const init: RequestInit & { duplex: string } = { method: "POST", headers, body, duplex: "half" };
    const response = await fetch(url + path, init);
    expect(response.status).toBe(408);
    const id = response.headers.get("x-request-id");
    expectOurs(await response.json(), "REQUEST_TIMEOUT", { path, ofKyc, id });
  };
  await Promise.all([send(submission, true), send("/trpc/cards.list", false)]);
});

/** A body that the service itself would have rendered. */
function expectOurs(
  body: unknown,
  code: ErrorCode,
  call: { path: string; ofKyc: boolean; id: string | null },
) {
  expect(call.id).toMatch(/^req_[0-9a-f]{26}$/);
  const options = { requestId: call.id ?? "", style: "parameter", ofKyc: call.ofKyc } as const;
  const failure = new Failure(code);
  const isTrpc = call.path.startsWith("/trpc");
  expect(body).toEqual(isTrpc ? { error: toTrpcShape(failure, options) } : toProblem(failure, options));
}

it("a key beyond its rate gets 429 that the document accepts, however it is written, and another key does not", async () => {
  const { url } = await startHaproxy(services, { KEY_CALLS: "3" });
  const { first, second } = cluster.keys;
  for (let calls = 0; calls < 3; calls += 1) expect(await statusOf(url + list, first)).not.toBe(429);
  const refused = await fetch(url + list, { headers: { authorization: `bearer   ${first}` } });
  expect(refused.status).toBe(429);
  await expectDocumented(url, ["/openapi/v1/cards/list", "get"], refused);
  expect(await statusOf(url + list, second)).not.toBe(429);
});

it("each person of an internal app has a rate of its own, and a platform cannot invent persons", async () => {
  const { url } = await startHaproxy(services, { KEY_CALLS: "1" });
  const call = async (key: string, person: string) => {
    const headers = { ...bearer(key), "x-cardbridge-person": person };
    return (await fetch(url + list, { headers })).status;
  };
  const { admin, first } = cluster.keys;
  expect([await call(admin, "one"), await call(admin, "two"), await call(admin, "one")]).toEqual([
    401, 401, 429,
  ]);
  expect([await call(first, "one"), await call(first, "two")]).toEqual([401, 429]);
});

it("a key has only some calls at once", async () => {
  const { url } = await startHaproxy(services, { KEY_AT_ONCE: "1" });
  const { answer, sent } = await hold(url);
  expect([await statusOf(url + list), await statusOf(url + list, cluster.keys.second)]).toEqual([429, 404]);
  answer();
  expect((await sent).status).toBe(200);
});

/** Submits a user to a provider that answers after `answer`. Returns when the provider has the submission. */
async function hold(url: string) {
  const held = Promise.withResolvers<void>();
  const one = cluster.newSubmission();
  const reached = Promise.withResolvers<void>();
  const before = () => {
    reached.resolve();
    return held.promise;
  };
  for (const { provider } of services)
    provider.plan(one.email, { put: [{ effect: true, before, answer: "pass" }] });
  const sent = cluster.submit({ url }, one);
  await reached.promise;
  return { answer: held.resolve, sent };
}

it("a call beyond the places of the processes gets 503 that the document accepts, after a short wait", async () => {
  const { url } = await startHaproxy(services.slice(0, 1), { API_AT_ONCE: "1" });
  const { answer, sent } = await hold(url);
  const headers = { ...bearer(cluster.keys.second), "content-type": "application/json" };
  const refused = await fetch(url + submission, { method: "POST", headers, body: "{}" });
  expect(refused.status).toBe(503);
  answer();
  expect((await sent).status).toBe(200);
  await expectDocumented(url, [submission, "post"], refused);
});

it("a place that becomes free goes to the key with the fewest calls, although others wait longer", async () => {
  const { url, command } = await startHaproxy(services.slice(0, 1), { API_AT_ONCE: "1", API_QUEUE: "60s" });
  const { answer, sent } = await hold(url);
  const order: string[] = [];
  const { first, second } = cluster.keys;
  const calls = [first, first, second].map(async (key, index) => {
    await expect.poll(() => waiting(command)).toBe(index);
    await statusOf(url + list, key);
    order.push(key);
  });
  await expect.poll(() => waiting(command)).toBe(calls.length);
  answer();
  await Promise.all([sent, ...calls]);
  expect(order).toEqual([second, first, first]);
});

/** The calls that wait for a process. */
async function waiting(command: (line: string) => Promise<string>): Promise<number> {
  return Number(/^api,BACKEND,(\d+),/m.exec(await command("show stat"))?.[1]);
}

it("subscriptions, uploads and slow bodies take no place in a process", async () => {
  const { url, port } = await startHaproxy(services.slice(0, 1), { API_AT_ONCE: "1" });
  const slow = tls.connect({ port, host: "127.0.0.1" });
  const upload = tls.connect({ port, host: "127.0.0.1" });
  const head = (path: string, type: string, length: number) =>
    `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${cluster.keys.first}\r\ncontent-type: ${type}\r\n` +
    `connection: close\r\ncontent-length: ${length}\r\n\r\n`;
  slow.write(`${head(submission, "application/json", 1_000)}{`);
  const form = `--b\r\ncontent-disposition: form-data; name="purpose"\r\n\r\nsupporting_document\r\n--b\r\ncontent-disposition: form-data; name="file"; filename="x.pdf"\r\n\r\n`;
  const rest = Buffer.concat([samplePdf, Buffer.from("\r\n--b--\r\n")]);
  upload.write(
    head("/openapi/v1/files", "multipart/form-data; boundary=b", form.length + rest.length) + form,
  );
  const stream = await openStream(`${url}/trpc/kyc.changes`, bearer(cluster.keys.first));
  expect(stream.response.status).toBe(200);
  await stream.messages(1);
  const { status, body } = await cluster.submit({ url }, cluster.newSubmission());
  expect(status).toBe(200);
  const [change] = await stream.messages(1);
  expect(JSON.stringify(change?.data)).toContain(body.kycRecordId);
  upload.write(rest);
  const [answer] = await once(upload.setEncoding("utf8"), "data");
  expect(answer).toMatch(/^HTTP\/1\.1 201 /);
  slow.destroy();
  stream.leave();
});

it("a process that stops leaves without a failed call, and its calls end", async () => {
  const stopping = await cluster.startService({ env: { SHUTDOWN_DELAY_MS: "5000" } });
  const [staying] = services as [Service];
  const { url, command } = await startHaproxy([stopping, staying]);
  let isOver = false;
  const callers = Array.from({ length: 4 }, async () => {
    const statuses = new Set<number | undefined>();
    while (!isOver) statuses.add((await cluster.submit({ url }, cluster.newSubmission())).status);
    return [...statuses];
  });
  const ended = stopping.end("SIGTERM");
  await expect.poll(() => command("show servers state api")).toMatch(/ api1 \S+ 0 /);
  expect(stopping.child.exitCode).toBeNull();
  expect(await ended).toBe(0);
  await cluster.submit({ url }, cluster.newSubmission());
  isOver = true;
  expect(await Promise.all(callers)).toEqual(callers.map(() => [200]));
});

it("its log and its table have no key, query, credential of an upload, or path of a person", async () => {
  const { url, output, command } = await startHaproxy(services, { KEY_CALLS: "5" });
  const paths = [list, "/files/uploads/token_1", "/openapi/v1/users/erin@example.com", "/erin@example.com"];
  for (const path of paths) await statusOf(url + path);
  const table = await command("show table callers");
  expect(table).toMatch(/key=[0-9A-F]{64} /);
  await expect.poll(() => output().match(/"requestId":"req_\w{26}"/g)?.length).toBe(paths.length);
  expect(output() + table).not.toMatch(/erin|token_1|127\.0\.0\.1:\d+ \[/);
  const start = cluster.keys.first.slice(0, 20);
  for (const text of [start, Buffer.from(start).toString("hex").toUpperCase()])
    expect(output() + table).not.toContain(text);
});

it("names every subscription and every operation of files as one without a queue", () => {
  const pattern = new RegExp(/acl long path_reg (\S+)/.exec(opsFile("haproxy/haproxy.cfg"))?.[1] ?? "^$");
  const router: AnyTRPCRouter = createRouter(createOperations(defaultPolicies));
  const procedures = Object.entries(router._def.procedures as Record<string, AnyTRPCProcedure>);
  const subscriptions = procedures
    .filter(([, { _def }]) => _def.type === "subscription")
    .map(([name]) => name);
  expect(subscriptions.length).toBeGreaterThan(1);
  const shown = procedures.map(([name]) => name).filter((name) => pattern.test(`/trpc/${name}`));
  expect(shown.sort()).toEqual([...subscriptions, "records.submissionFile", "users.exportPart"].sort());
});

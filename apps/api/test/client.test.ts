import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { demoKeys } from "../src/api-keys/demo-keys.ts";
import {
  type AppRouter,
  type Card,
  createClient,
  type KycResult,
  type Problem,
  problemOf,
  type RouterInputs,
  type RouterOutputs,
  responseInfo,
} from "../src/client.ts";
import { newSubmission, startWorld } from "./support/world.ts";

let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const client = (url = world.url, apiKey: string = demoKeys.first) => createClient({ url, apiKey });
const errorOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
const requests = () => world.lines.filter((line) => line.includes('"route":"/trpc/')).length;

it("lists and submits with types, from one import", async () => {
  const page = await client(`${world.url}/`).cards.list.query({ memberId: "alice" });
  expectTypeOf(page.items[0]?.last4).toEqualTypeOf<string | null | undefined>();
  expect(page.total).toBe(4);

  const result = await client().kyc.submit.mutate({ ...newSubmission(), gender: "female" });
  expectTypeOf(result.status).toEqualTypeOf<
    "PENDING" | "PENDING_APPROVAL" | "APPROVED" | "REJECTED" | null
  >();
  expect(result).toMatchObject({ success: true, status: "APPROVED" });
});

it("gives an error's problem with its type", async () => {
  const unnamed: object = {};
  const error = await errorOf(client().cards.list.query(unnamed as RouterInputs["cards"]["list"]));
  const problem = problemOf(error);
  expectTypeOf(problem).toEqualTypeOf<Problem | undefined>();
  expect(problem).toMatchObject({ code: "INVALID_INPUT", errors: [{ rule: "exactly-one-identifier" }] });

  const refused = client(world.url, "cb_test_wrong");
  expect(problemOf(await errorOf(refused.cards.list.query({ memberId: "a" })))).toMatchObject({
    code: "UNAUTHENTICATED",
  });
  expect(problemOf(new Error("elsewhere"))).toBeUndefined();
});

describe("how calls travel", () => {
  it("asks queries together, each with its own end", async () => {
    const { cards } = client();
    const before = requests();
    const [alice, nobody, again] = await Promise.allSettled([
      cards.list.query({ memberId: "alice" }),
      cards.list.query({ memberId: "nobody" }),
      cards.list.query({ memberId: "alice", status: "active" }),
    ]);
    expect(requests() - before).toBe(1);
    expect([alice.status, nobody.status, again.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
    const reason = nobody.status === "rejected" ? nobody.reason : undefined;
    expect(problemOf(reason)).toMatchObject({ code: "USER_NOT_FOUND" });
  });

  it("asks more queries than a request may hold, or than its address may be long, in several", async () => {
    const { cards } = client();
    const many = (count: number, memberId: string) =>
      Promise.allSettled(Array.from({ length: count }, () => cards.list.query({ memberId })));
    const before = requests();
    expect((await many(21, "alice")).map(({ status }) => status)).not.toContain("rejected");
    expect(requests() - before).toBe(2);
    const long = await many(20, "\u4e00".repeat(64));
    const codes = long.map((end) => (end.status === "rejected" ? problemOf(end.reason)?.code : "fulfilled"));
    expect(new Set(codes)).toEqual(new Set(["USER_NOT_FOUND"]));
    expect(requests() - before).toBeGreaterThan(4);
  });

  it("sends mutations alone, each with its own Idempotency-Key", async () => {
    const { kyc } = client();
    const before = requests();
    const context = { idempotencyKey: `key-${Math.random()}` };
    const [keyed] = await Promise.all([
      kyc.submit.mutate(newSubmission(), { context }),
      kyc.submit.mutate(newSubmission()),
    ]);
    expect(requests() - before).toBe(2);
    const other = await errorOf(kyc.submit.mutate(newSubmission(), { context }));
    expect(problemOf(other)).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED" });
    expect(keyed.code).toBe("KYC_SUBMITTED");
  });

  it("takes no Idempotency-Key that is no text, nor for what takes none", async () => {
    const number = await errorOf(
      client().kyc.submit.mutate(newSubmission(), { context: { idempotencyKey: 1 } }),
    );
    expect((number as Error).message).toBe("An idempotencyKey is a string.");
    const upload = client().files.createUploadUrl.mutate(
      { purpose: "selfie" },
      { context: { idempotencyKey: "a" } },
    );
    expect(problemOf(await errorOf(upload))).toMatchObject({
      errors: [{ rule: "idempotency-key-not-taken" }],
    });
  });
});

describe("what an answer's headers said", () => {
  it("tells whether a submission was a replay, and which request it was", async () => {
    const submission = newSubmission();
    const first = await client().kyc.submit.mutate(submission);
    const again = await client().kyc.submit.mutate(submission);
    expect(again).toEqual(first);
    expect(responseInfo(first)).toEqual({ requestId: expect.stringMatching(/^req_/), replayed: false });
    expect(responseInfo(again)).toEqual({ requestId: expect.stringMatching(/^req_/), replayed: true });
    expect(responseInfo(again)?.requestId).not.toBe(responseInfo(first)?.requestId);
  });

  it("tells the same of a refusal", async () => {
    const submission = newSubmission("refused");
    const ends = [];
    for (let i = 0; i < 2; i += 1) ends.push(await errorOf(client().kyc.submit.mutate(submission)));
    expect(ends.map(problemOf)).toMatchObject([{ code: "KYC_REFUSED" }, { code: "KYC_REFUSED" }]);
    expect(ends.map((end) => responseInfo(end)?.replayed)).toEqual([false, true]);
    expect(responseInfo(ends[0])?.requestId).toBe(problemOf(ends[0])?.requestId);
  });

  it("tells nothing of what is no answer", () => {
    for (const other of [undefined, null, 1, {}, new Error("elsewhere")]) {
      expect(responseInfo(other)).toBeUndefined();
    }
  });
});

describe("where no answer of cardbridge comes", () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });
  const secret = demoKeys.first;

  /** A server that is not cardbridge. */
  async function other(listener: Parameters<typeof createServer>[1]): Promise<string> {
    const server = createServer(listener);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  async function sentences(url: string): Promise<string[]> {
    const calls = [
      client(url).cards.list.query({ memberId: "alice" }),
      client(url).kyc.submit.mutate(newSubmission()),
    ];
    const errors = await Promise.all(calls.map(errorOf));
    const texts = errors.map((error) => (error as Error).message);
    expect(texts.join()).not.toContain(secret);
    expect(texts.join()).not.toContain("alice");
    return texts;
  }
  const both = (pattern: RegExp) => [expect.stringMatching(pattern), expect.stringMatching(pattern)];

  it("says that nothing listens there", async () => {
    // The port of a caller's own end is taken, so nothing else comes to listen on it.
    const { port } = new URL(await other(() => {}));
    const socket = connect(Number(port), "127.0.0.1");
    await once(socket, "connect");
    expect(await sentences(`http://127.0.0.1:${socket.localPort}`)).toEqual(
      both(/^No connection to http:\/\/127.*\(ECONNREFUSED\): check the url/),
    );
    socket.destroy();
  });

  it("says that the connection was lost, before the answer or within it", async () => {
    const before = await other(({ socket }) => socket.destroy());
    expect(await sentences(before)).toEqual(both(/^The connection to .* was lost/));
    const within = await other((_, answer) => {
      answer.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      answer.write('[{"result":', () => answer.destroy());
    });
    expect(await sentences(within)).toEqual(both(/^The connection to .* was lost/));
  });

  it("says that a proxy answered with a page", async () => {
    const url = await other((_, answer) => {
      answer.writeHead(502, { "content-type": "text/html" }).end("<html>Bad gateway</html>");
    });
    expect(await sentences(url)).toEqual(both(/^A proxy or another server .*\(502, text\/html\)/));
  });

  it("says that the address is wrong, also where cardbridge is at another path", async () => {
    const page = await other((_, answer) => answer.writeHead(404, { "content-type": "text/html" }).end("?"));
    expect(await sentences(page)).toEqual(both(/^There is no cardbridge at this url .*\(404, text\/html\)/));
    expect(await sentences(`${world.url}/openapi/v1`)).toEqual(both(/^There is no cardbridge at this url/));
    expect(() => createClient({ url: "cardbridge", apiKey: secret })).toThrow("The url is the address");
  });

  it("says that another server's JSON is not cardbridge's", async () => {
    const url = await other((_, answer) => {
      answer.writeHead(200, { "content-type": "application/json" }).end('{"hello":"there"}');
    });
    expect(await sentences(url)).toEqual(both(/^A proxy or another server .*\(200, application\/json\)/));
  });

  it("leaves what the caller gave up as it is", async () => {
    const url = await other(() => {});
    const giveUp = new AbortController();
    const left = errorOf(client(url).kyc.submit.mutate(newSubmission(), { signal: giveUp.signal }));
    giveUp.abort();
    expect(await left).toMatchObject({ name: "TRPCClientError", cause: { name: "AbortError" } });
  });
});

describe("types", () => {
  it("are exported by name", () => {
    expectTypeOf<RouterOutputs["cards"]["list"]["items"][number]>().toEqualTypeOf<Card>();
    expectTypeOf<RouterOutputs["kyc"]["submit"]>().toEqualTypeOf<KycResult>();
    expectTypeOf<Problem["code"]>().toExtend<string>();
    expectTypeOf<AppRouter>().toHaveProperty("cards");
  });

  it("say that exactly one name is given", () => {
    type List = RouterInputs["cards"]["list"];
    expectTypeOf<{ email: string }>().toExtend<List>();
    expectTypeOf<{ memberId: string; page: number; status: string }>().toExtend<List>();
    expectTypeOf<{ page: number }>().not.toExtend<List>();
    expectTypeOf<{ email: string; memberId: string }>().not.toExtend<List>();
    type Get = RouterInputs["kyc"]["get"];
    expectTypeOf<{ memberId: string }>().toExtend<Get>();
    expectTypeOf<{ email: string; memberId: string }>().not.toExtend<Get>();
    type Show = RouterInputs["admin"]["users"]["show"];
    expectTypeOf<{ platformId: string; externalUserId: string }>().toExtend<Show>();
    expectTypeOf<{ platformId: string; externalUserId: string; email: string }>().not.toExtend<Show>();
    expectTypeOf<{ platformId: string }>().not.toExtend<Show>();
  });

  it("say that a document expires or is valid for ever", () => {
    type Submission = RouterInputs["kyc"]["submit"];
    type Undated = Omit<ReturnType<typeof newSubmission>, "documentExpiryDate">;
    expectTypeOf<Undated & { documentExpiryDate: string }>().toExtend<Submission>();
    expectTypeOf<Undated & { documentPermanentlyValid: true }>().toExtend<Submission>();
    expectTypeOf<Undated>().not.toExtend<Submission>();
    expectTypeOf<Undated & { documentPermanentlyValid: false }>().not.toExtend<Submission>();
    expectTypeOf<
      Undated & { documentExpiryDate: string; documentPermanentlyValid: true }
    >().not.toExtend<Submission>();
  });

  it("know the known statuses, and allow others", () => {
    type Known = "active" | "locked" | "lost" | "inactive" | (string & {});
    expectTypeOf<RouterInputs["cards"]["list"]["status"]>().toEqualTypeOf<Known | undefined>();
    expectTypeOf<Card["status"]>().toEqualTypeOf<Known>();
    type KnownSub = "not_submitted" | "pending_approval" | "approved" | "rejected" | (string & {});
    expectTypeOf<KycResult["subStatus"]>().toEqualTypeOf<KnownSub | null>();
    expectTypeOf<string>().toExtend<Card["status"]>();
  });
});

import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createClock } from "./support/clock.ts";
import { receive, secret } from "./support/receiver.ts";
import { outcomes, type RunningSandbox, runSandbox, submitInVain } from "./support/sandbox.ts";
import { submission } from "./support/submission.ts";
import { until } from "./support/until.ts";

/** Waits until so many events are noted as delivered. */
async function noted(sandbox: RunningSandbox, count: number) {
  const journal = () => readFile(join(sandbox.dataFolder, "journal.jsonl"), "utf8");
  await until(async () => (await journal()).split('"kind":"delivered"').length - 1 === count);
}

describe("events", () => {
  test("tell of every turn once it has come, as a GET would show it", async () => {
    const receiver = await receive();
    const sandbox = await runSandbox({ events: receiver.events });
    const first = await sandbox.submit("kyc_1", submission());
    await noted(sandbox, 1);
    expect(receiver.deliveries[0]?.body).toEqual({ type: "kyc.updated", data: first.body });

    sandbox.clock.advance(4_999);
    expect(sandbox.clock.rest()).toBe(1);
    sandbox.clock.advance(1);
    await noted(sandbox, 2);
    expect(receiver.deliveries[1]?.body).toEqual({
      type: "kyc.updated",
      data: (await sandbox.ask("kyc_1")).body,
    });
    expect(receiver.told()).toEqual(["pending_approval 1", "approved 2"]);
    expect(sandbox.clock.waiting()).toBe(0);
  });

  test("are signed as Standard Webhooks say, afresh for every attempt, under an id that stays", async () => {
    const receiver = await receive((count) => (count === 1 ? 500 : 200));
    const sandbox = await runSandbox({ events: receiver.events });
    await sandbox.submit("kyc_1", submission("rejected"));
    await until(() => sandbox.clock.rest() === 500);
    sandbox.clock.advance(7_000);
    await noted(sandbox, 1);

    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    for (const { headers, text } of receiver.deliveries) {
      const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`;
      const hash = createHmac("sha256", key).update(signed).digest("base64");
      expect(headers["webhook-signature"]).toBe(`v1,${hash}`);
      expect(headers["content-type"]).toBe("application/json");
    }
    const times = receiver.deliveries.map(({ headers }) => headers["webhook-timestamp"]);
    expect(times).toEqual(["1769860800", "1769860807"]);
    const [id, again] = receiver.ids();
    expect(id).toMatch(/^evt_[0-9a-f]{24}$/);
    expect(again).toBe(id);
  });

  test("have an id for each revision of each reference", async () => {
    const receiver = await receive();
    const sandbox = await runSandbox({ events: receiver.events });
    await sandbox.submit("kyc_1", submission("revoked"));
    await sandbox.submit("kyc_2", submission("revoked"));
    await noted(sandbox, 2);
    sandbox.clock.advance(3_000);
    await noted(sandbox, 4);
    expect(new Set(receiver.ids()).size).toBe(4);
  });

  test("are sent to nobody without a target", async () => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission());
    expect(sandbox.clock.waiting()).toBe(0);
  });

  test("need a URL and a secret that can be used", async () => {
    await expect(runSandbox({ events: { url: "nonsense", secret } })).rejects.toThrow();
    await expect(runSandbox({ events: { url: "http://127.0.0.1", secret: "no base64!" } })).rejects.toThrow();
  });
});

describe("events by scenario", () => {
  test("duplicate: each comes twice", async () => {
    const receiver = await receive();
    const sandbox = await runSandbox({ events: receiver.events });
    await sandbox.submit("kyc_1", submission("duplicate"));
    await noted(sandbox, 1);
    sandbox.clock.advance(5_000);
    await noted(sandbox, 2);
    expect(receiver.told()).toEqual(["pending_approval 1", "pending_approval 1", "approved 2", "approved 2"]);
    const [first, second, third, fourth] = receiver.ids();
    expect([second, fourth]).toEqual([first, third]);
  });

  test("reorder: the later one comes first", async () => {
    const receiver = await receive();
    const sandbox = await runSandbox({ events: receiver.events });
    await sandbox.submit("kyc_1", submission("reorder"));
    await until(() => sandbox.clock.waiting() === 1);
    sandbox.clock.advance(4_999);
    expect(sandbox.clock.rest()).toBe(1);
    sandbox.clock.advance(1);
    await noted(sandbox, 2);
    expect(receiver.told()).toEqual(["approved 2", "pending_approval 1"]);
  });

  test("revoked: approved at once, rejected after 3 s, and the card stays", async () => {
    const receiver = await receive();
    const sandbox = await runSandbox({ events: receiver.events });
    expect((await sandbox.submit("kyc_1", submission("revoked"))).body).toMatchObject({
      status: "approved",
      cardAccountId: expect.any(String),
      revision: 1,
    });
    await noted(sandbox, 1);
    sandbox.clock.advance(3_000);
    await noted(sandbox, 2);
    expect(receiver.told()).toEqual(["approved 1", "rejected 2"]);
    expect((await sandbox.ask("kyc_1")).body).toMatchObject({ status: "rejected", revision: 2 });
    expect((await sandbox.list("userReference=usr_1")).body.total).toBe(1);
  });

  test("foreign: names another reference and another user, as its answers do", async () => {
    const receiver = await receive();
    const sandbox = await runSandbox({ events: receiver.events });
    const { body } = await sandbox.submit("kyc_1", submission("foreign"));
    await noted(sandbox, 1);
    expect(receiver.deliveries[0]?.body.data).toEqual(body);
    expect(body.reference).not.toBe("kyc_1");
  });

  test("slow: comes after the answer", async () => {
    const receiver = await receive();
    const sandbox = await runSandbox({ events: receiver.events, slowMs: 600_000 });
    const client = new AbortController();
    const answer = sandbox.submit("kyc_1", submission("slow"), client.signal).catch(() => "gone");
    await until(async () => (await outcomes(sandbox, "kyc_1")).length > 0);
    expect(sandbox.clock.waiting()).toBe(0);
    client.abort();
    expect(await answer).toBe("gone");
    await noted(sandbox, 1);
  });

  test("timeout-after-effect: comes although no answer does", async () => {
    const receiver = await receive();
    const sandbox = await runSandbox({ events: receiver.events });
    const client = new AbortController();
    const answer = sandbox
      .submit("kyc_1", submission("timeout-after-effect"), client.signal)
      .catch(() => "gone");
    await until(() => receiver.deliveries.length === 1);
    client.abort();
    expect(await answer).toBe("gone");
  });

  test("what is executed is told once, and what is not is not", async () => {
    const receiver = await receive();
    const sandbox = await runSandbox({ events: receiver.events });
    await sandbox.submit("kyc_1", submission("refused"));
    await sandbox.submit("kyc_2", submission("error-500"));
    await submitInVain(sandbox, "kyc_3", submission("timeout-before-effect"));
    expect(sandbox.clock.waiting()).toBe(0);

    await sandbox.submit("kyc_2", submission("error-500"));
    await sandbox.submit("kyc_2", submission("error-500"));
    await sandbox.submit("kyc_4", submission("garbage"));
    await sandbox.submit("kyc_4", submission("garbage"));
    await noted(sandbox, 2);
    expect(receiver.deliveries.map(({ body }) => body.data.reference).sort()).toEqual(["kyc_2", "kyc_4"]);
  });
});

describe("events that are not taken", () => {
  test("are sent again after growing waits, until a 2xx; redirects are not followed", async () => {
    const errors = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => errors.mockRestore());
    const refusals = [500, 503, 302, 400, 404, 410, 429, 500];
    const receiver = await receive((count) => refusals[count - 1] ?? 202);
    const sandbox = await runSandbox({ events: receiver.events });
    await sandbox.submit("kyc_1", submission("rejected"));
    for (const wait of [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      await until(() => sandbox.clock.rest() === wait);
      sandbox.clock.advance(wait - 1);
      expect(sandbox.clock.rest()).toBe(1);
      sandbox.clock.advance(1);
    }
    await noted(sandbox, 1);
    expect(receiver.deliveries).toHaveLength(9);
    expect(sandbox.clock.waiting()).toBe(0);
    expect(errors.mock.calls).toEqual([[expect.stringContaining("has not been taken yet")]]);
  });

  test("are sent again when nobody listened", async () => {
    const { events, port, close } = await receive();
    await close();
    const sandbox = await runSandbox({ events });
    await sandbox.submit("kyc_1", submission("rejected"));
    await until(() => sandbox.clock.rest() === 500);

    const receiver = await receive(() => 204, port);
    sandbox.clock.advance(500);
    await noted(sandbox, 1);
    expect(receiver.told()).toEqual(["rejected 1"]);
  });

  test("are sent again when no answer came within 5 s", async () => {
    const receiver = await receive((count) => (count === 1 ? undefined : 204));
    const sandbox = await runSandbox({ events: receiver.events });
    await sandbox.submit("kyc_1", submission("rejected"));
    await until(() => receiver.deliveries.length === 1);
    sandbox.clock.advance(4_999);
    expect(sandbox.clock.rest()).toBe(1);
    sandbox.clock.advance(1);
    await until(() => sandbox.clock.rest() === 500);
    sandbox.clock.advance(500);
    await noted(sandbox, 1);
    expect(receiver.deliveries).toHaveLength(2);
  });

  test("hold back the later ones of their submission, and no other", async () => {
    const receiver = await receive((count) => (count === 1 ? 500 : 204));
    const sandbox = await runSandbox({ events: receiver.events });
    await sandbox.submit("kyc_1", submission());
    await until(() => sandbox.clock.rest() === 500);
    await sandbox.submit("kyc_2", submission("rejected"));
    await noted(sandbox, 1);
    sandbox.clock.advance(60_000);
    await noted(sandbox, 3);
    expect(receiver.told()).toEqual(["pending_approval 1", "rejected 1", "pending_approval 1", "approved 2"]);
  });

  test("occupy eight deliveries at the most", async () => {
    let release = (_: number) => {};
    const released = new Promise<number>((resolve) => {
      release = resolve;
    });
    const receiver = await receive(() => released);
    const sandbox = await runSandbox({ events: receiver.events });
    const references = Array.from({ length: 20 }, (_, index) => `kyc_${index}`);
    await Promise.all(references.map((reference) => sandbox.submit(reference, submission("rejected"))));
    await until(() => receiver.deliveries.length === 8);
    expect(sandbox.clock.waiting()).toBe(8);

    release(204);
    await noted(sandbox, 20);
    expect(new Set(receiver.ids()).size).toBe(20);
  });

  test("do not keep a sandbox from closing, and are sent by the next one", async () => {
    const hanging = await receive(() => undefined);
    const before = await runSandbox({ events: hanging.events });
    await before.submit("kyc_1", submission("duplicate"));
    await until(() => hanging.deliveries.length === 1);
    await before.close();
    expect(before.clock.waiting()).toBe(0);

    const receiver = await receive();
    const after = await runSandbox({ dataFolder: before.dataFolder, events: receiver.events });
    await noted(after, 1);
    expect(receiver.ids()).toEqual([...hanging.ids(), ...hanging.ids()]);
  });
});

describe("events across a restart", () => {
  test("what was delivered is not sent again, what was not is", async () => {
    const receiver = await receive();
    const clock = createClock();
    const one = await runSandbox({ events: receiver.events }, clock);
    const { dataFolder } = one;
    await one.submit("kyc_1", submission());
    await one.submit("kyc_2", submission("pending"));
    await noted(one, 2);
    await one.close();
    expect(clock.waiting()).toBe(0);

    clock.advance(60_000);
    const two = await runSandbox({ dataFolder, events: receiver.events }, clock);
    await noted(two, 3);
    await two.close();

    await runSandbox({ dataFolder, events: receiver.events }, clock);
    expect(clock.waiting()).toBe(0);
    expect(receiver.told().slice(0, 2).sort()).toEqual(["pending_approval 1", "pending_approval 1"]);
    expect(receiver.told().slice(2)).toEqual(["approved 2"]);
  });

  test("what was submitted without a target is told once there is one", async () => {
    const before = await runSandbox();
    await before.submit("kyc_1", submission("revoked"));
    before.clock.advance(60_000);
    await before.close();

    const receiver = await receive();
    const after = await runSandbox({ dataFolder: before.dataFolder, events: receiver.events }, before.clock);
    await noted(after, 2);
    expect(receiver.told()).toEqual(["approved 1", "rejected 2"]);
  });
});

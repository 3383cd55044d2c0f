import { describe, expect, test } from "vitest";
import { runWithReceiver } from "./support/receiver.ts";
import { act, card, runSandbox, until, untilDelivered } from "./support/sandbox.ts";
import { submission } from "./support/submission.ts";

const conflict = (reason: string) => ({ status: 409, body: { reason, error: { code: "act_conflict" } } });

describe("an act on a submission", () => {
  test("approve: opens the account and issues the card now, and drops the scheduled approval", async () => {
    const { receiver, sandbox } = await runWithReceiver();
    await sandbox.submit("kyc_1", submission());
    await untilDelivered(sandbox, 1);
    sandbox.clock.advance(1_000);
    const approved = await act(sandbox, "approve", { key: "key_a" });
    expect(approved).toMatchObject({ status: 200, body: { key: "key_a", act: "approve", cardId: null } });
    await untilDelivered(sandbox, 2);
    const state = (await sandbox.get("kyc_1")).body;
    expect(state).toMatchObject({
      status: "approved",
      revision: 2,
      cardAccountId: expect.stringMatching(/^acct_/),
      updatedAt: "2026-01-31T12:00:01.000Z",
    });
    expect(receiver.deliveries[1]?.body).toEqual({ type: "kyc.updated", data: state });
    const { items } = (await sandbox.list("userReference=usr_1")).body;
    expect(items).toMatchObject([{ cardAccountId: state.cardAccountId, status: "active" }]);

    sandbox.clock.advance(60_000);
    expect((await sandbox.get("kyc_1")).body).toEqual(state);
    expect(receiver.statuses()).toEqual(["pending_approval 1", "approved 2"]);
    expect(sandbox.clock.timerCount()).toBe(0);
  });

  test("reject: gives the reason of the act and not those of the tags, in every state", async () => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission("approved+name-mismatch"));
    await act(sandbox, "reject", { reasonCode: "document_unreadable" });
    const reasons = [{ code: "document_unreadable", field: "document.frontImageUrl" }];
    expect((await sandbox.get("kyc_1")).body).toMatchObject({ status: "rejected", revision: 2, reasons });
    expect((await sandbox.ledger()).executions).toMatchObject([{ status: "rejected", reasons }]);
    await act(sandbox, "reject", { reasonCode: "photo_of_a_photo" });
    expect((await sandbox.get("kyc_1")).body.reasons).toEqual([{ code: "photo_of_a_photo" }]);
    await act(sandbox, "reject");
    const { body } = await sandbox.get("kyc_1");
    expect(body).toMatchObject({ status: "rejected", revision: 4 });
    expect(body).not.toHaveProperty("reasons");
    await act(sandbox, "approve");
    expect((await sandbox.get("kyc_1")).body).toMatchObject({ status: "approved", revision: 5 });
  });

  test("ask-document: asks once, and the submission stays in review until an act decides", async () => {
    const { receiver, sandbox } = await runWithReceiver();
    await sandbox.submit("kyc_1", submission());
    await untilDelivered(sandbox, 1);
    await act(sandbox, "ask-document", { documentType: "UTILITY_BILL" });
    await untilDelivered(sandbox, 2);
    const request = {
      requestId: expect.stringMatching(/^req_[0-9a-f]{24}$/),
      documentType: "UTILITY_BILL",
      accepts: ["UTILITY_BILL"],
      reason: null,
      requestedAt: "2026-01-31T12:00:00.000Z",
      dueAt: "2026-02-14T12:00:00.000Z",
      status: "open",
      revision: 1,
    };
    const data = { reference: "kyc_1", userReference: "usr_1", request };
    expect(receiver.deliveries[1]?.body).toEqual({ type: "kyc.request_updated", data });
    sandbox.clock.advance(86_400_000);
    const { body } = await sandbox.get("kyc_1");
    expect(body).toMatchObject({ status: "pending_approval", revision: 1, requests: [request] });

    await act(sandbox, "approve");
    await untilDelivered(sandbox, 4);
    const closed = { ...request, status: "closed", revision: 2 };
    expect(receiver.deliveries.slice(2).map((delivery) => delivery.body)).toMatchObject([
      { type: "kyc.updated", data: { status: "approved", revision: 2, requests: [closed] } },
      { type: "kyc.request_updated", data: { request: closed } },
    ]);
    expect(await act(sandbox, "ask-document", { documentType: "SELFIE" })).toMatchObject(
      conflict("not-possible"),
    );
  });

  test("needs an executed submission of the user", async () => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission("refused"));
    await sandbox.submit("kyc_2", submission("pending", "usr_2"));
    for (const reference of ["kyc_1", "kyc_2", "kyc_9", null])
      for (const name of ["approve", "reject", "issue-card"])
        expect(await act(sandbox, name, { reference })).toMatchObject(conflict("no-submission"));
    expect((await sandbox.get("kyc_2")).body).toMatchObject({ status: "pending_approval", revision: 1 });
    expect((await sandbox.ledger()).acts).toEqual([]);
  });
});

describe("an act on a card", () => {
  test("issue-card: adds an active card for an approved user", async () => {
    const sandbox = await runSandbox();
    const { cardAccountId } = (await sandbox.submit("kyc_1", submission("approved"))).body;
    const { body } = await act(sandbox, "issue-card");
    expect((await sandbox.call("GET", `/v1/cards/${body.cardId}`)).body).toMatchObject({
      userReference: "usr_1",
      status: "active",
      cardAccountId,
      nameOnCard: "JANE DOE",
    });
    expect((await sandbox.list("userReference=usr_1")).body.total).toBe(2);
    await act(sandbox, "reject");
    expect(await act(sandbox, "issue-card")).toMatchObject(conflict("not-possible"));
  });

  test("changes the status of an issued card with an event for each, only where it is possible", async () => {
    const { receiver, sandbox } = await runWithReceiver();
    await sandbox.submit("kyc_1", submission("approved"));
    await untilDelivered(sandbox, 1);
    const [{ cardId }] = (await sandbox.list("userReference=usr_1")).body.items;
    const outcomes: string[] = [];
    for (const name of ["unlock-card", "lock-card", "lock-card", "unlock-card", "lock-card", "lose-card"]) {
      const { status, body } = await act(sandbox, name, { cardId });
      if (status === 200) expect(body).toMatchObject({ act: name, cardId });
      outcomes.push(`${name} ${status}`);
    }
    for (const name of ["lock-card", "unlock-card", "lose-card"])
      expect(await act(sandbox, name, { cardId })).toMatchObject(conflict("not-possible"));
    expect(outcomes).toEqual([
      "unlock-card 409",
      "lock-card 200",
      "lock-card 409",
      "unlock-card 200",
      "lock-card 200",
      "lose-card 200",
    ]);
    await untilDelivered(sandbox, 5);
    expect(receiver.deliveries.slice(1).map(({ body }) => body)).toEqual(
      ["locked", "active", "locked", "lost"].map((status) => ({
        type: "card.updated",
        data: { cardId, userReference: "usr_1", status },
      })),
    );
    expect(new Set(receiver.ids()).size).toBe(5);
  });

  test("needs a known user, and a card of this user", async () => {
    const sandbox = await runSandbox();
    await sandbox.putCards([card("card_2", null, { userReference: "usr_2" })]);
    const unknown = await act(sandbox, "lock-card", { cardId: "card_2" });
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: "user_not_found" } } });
    await sandbox.submit("kyc_1", submission("pending"));
    for (const cardId of ["card_2", "card_9"])
      expect(await act(sandbox, "lock-card", { cardId })).toMatchObject({
        status: 404,
        body: { cardId, error: { code: "card_not_found" } },
      });
    expect((await sandbox.list("userReference=usr_2")).body.items).toMatchObject([{ status: "active" }]);
  });
});

describe("an act", () => {
  test("happens once under its key, also concurrently, and another act cannot have it", async () => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission("approved"));
    const issue = () => act(sandbox, "issue-card", { key: "key_once" });
    const [first, ...others] = await Promise.all([issue(), issue(), issue()]);
    for (const other of [...others, await issue()]) expect(other).toEqual(first);
    expect((await sandbox.list("userReference=usr_1")).body.total).toBe(2);
    expect((await sandbox.ledger()).acts).toMatchObject([{ key: "key_once", act: "issue-card" }]);
    for (const other of [{ act: "approve" }, { reference: "kyc_2" }])
      expect(await act(sandbox, "issue-card", { key: "key_once", ...other })).toMatchObject({
        status: 409,
        body: { error: { code: "key_conflict" } },
      });
  });

  test("without its fields, or without a signature, is an error", async () => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission());
    const contents = [
      { act: "delete" },
      { key: "" },
      { reference: undefined },
      { act: "lock-card" },
      { act: "ask-document" },
    ];
    for (const more of contents) expect((await act(sandbox, "approve", more)).status).toBe(400);
    const unsigned = await fetch(`${sandbox.url}/v1/acts`, { method: "POST", body: "{}" });
    expect(unsigned.status).toBe(401);
    expect((await sandbox.get("kyc_1")).body).toMatchObject({ revision: 1 });
  });

  test("is restored by a restart, which sends its events", async () => {
    let isDown = false;
    const { receiver, sandbox } = await runWithReceiver(() => (isDown ? 503 : 204));
    await sandbox.submit("kyc_1", submission());
    await untilDelivered(sandbox, 1);
    isDown = true;
    await act(sandbox, "ask-document", { documentType: "SELFIE" });
    sandbox.clock.now += 1;
    const approved = await act(sandbox, "approve", { key: "key_approve" });
    // The entry is in the file before the response is sent.
    expect(await sandbox.journal()).toContain("key_approve");
    const [{ cardId }] = (await sandbox.list("userReference=usr_1")).body.items;
    await act(sandbox, "issue-card");
    await act(sandbox, "lock-card", { cardId });
    const read = async (running: typeof sandbox) => ({
      ledger: await running.ledger(),
      state: await running.get("kyc_1"),
      cards: await running.list("userReference=usr_1"),
    });
    const before = await read(sandbox);
    await until(() => receiver.deliveries.length >= 3);
    await sandbox.close();

    isDown = false;
    receiver.deliveries.length = 0;
    const options = { events: receiver.events, dataFolder: sandbox.dataFolder };
    const again = await runSandbox(options, sandbox.clock);
    await untilDelivered(again, 5);
    expect(await read(again)).toEqual(before);
    expect(await act(again, "approve", { key: "key_approve" })).toEqual(approved);
    const ofSubmission = receiver.deliveries.filter(({ body }) => body.type !== "card.updated");
    expect(ofSubmission.map(({ body }) => body.type)).toEqual([
      "kyc.request_updated",
      "kyc.updated",
      "kyc.request_updated",
    ]);
    expect(receiver.deliveries).toHaveLength(4);
  });
});

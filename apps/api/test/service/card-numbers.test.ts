import { randomBytes, randomInt } from "node:crypto";
import { card } from "@cardbridge/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signedHeaders } from "../deep/faults/clients/provider-event.ts";
import { type AdminConnection, connectAsAdmin } from "../deep/faults/cluster/admin-connection.ts";
import { http } from "../deep/faults/cluster/http-bytes.ts";
import type { QuotedCall } from "../deep/faults/cluster/provider-proxy.ts";
import { type Answer, restList, restSubmit, trpcList, trpcSubmit } from "../support/call.ts";
import { encodingsOf } from "../support/encodings.ts";
import { type ProxiedService, startProxiedService } from "../support/proxied-service.ts";
import { newSubmission } from "../support/test-service.ts";
import { readColumns } from "./canary/places.ts";

/** A provider that sends full card numbers and CVVs in all fields: the service passes none of them on. */
const pan = withCheckDigit(`4${Array.from({ length: 14 }, () => randomInt(10)).join("")}`);
const groups = pan.match(/.{4}/g) ?? [];
const cvv = "737";
/** Fields in which a CVV is distinguishable from other numbers. */
const markedCvv = `${cvv}${randomBytes(6).toString("hex")}`;

/** The formats of a number, with names that are constant between runs. */
const settings: readonly (readonly [name: string, value: string])[] = [
  ["as it is", pan],
  ["in groups", groups.join(" ")],
  ["behind a prefix", `card_${pan}`],
  ["in groups before its CVV", `${groups.join(" ")}/${cvv}`],
];

const more = {
  pan,
  cardNumber: groups.join(" "),
  cvv: markedCvv,
  number: Number(pan),
  details: { pan, security: { cvc: markedCvv }, cards: [{ pan, cvv: markedCvv }, [pan]] },
  [pan]: markedCvv,
};

const answers: Answer[] = [];
let service: ProxiedService;
let admin: AdminConnection;
let memberId: string;
beforeAll(async () => {
  service = await startProxiedService({ env: { RUN: "all", LOG_LEVEL: "debug" } });
  admin = connectAsAdmin(service.adminUrl);
  const submission = newSubmission();
  await restSubmit(service.caller(), submission);
  ({ memberId } = submission);
});
afterAll(async () => {
  await admin.close();
  await service.stop();
});

type Listed = { items: Record<string, unknown>[] };

/** Lists the cards over both transports, with this card at the provider. */
async function listed(fields: object): Promise<Answer[]> {
  const answer = ({ url }: QuotedCall) => {
    const userReference = new URL(url, "http://a").searchParams.get("userReference");
    const item = { userReference, cardId: "card_1", status: "active", ...fields };
    const page = { userReference, page: 1, pageSize: 20, total: 1, items: [item], ...more };
    return http(200, JSON.stringify(page), { "x-card": pan });
  };
  service.provider.plan("cards", { ask: Array(2).fill({ effect: false, answer }) });
  const both = [
    await restList(service.caller(), { memberId }),
    await trpcList(service.caller(), { memberId }),
  ];
  answers.push(...both);
  return both;
}

/** Submits over both transports, with this response from the provider. */
async function submitted(status: number, body: (call: QuotedCall) => object): Promise<Answer[]> {
  const both = [];
  for (const submit of [restSubmit, trpcSubmit]) {
    const submission = newSubmission();
    const references = new Map<string, unknown>();
    const answer = (call: QuotedCall) => {
      if (call.body !== "") references.set(call.reference, JSON.parse(call.body).userReference);
      const userReference = references.get(call.reference);
      return http(
        status,
        JSON.stringify({ reference: call.reference, userReference, ...body(call), ...more }),
      );
    };
    service.provider.plan(submission.email, {
      put: [{ effect: false, answer }],
      ask: Array(3).fill({ effect: false, answer }),
    });
    both.push(await submit(service.caller(), submission));
  }
  answers.push(...both);
  return both;
}

describe("a card with a card number", () => {
  it("in unknown fields is shown without them", async () => {
    for (const { status, body } of await listed({ ...more, type: "virtual" })) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ items: [{ cardId: "card_1", type: "virtual" }] });
      expect(Object.keys((body as Listed).items[0] ?? {}).sort()).toEqual(Object.keys(card.shape).sort());
    }
  });

  const everywhere = Object.keys(card.shape).flatMap((field) =>
    [...settings, ["as a number", Number(pan)] as const].map(
      ([name, value]) => [field, name, value] as const,
    ),
  );

  it.each(everywhere)("in %s, %s, is shown without it or omitted", async (field, _name, value) => {
    const isNeeded = field === "cardId" || field === "status";
    for (const { status, body } of await listed({ [field]: value })) {
      expect(status).toBe(isNeeded ? 502 : 200);
      if (!isNeeded) expect((body as Listed).items[0]).toMatchObject({ cardId: "card_1", [field]: null });
    }
  });

  it.each(["type", "network", "nameOnCard", "last4"])(
    "and a CVV in %s is shown without that field",
    async (field) => {
      for (const { body } of await listed({ [field]: cvv }))
        expect((body as Listed).items[0]).toMatchObject({ cardId: "card_1", [field]: null });
    },
  );
});

describe("a KYC response with a card number", () => {
  const state = { status: "approved", revision: 1 };

  it("in unknown fields is accepted without them", async () => {
    for (const { body } of await submitted(200, () => ({ ...state, cardAccountId: "acct_1" })))
      expect(body).toMatchObject({ status: "APPROVED", subStatus: "approved", cardAccountId: "acct_1" });
  });

  it.each(settings)("as an account, %s, is accepted without an account", async (_name, cardAccountId) => {
    for (const { body } of await submitted(200, () => ({ ...state, cardAccountId })))
      expect(body).toMatchObject({ status: "APPROVED", cardAccountId: null });
  });

  it.each(settings)("as a status, %s, is invalid", async (_name, status) => {
    for (const { body } of await submitted(200, () => ({ ...state, status })))
      expect(body).toMatchObject({ code: "KYC_ACCEPTED", status: "PENDING", subStatus: null });
  });

  it.each([
    [422, "KYC_REFUSED", "kyc_refused"],
    [422, "KYC_ACCEPTED", pan],
    [409, "KYC_ACCEPTED", groups.join(" ")],
  ])("in an error's body reveals only the error: %i is %s", async (status, code, word) => {
    const error = { code: word, message: `${pan} ${markedCvv}`, details: more };
    for (const { body } of await submitted(status, () => ({ error }))) expect(body).toMatchObject({ code });
  });
});

describe("an event with a card number", () => {
  it.each([
    ["unknown fields", { cardAccountId: "acct_1", ...more }, 204],
    ["an account", { cardAccountId: groups.join(" ") }, 204],
    ["a status", { status: pan }, 400],
    ["a user's reference", { userReference: `${pan} ${cvv}` }, 404],
  ])("in %s", async (_name, fields, status) => {
    const [record] = await admin.query<{ id: string; user_id: string }>(
      "select id, user_id from kyc_records limit 1",
    );
    const known = {
      reference: record?.id,
      userReference: record?.user_id,
      status: "approved",
      revision: Date.now(),
    };
    const body = JSON.stringify({ type: "kyc.updated", data: { ...known, ...fields }, ...more });
    const init = { method: "POST", headers: signedHeaders(body), body };
    const response = await fetch(`${service.url}/provider/events`, init);
    answers.push({ status: response.status, body: await response.text(), headers: response.headers });
    expect(response.status).toBe(status);
  });
});

/** Matches the digits with any separators and in any script. */
function holds(text: string): boolean {
  const forms = [pan, markedCvv].flatMap(encodingsOf);
  return text.replace(/[^0-9A-Za-z]/g, "").includes(pan) || forms.some((form) => text.includes(form));
}

describe("no card number is in", () => {
  it("any response", () => {
    expect(answers.length).toBeGreaterThan(100);
    for (const { body, headers } of answers) {
      const text = JSON.stringify([body, [...headers]]);
      expect([text, holds(text)]).toEqual([text, false]);
      expect(JSON.stringify(body) ?? "").not.toMatch(new RegExp(`(?<![0-9A-Za-z])${cvv}(?![0-9A-Za-z])`));
    }
  });

  it("the log, after the worker has queried the provider", async () => {
    const asked = () =>
      service.provider.seen.some(({ method, reference }) => method === "GET" && reference !== "");
    await admin.query("update kyc_records set due_at = now() where lease_until is null and due_at > now()");
    await expect.poll(asked).toBe(true);
    const log = service.lines.join("");
    expect(log).toContain("provider_card_field_malformed");
    expect(holds(log)).toBe(false);
  });

  it("the metrics", async () => {
    const metrics = await (await service.metrics(new Request("http://127.0.0.1/metrics"))).text();
    expect(metrics).toContain('cardbridge_provider_card_fields_malformed_total{field="nameOnCard"}');
    expect(holds(metrics)).toBe(false);
  });

  it("any table", async () => {
    const columns = await readColumns(admin);
    expect(columns.get("kyc_records.card_account_id")).toContain("acct_1");
    expect([...columns].filter(([, text]) => holds(text)).map(([name]) => name)).toEqual([]);
  });
});

function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

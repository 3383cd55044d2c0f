import { describe, expect, test } from "vitest";
import { cardholder, jpeg, runFake } from "./support/fake.ts";

const create = "issuing/cardholders/create";

// The tests of the provider's adapter, which run against the fake, cover faults, uploads, look-ups and lists of cards.

describe("login", () => {
  test("gives a token for 30 minutes, without which every other request is forbidden", async () => {
    const fake = await runFake();
    fake.clock.now += 1_799_999;
    expect((await fake.get("issuing/cards")).status).toBe(200);
    fake.clock.now += 1;
    const expired = { status: 401, body: { code: "credentials_expired" } };
    expect(await fake.get("issuing/cards")).toMatchObject(expired);
    expect((await fetch(`${fake.url}/api/v1/issuing/cards`)).status).toBe(403);
    expect((await fetch(`${fake.filesUrl}/api/v1/files/upload`, { method: "POST" })).status).toBe(403);
  });

  test("rejects wrong keys and logins over the limit per minute", async () => {
    const fake = await runFake();
    expect((await fake.login("client", "wrong")).status).toBe(401);
    await fake.admin("PUT", "/settings", { loginsPerMinute: 3 });
    expect((await fake.login()).status).toBe(201);
    expect(await fake.login()).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
    fake.clock.now += 60_001;
    expect((await fake.login()).status).toBe(201);
  });
});

describe("files", () => {
  test("rejects files with unsupported content, size or name", async () => {
    const fake = await runFake();
    const text = new File(["text"], "front.jpg");
    const big = new File([Buffer.concat([Buffer.from("%PDF-"), Buffer.alloc(20 * 1024 * 1024)])], "big.pdf");
    const named = new File([jpeg], `${"n".repeat(50)}.jpg`);
    for (const file of [text, big, named]) expect((await fake.upload(file)).status).toBe(400);
    expect((await fake.upload(jpeg, "", "document")).body.source).toBe("document");
    expect((await fake.upload(jpeg, `?notes=${"n".repeat(51)}`)).status).toBe(400);
    expect((await fake.post("files/upload", {})).status).toBe(404);
    expect((await fake.admin("GET", "/effects")).body.files).toEqual([]);
  });
});

describe("cardholders", () => {
  test("have a unique e-mail and mobile number until they are deleted", async () => {
    const fake = await runFake();
    const { body } = await fake.post(create, cardholder({ mobile_number: "14155550100" }));
    const sameEmail = cardholder({ email: "Jane@example.com" });
    const sameNumber = cardholder({ email: "joe@example.com", mobile_number: "14155550100" });
    for (const request of [sameEmail, sameNumber]) {
      expect(await fake.post(create, request)).toMatchObject({ status: 400, body: { code: "bad_request" } });
    }
    expect((await fake.post(`issuing/cardholders/${body.cardholder_id}/delete`)).status).toBe(200);
    expect((await fake.post(create, sameEmail)).status).toBe(202);
  });

  const abroad = { line1: "1 Road", city: "Toronto", postcode: "M5V 2T6" };
  const missingFile = { country: "HK", type: "PASSPORT", number: "1", expiry_date: "2034-05-01" };
  test.each<[string, object, object?]>([
    ["request_id", {}, { request_id: "1" }],
    ["individual.email", { email: "jane@example.com" }],
    ["individual.name.last_name", { name: { first_name: "Jane" } }],
    ["individual.name.first_name", { name: { first_name: "小明", last_name: "Chan" } }],
    ["individual.date_of_birth", { date_of_birth: "1990-02-30" }],
    ["individual.express_consent_obtained", { express_consent_obtained: "no" }],
    ["individual.nationality", { nationality: "UK" }],
    ["individual.address.country", { address: { ...abroad, country: "UK" } }],
    ["individual.address.state", { address: { ...abroad, country: "CA" } }],
    [
      "individual.employers[0].business_identifiers[0].type",
      { employers: [{ business_identifiers: [{ type: "ABN" }] }] },
    ],
    [
      "individual.identification.document_front_file_id",
      { identification: { ...missingFile, document_front_file_id: "none" } },
    ],
  ])("are refused for %s", async (source, individual, fields) => {
    const fake = await runFake();
    const { status, body } = await fake.post(create, cardholder(fields, individual));
    expect([status, body.code, body.source]).toEqual([400, "invalid_argument", source]);
    expect((await fake.admin("GET", "/effects")).body.cardholders).toEqual([]);
  });

  test("change status by an update, by a review and by the test", async () => {
    const fake = await runFake();
    const { body } = await fake.post(create, cardholder({ email: "jane+incomplete@example.com" }));
    const path = `issuing/cardholders/${body.cardholder_id}`;
    expect(body.status).toBe("INCOMPLETE");
    expect((await fake.post(`${path}/update`, { mobile_number: "1" })).body).toMatchObject({
      status: "PENDING",
      mobile_number: "1",
    });
    await fake.post(`simulation/${path}/pass_review`);
    expect((await fake.get(path)).body.status).toBe("READY");
    await fake.admin("PUT", `/cardholders/${body.cardholder_id}`, { status: "DISABLED" });
    expect((await fake.post(`${path}/update`, { mobile_number: "2" })).status).toBe(400);
    expect((await fake.get("issuing/cardholders?cardholder_status=DISABLED")).body.items).toHaveLength(1);
  });

  test("return 404 for an unknown id, and reject an old API version", async () => {
    const fake = await runFake();
    expect((await fake.get("issuing/cardholders/none")).status).toBe(404);
    const old = await fake.post(create, cardholder(), { "x-api-version": "2024-02-22" });
    expect(old.body.source).toBe("x-api-version");
  });
});

describe("cards", () => {
  test("reject invalid queries", async () => {
    const fake = await runFake();
    for (const query of ["page_size=9", "page_num=-1", "status=ACTIVE", "from_created_at=2026-05-12"])
      expect((await fake.get(`issuing/cards?${query}`)).status, query).toBe(400);
  });
});

test("requests are recorded as received, and deleted by a reset", async () => {
  const fake = await runFake();
  await fake.post(create, cardholder({ nickname: "J" }), { "x-on-behalf-of": "acct_1" });
  const { requests } = (await fake.admin("GET", "/requests")).body;
  expect(requests.at(-1)).toMatchObject({
    number: 2,
    method: "POST",
    path: `/api/v1/${create}`,
    headers: { "x-on-behalf-of": "acct_1" },
    body: { nickname: "J" },
    status: 400,
  });
  await fake.post(create, cardholder());
  await fake.admin("DELETE", "");
  expect((await fake.admin("GET", "/requests")).body.requests).toEqual([]);
  expect((await fake.admin("GET", "/effects")).body.cardholders).toEqual([]);
  expect((await fake.get("issuing/cards")).status).toBe(401);
});

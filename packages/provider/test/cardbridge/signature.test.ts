import { createHash, createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { newKycRequest } from "../../src/conformance/inputs.ts";
import { listen, type Received } from "../support/listener.ts";
import { client, connect } from "../support/provider.ts";
import { always, healthy, http, kycQuery, kycReference, page } from "../support/responses.ts";

/** An independent implementation of the contract. */
function signatureOf({ method, target, headers, body }: Received): string {
  const [path, query = ""] = target.split("?");
  const hash = createHash("sha256").update(body, "utf8").digest("hex");
  const text = `${headers.get("x-timestamp")}\n${method}\n${path}\n${query}\n${hash}`;
  return `v1=${createHmac("sha256", client.clientSecret).update(text).digest("hex")}`;
}

it("signs the base path, the query and the body as sent", async () => {
  const listener = await listen((socket, received) => socket.write(healthy(received)));
  const { provider } = connect(`${listener.url}/bank/v9/`, { now: () => 1_769_860_800_999 });
  await provider
    .listCards({ userReference: "usr_1", status: "a&b=c d/é", page: 1, pageSize: 20 })
    .catch(() => {});
  await provider.submitKyc({ ...newKycRequest("zoë@example.com"), ...kycReference, reference: "kyc/1?x" });
  await provider.findKyc(kycQuery);

  const [list, submit, find] = listener.requests;
  expect(list?.target).toBe(
    "/bank/v9/v1/cards?userReference=usr_1&status=a%26b%3Dc+d%2F%C3%A9&page=1&pageSize=20&sort=-createdAt%2CcardId",
  );
  expect(submit?.target).toBe("/bank/v9/v1/kyc/kyc%2F1%3Fx");
  expect(submit?.body).toContain("zoë@example.com");
  expect(submit?.headers.get("content-type")).toBe("application/json");
  expect(find?.target).toBe("/bank/v9/v1/kyc/kyc_1");
  for (const received of listener.requests) {
    expect(received.headers.get("x-client-id")).toBe(client.clientId);
    expect(received.headers.get("accept-encoding")).toBe("identity");
    expect(received.headers.get("x-timestamp")).toBe("1769860800");
    expect(received.headers.get("x-signature")).toBe(signatureOf(received));
  }
});

it("signs every attempt with its own timestamp", async () => {
  let now = 1_769_860_800_000;
  const listener = await listen((socket, _, count) => {
    now += 7_000;
    socket.write(count < 3 ? http(503) : http(200, page()));
  });
  const { provider } = connect(listener.url, { now: () => now });
  await provider.listCards({ userReference: "usr_1", page: 1, pageSize: 20 });

  const stamps = listener.requests.map(({ headers }) => headers.get("x-timestamp"));
  expect(stamps).toEqual(["1769860800", "1769860807", "1769860814"]);
  for (const received of listener.requests) {
    expect(received.headers.get("x-signature")).toBe(signatureOf(received));
  }
  expect(new Set(listener.requests.map(({ headers }) => headers.get("x-signature"))).size).toBe(3);
});

it("rejects an invalid base URL or client id without quoting it", async () => {
  const urls = [
    "ftp://provider.example",
    "nonsense",
    "https://user:pw@provider.example",
    "https://p.example/?q=1",
  ];
  for (const url of urls) expect(() => connect(url)).toThrow(/^baseUrl must [^:]*$/);
  const { url } = await listen(always(200, page()));
  expect(() => connect(url, { clientId: "a\r\nb" })).toThrow("clientId must be visible ASCII characters.");
});

import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";

/*
 * pnpm try:airwallex: creates one cardholder in Airwallex's demo environment, step by step, and compares each response
 * with the adapter's expectations. It was written without access to that environment.
 */

const { values } = parseArgs({
  options: { email: { type: "string", default: `cardbridge-${Date.now()}@example.com` } },
});
const names = ["PROVIDER_URL", "PROVIDER_FILES_URL", "PROVIDER_CLIENT_ID", "PROVIDER_CLIENT_SECRET"];
const missing = names.filter((name) => !process.env[name]);
if (missing.length > 0) fail(`Set ${missing.join(", ")}.`);
const [api, files, clientId, apiKey] = names.map((name) => process.env[name]);
for (const url of [api, files]) {
  const isTest = /(^|[.-])(demo|sandbox)\.|^(localhost|127\.0\.0\.1)$/.test(new URL(url).hostname);
  if (!isTest) fail(`${url} is not the demo environment: this script creates a cardholder.`);
}

const image = await readFile(new URL("../apps/api/samples/document-front.jpg", import.meta.url));
const applicant = {
  email: values.email,
  name: "Ada Example",
  birthday: "1990-01-31",
  documentType: "passport",
  documentNumber: "E1234567X",
  documentCountry: "HK",
  documentExpiryDate: "2034-05-01",
  frontImageUrl: "https://cardbridge.invalid/front.jpg",
  selfieImageUrl: "https://cardbridge.invalid/selfie.jpg",
  phoneCountryCode: "+852",
  phoneNumber: String(Date.now()).slice(-8),
  gender: "female",
  annualIncome: "20000-50000",
  occupation: "Engineer",
  position: "Engineer",
  nationality: "HK",
  contactAddress: "38 Example Road, Hong Kong, 999077, HK",
};
let differences = 0;

const login = await call("log in", `${api}/api/v1/authentication/login`, {
  method: "POST",
  headers: { "x-client-id": clientId, "x-api-key": apiKey },
});
expect("a token", typeof login.body?.token === "string", Object.keys(login.body ?? {}));
expect("expires_at within 30 minutes", isSoon(login.body?.expires_at), login.body?.expires_at);
const headers = { authorization: `Bearer ${login.body?.token}`, "x-api-version": "2025-06-30" };
const cardholders = `${api}/api/v1/issuing/cardholders`;
const byEmail = `${cardholders}?${new URLSearchParams({ email: values.email, page_num: "0", page_size: "10" })}`;

const before = await call("search for the e-mail address", byEmail, { headers });
expect("an empty list without more pages", isList(before.body, 0), before.body?.items?.length);

const steps = new Map();
const ids = { idOf: async () => steps.get("cardholder")?.id ?? null, userOf: async () => null };
const observer = { observe: (event, labels) => print(`  observed ${event} ${JSON.stringify(labels)}`) };
const { createAirwallexProvider } = await import("../packages/provider/src/index.ts");
const provider = createAirwallexProvider({ baseUrl: api, filesUrl: files, clientId, apiKey, ids, observer });
const request = {
  reference: "kyc_try",
  userReference: "usr_try",
  renews: null,
  applicant,
  files: { open: async () => new Blob([image], { type: "image/jpeg" }), url: (url) => url },
  steps: {
    done: async (name) => steps.get(name),
    async keep(name, result) {
      steps.set(name, result);
      print(`  stored the step ${name}`);
    },
  },
};
title("submit through the adapter");
const answer = await provider.submitKyc(request);
expect("answered, with READY or PENDING", ["READY", "PENDING"].includes(answer.subStatus), answer);

const after = await call("search for the e-mail address again", byEmail, { headers });
expect("one cardholder immediately", isList(after.body, 1), after.body?.items?.length);
const [cardholder] = after.body?.items ?? [];
expect("its id", cardholder?.cardholder_id === steps.get("cardholder")?.id, Object.keys(cardholder ?? {}));

title("submit again, as after a lost response");
steps.delete("cardholder");
const again = await provider.submitKyc(request);
expect("the same answer, without a second cardholder", again.subStatus === answer.subStatus, again);

title("submit again, as another user");
steps.clear();
const other = await provider.submitKyc(request);
expect("unknown, because the cardholder may belong to another user", other.outcome === "unknown", other);

const create = { ...headers, "content-type": "application/json" };
const body = JSON.stringify({ type: "INDIVIDUAL", email: values.email, individual: {} });
const invalid = await call("create without a name", `${cardholders}/create`, {
  method: "POST",
  headers: create,
  body,
});
const isRefusal = invalid.status === 400 && typeof invalid.body?.code === "string";
expect(
  "400 with a code and a source",
  isRefusal,
  `${invalid.status} ${invalid.body?.code} ${invalid.body?.source}`,
);

const unknown = await call("read an unknown card", `${api}/api/v1/issuing/cards/unknown`, { headers });
expect("404 with a code", unknown.status === 404 && Boolean(unknown.body?.code), unknown.status);

title("list the cards");
steps.set("cardholder", { id: cardholder?.cardholder_id });
const cards = await provider.listCards({ userReference: "usr_try", page: 1, pageSize: 20 });
expect("none", cards.total === 0, cards.total);

title("renew through the adapter");
const isKept = (name) => name !== "cardholder" && steps.has(name);
const renewing = { ...request.steps, done: async (name) => (isKept(name) ? steps.get(name) : undefined) };
const renewed = await provider.submitKyc({ ...request, renews: request.reference, steps: renewing });
expect("answered, with READY or PENDING", ["READY", "PENDING"].includes(renewed.subStatus), renewed);
expect("the same cardholder", steps.get("cardholder")?.id === cardholder?.cardholder_id, renewed);

const open = `${api}/api/v1/rfis?types=CARDHOLDER&statuses=ACTION_REQUIRED&page_size=100`;
const rfis = await call("list the open requests for information", open, { headers });
expect("200, a list", rfis.status === 200 && Array.isArray(rfis.body?.items), rfis.status);

await provider.close();
print(
  differences === 0
    ? "\nEverything is as expected."
    : `\n${differences} responses differ from the adapter's expectations.`,
);
process.exitCode = differences === 0 ? 0 : 1;

function isSoon(text) {
  const left = Date.parse(text) - Date.now();
  return left > 0 && left <= 31 * 60_000;
}

function isList(list, count) {
  return list?.has_more === false && list.items?.length === count;
}

async function call(name, url, options) {
  title(name);
  const response = await fetch(url, options);
  const parsed = await response.json().catch(() => undefined);
  print(`  status ${response.status}`);
  return { status: response.status, body: parsed };
}

function expect(expected, holds, found) {
  if (!holds) differences += 1;
  print(
    `  ${holds ? "as expected" : "DIFFERS"}: ${expected}${holds ? "" : `; found ${JSON.stringify(found)}`}`,
  );
}

function title(text) {
  print(`\n${text}`);
}

function print(text) {
  process.stdout.write(`${text}\n`);
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(2);
}

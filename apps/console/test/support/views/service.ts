import type { Page } from "playwright-core";
import { change, refuse } from "../answers.ts";
import type { World } from "../people.ts";
import { dialog, opens, press, pressInDialog, typed, type View } from "./view.ts";

const operator = { as: "omar" } as const;
const administrator = { as: "ada" } as const;
const platforms = { ...administrator, path: "/platforms", shows: "text=Demo Two", tab: "Platforms" };
const keys = { ...administrator, path: "/platforms/keys", shows: "text=reports", tab: "Keys" };
const persons = { ...administrator, path: "/platforms/persons", shows: "text=Vera", tab: "Persons" };
const endpoints = {
  ...operator,
  ...{ path: "/webhooks/endpoints?platform=plt_demo_one", shows: "text=/gone", tab: "Endpoints" },
};
const system = { ...operator, path: "/system", shows: "text=RATE_LIMIT_READS" };
const verify = { path: "/audit/verify", shows: "text=Recomputes", tab: "Verify" };

/** Pauses the provider, unless it is paused. The last view resumes it. */
async function paused(_page: Page, { call }: World) {
  const { pauses } = await call<{ pauses: object[] }>("omar", "pauses.list", { active: true });
  if (pauses.length > 0) return;
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await call("omar", "pauses.pauseProvider", { reason: "Maintenance", until });
  await call("omar", "pauses.pausePlatform", { platformId: "plt_demo_two", reason: "A leaked key", until });
}
const alarmed = async (page: Page, world: World) => {
  await paused(page, world);
  await change<{ provider: object }>(page, "service.status", ({ provider, ...status }) => ({
    ...{ ...status, restoreCheckedAt: null },
    provider: { ...provider, breakers: { cards: "open", kyc: "half-open" } },
  }));
};

/** Home, platforms, keys, persons, webhooks, the audit and the system. The last ones show two pauses. */
export const serviceViews: Record<string, View> = {
  "sign-in": { as: "nobody", path: "/queue", shows: "text=Sign in" },
  "home that is calm": {
    ...{ path: "/", shows: "text=All is well" },
    before: async (page) => {
      await change<object>(page, "records.counts", (counts) => ({
        ...counts,
        ...{ needsAttention: 0, open: 0, oldestOpenAt: null },
      }));
      await change<object>(page, "webhooks.endpointHealth", (health) => ({ ...health, failing: [] }));
    },
  },
  "home without the service": {
    ...{ path: "/", shows: "text=Some of this is not known" },
    before: async (page) => {
      for (const name of ["service.status", "webhooks.endpointHealth", "records.counts", "pauses.list"])
        await refuse(page, name, 500, "INTERNAL_ERROR");
    },
  },
  request: {
    ...{ path: ({ requestId }) => `/requests/${requestId}`, shows: "text=records.resolve" },
  },

  platforms,
  "platform that is renamed": { ...platforms, act: opens("Rename") },
  "platforms that are refused": {
    ...{ ...platforms, shows: "text=You may not see this" },
    before: (page) => refuse(page, "platforms.list", 403, "ROLE_MISSING"),
  },
  keys,
  "keys without a match": {
    ...administrator,
    ...{ path: "/platforms/keys?platform=plt_none&unused=true", shows: "text=No key matches" },
  },
  "key that is created": {
    ...keys,
    act: async (page) => {
      await opens("New key")(page);
      await dialog(page).getByLabel("Platform").selectOption("internal");
      await dialog(page).getByText("Operators: manage keys").waitFor();
    },
  },
  "key that is shown once": {
    ...keys,
    act: async (page) => {
      await opens("New key")(page);
      await dialog(page).getByLabel("Platform").selectOption("plt_demo_one");
      await dialog(page).getByLabel("Name").fill(typed);
      await dialog(page).getByLabel("Read cards").check();
      await pressInDialog(page, "New key");
      await page.getByText("You see this once").waitFor();
    },
  },
  "key that is revoked": { ...keys, act: opens("Revoke…") },
  "key that is rotated in vain": {
    ...keys,
    before: (page) => refuse(page, "keys.rotate", 409, "KEY_CONFLICT"),
    act: async (page) => {
      await opens("Rotate")(page);
      await pressInDialog(page, "Rotate");
      await page.getByText("Nothing was changed.").waitFor();
    },
  },
  persons,
  "person who is blocked": { ...persons, act: opens("Block…") },
  "keys of a person": {
    ...persons,
    before: (page) => {
      const key = { keyId: "key_1", platformId: "plt_demo_two", name: "gateway", prefix: "cb_test_a1" };
      return change<object>(page, "keys.list", () => ({ keys: [{ ...key, lastUsedAt: null }], more: false }));
    },
    act: async (page) => {
      await opens("Keys…")(page);
      await dialog(page).getByText("gateway").waitFor();
    },
  },

  deliveries: { ...operator, path: "/webhooks", shows: "text=HTTP 204", tab: "Deliveries" },
  "deliveries without a match": {
    ...operator,
    ...{ path: "/webhooks?record=kyc_none", shows: "text=No delivery matches" },
  },
  "deliveries that are sent again": {
    ...operator,
    ...{ path: "/webhooks", shows: "text=HTTP 204" },
    before: (page) =>
      change<object>(page, "webhooks.redeliverMany", () => ({
        matching: 1_000,
        redelivered: 1_000,
        more: false,
      })),
    act: async (page) => {
      await opens("Redeliver failed…")(page);
      await dialog(page)
        .getByText(/failed deliveries match/)
        .waitFor();
      await pressInDialog(page, "Redeliver");
      await dialog(page)
        .getByText(/deliveries are sent again/)
        .waitFor();
    },
  },
  "delivery that is late": {
    ...operator,
    ...{ path: ({ delivery }) => delivery, shows: "text=HTTP 503" },
    act: (page) => page.getByText("Start of the answer").first().click(),
  },
  "delivery that does not exist": {
    ...operator,
    ...{ path: "/webhooks/plt_1/whe_1/whd_none", shows: "text=No such delivery" },
  },
  "endpoints of no platform": {
    ...operator,
    ...{ path: "/webhooks/endpoints", shows: "text=Endpoints belong to a platform" },
  },
  endpoints: {
    ...endpoints,
    act: async (page) => {
      await press(page, "Test");
      await page.getByText("A test is on its way.").waitFor();
    },
  },
  "endpoint that is changed": { ...endpoints, act: opens("Change") },
  "endpoint that is deleted": { ...endpoints, act: opens("Delete…") },
  "endpoint's new secret": {
    ...endpoints,
    act: async (page) => {
      await opens("New secret")(page);
      await pressInDialog(page, "New secret");
      await page.getByText("You see this once").waitFor();
    },
  },

  audit: { path: "/audit", shows: "text=records.resolve", tab: "All entries" },
  "audit of evidence": {
    ...{ path: "/audit?operation=records.submission", shows: "text=request of an authority" },
    tab: "Evidence opened",
  },
  "audit without a match": { path: "/audit?subject=kyc_none", shows: "text=No entry matches" },
  "audit that is exported": {
    ...{ path: "/audit", shows: "text=records.resolve" },
    act: async (page) => {
      await opens("Export as CSV")(page);
      await pressInDialog(page, "Export");
      await dialog(page)
        .getByText(/entries are saved/)
        .waitFor();
    },
  },
  "audit that is verified": {
    ...verify,
    act: async (page) => {
      await press(page, "Verify");
      await page.getByText("The audit is intact.").waitFor();
    },
  },
  "audit that is being verified": {
    ...verify,
    before: (page) => change<object>(page, "audit.verify", (batch) => ({ ...batch, problems: [], next: 1 })),
    act: async (page) => {
      await press(page, "Verify");
      await page.getByText(/entries so far/).waitFor();
    },
  },
  "audit that was changed": {
    ...verify,
    before: (page) =>
      change<object>(page, "audit.verify", (batch) => ({
        ...batch,
        problems: ["Checkpoint 84: wrong hash."],
      })),
    act: async (page) => {
      await press(page, "Verify");
      await page.getByText("the audit was changed").waitFor();
    },
  },
  "case file": {
    path: ({ approved }) => `/audit/case-file?record=${approved.kycRecordId}`,
    ...{ shows: "text=without us", tab: "Case file" },
    act: async (page) => {
      await press(page, "Create and download");
      await page.getByText(/audit entries with proofs/).waitFor();
    },
  },

  system,
  "system for support": { as: "sam", path: "/system", shows: "text=RATE_LIMIT_READS" },
  "system that is paused": {
    ...system,
    act: async (page) => {
      await opens("Pause provider…")(page);
      await dialog(page).getByLabel("Why").fill(typed);
      await dialog(page).getByLabel("Type PAUSE to confirm").fill("PAUSE");
    },
  },
  "home with alarms": { ...operator, path: "/", shows: "text=2 pauses are active", before: alarmed },
  "queue with two pauses": { path: "/queue", shows: "text=and 1 more", before: paused },
  "system with pauses": { ...system, shows: "text=A leaked key", before: alarmed, act: opens("Resume…") },
};

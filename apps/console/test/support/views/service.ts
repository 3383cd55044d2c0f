import type { Page } from "playwright-core";
import { change, refuse } from "../answers.ts";
import { dialog, type World } from "../people.ts";
import { opens, pressInDialog, typed, type View } from "./view.ts";

const operator = { as: "omar" } as const;
const system = { ...operator, path: "/system", shows: "text=Four eyes" };
/** The dialog that verifies the audit, until it shows a text. */
const verified = (text: string | RegExp): View => ({
  ...{ path: "/audit", shows: "table tbody tr" },
  act: async (page) => {
    await opens("Verify…")(page);
    await pressInDialog(page, "Verify");
    await dialog(page).getByText(text).waitFor();
  },
});

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

/** Home, the audit and the system. The last ones show two pauses. */
export const serviceViews: Record<string, View> = {
  "sign-in": { as: "nobody", path: "/queue", shows: "text=Sign in" },
  "sign-in over a view that waits": {
    ...{ path: "/system", shows: "text=Version" },
    act: async (page) => {
      await page.context().clearCookies();
      await page.evaluate("new BroadcastChannel('session').postMessage('signed-in')");
      await page.getByText("You were signed out").waitFor();
    },
  },
  "sign-in that has ended in its window": { path: "/signed-in", shows: "text=You are signed in" },
  "home that is calm": {
    ...{ path: "/", shows: "text=All is well" },
    before: async (page) => {
      await change<object>(page, "records.counts", (counts) => ({
        ...counts,
        ...{ needsAttention: 0, open: 0, oldestOpenAt: null },
      }));
      await change<object>(page, "webhooks.endpointHealth", (health) => ({ ...health, endpoints: [] }));
    },
  },
  "home without the service": {
    ...{ path: "/", shows: "text=Some of this is not known" },
    before: async (page) => {
      for (const name of ["service.status", "webhooks.endpointHealth", "records.counts", "pauses.list"])
        await refuse(page, name, 500, "INTERNAL_ERROR");
    },
  },
  audit: { path: "/audit", shows: "table tbody tr", tab: "All" },
  "audit of evidence": {
    ...{ path: "/audit?operation=records.submission&within=24h", shows: "text=request of an authority" },
    tab: "Evidence opened, 24 h",
  },
  "audit without a match": { path: "/audit?subject=kyc_none", shows: "text=No entry matches" },
  "audit that is saved": {
    ...{ path: "/audit", shows: "table tbody tr" },
    act: async (page) => {
      await opens("Download proof")(page);
      await pressInDialog(page, "Save the proof");
      await dialog(page)
        .getByText(/is saved, with/)
        .waitFor();
      await pressInDialog(page, "Save as CSV");
      await dialog(page)
        .getByText(/The table with/)
        .waitFor();
    },
  },
  "audit that is verified": verified("The audit is intact."),
  "audit that is being verified": {
    ...verified(/entries so far/),
    before: (page) => change<object>(page, "audit.verify", (batch) => ({ ...batch, problems: [], next: 1 })),
  },
  "audit that was changed": {
    ...verified("the audit was changed"),
    before: (page) =>
      change<object>(page, "audit.verify", (batch) => ({
        ...batch,
        problems: ["Checkpoint 84: wrong hash."],
      })),
  },
  system,
  "system for support": { as: "sam", path: "/system", shows: "text=Four eyes" },
  "system that is paused": {
    ...system,
    act: async (page) => {
      await opens("Pause provider…")(page);
      await dialog(page).getByLabel("Why").fill(typed);
      await dialog(page).getByLabel("Type PAUSE to confirm").fill("PAUSE");
    },
  },
  "home with alarms": { ...operator, path: "/", shows: "text=2 pauses are active", before: alarmed },
  "queue with two pauses": { path: "/queue", shows: "text=+ 1 more", before: paused },
  "system with pauses": { ...system, shows: "text=A leaked key", before: alarmed, act: opens("Resume…") },
  "platform that is paused": {
    ...operator,
    path: "/platforms/plt_demo_two",
    shows: "text=all calls are refused",
  },
};

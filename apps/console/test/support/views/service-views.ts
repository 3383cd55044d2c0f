import type { Page } from "playwright-core";
import type { View } from "./check-view.ts";
import type { FakeState } from "./procedures.ts";
import { Refusal } from "./refusal.ts";
import { personWith, platforms } from "./rows.ts";
import { failingEndpoints, platformPause, providerPause } from "./service.ts";

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().click();
const dialog = (page: Page) => page.getByRole("dialog");
/** Types the word that the dialog asks for, as its label has it: the marked words have marks. */
const typeWord = async (page: Page) => {
  const label = dialog(page).locator("label", { hasText: /to confirm/ });
  const [, word = ""] = /Type (.*) to confirm/.exec((await label.textContent()) ?? "") ?? [];
  await dialog(page)
    .getByLabel(/to confirm/)
    .fill(word);
};
const platform = platforms[0]?.platformId ?? "";

/** The views of home, platforms, keys, persons, webhooks, the audit and the system, in their states. */
export function serviceViews(state: FakeState): Record<string, View> {
  const as = (role: Parameters<typeof personWith>[0]) => () => {
    state.me = personWith(role);
  };
  const fails = (name: string, status: number, code: string) => () =>
    void state.failures.set(name, new Refusal(status, code, "It is not possible now."));
  const delivery = (status: string) => {
    const found = state.service.deliveries.find((one) => one.status === status && one.attempts > 0);
    return `/webhooks/${found?.platformId}/${found?.endpointId}/${found?.deliveryId}`;
  };
  const endpoints = `/webhooks/endpoints?platform=${platform}`;
  const calm = () => {
    state.rows = state.rows.filter(
      ({ needsAttentionSince, createdAt }) =>
        needsAttentionSince === null && Date.parse(createdAt) > Date.now() - 3 * 3_600_000,
    );
  };
  const alarmed = () => {
    state.service.pauses = [providerPause()];
    state.service.breakers = { cards: "open", kyc: "half-open" };
    state.service.failing = failingEndpoints();
  };

  return {
    "home that is calm": { path: () => "/", shows: "text=All is well", before: calm },
    "home with alarms": { path: () => "/", shows: "text=1,000", before: alarmed },
    "home without the service": {
      path: () => "/",
      shows: "text=Some of this is not known",
      before: () => {
        for (const name of ["service.status", "webhooks.endpointHealth", "records.counts", "pauses.list"])
          fails(name, 500, "INTERNAL_ERROR")();
      },
    },
    "queue with two pauses": {
      path: () => "/queue",
      shows: "text=and 1 more",
      before: () => {
        state.service.pauses = [providerPause(), platformPause()];
      },
    },
    "queue that is requeued": {
      path: () => "/queue",
      shows: "tr[data-record]",
      act: async (page) => {
        await button(page, "Requeue all…");
        await dialog(page)
          .getByText(/records need attention/)
          .waitFor();
      },
    },
    platforms: { path: () => "/platforms", shows: "text=Demo One", before: as("administrator") },
    "platform that is renamed": {
      path: () => "/platforms",
      shows: "text=Demo One",
      before: as("operator"),
      act: (page) => button(page, "Rename"),
    },
    "platforms that are refused": {
      path: () => "/platforms",
      shows: "text=You may not see this",
      before: fails("platforms.list", 403, "ROLE_MISSING"),
    },
    keys: { path: () => "/platforms/keys", shows: "text=cb_live_k1Yx", before: as("administrator") },
    "keys without a match": {
      path: () => "/platforms/keys?platform=plt_none&unused=true",
      shows: "text=No key matches",
      before: as("administrator"),
    },
    "key that is created": {
      path: () => "/platforms/keys",
      shows: "text=cb_live_k1Yx",
      before: () => {
        as("administrator")();
        state.me.signInRequiredAt = null;
      },
      act: async (page) => {
        await button(page, "New key");
        await dialog(page).getByLabel("Platform").selectOption("internal");
        await dialog(page).getByText("Operators: manage keys").waitFor();
      },
    },
    "key that is shown once": {
      path: () => "/platforms/keys",
      shows: "text=cb_live_k1Yx",
      before: as("administrator"),
      act: async (page) => {
        await button(page, "New key");
        await dialog(page).getByLabel("Name").fill("reports");
        await dialog(page).getByLabel("Read cards").check();
        await dialog(page).getByRole("button", { name: "New key" }).click();
        await page.getByText("You see this once").waitFor();
      },
    },
    "key that is revoked": {
      path: () => "/platforms/keys",
      shows: "text=cb_live_k1Yx",
      before: as("administrator"),
      act: async (page) => {
        await button(page, "Revoke…");
        await dialog(page)
          .getByLabel(/to confirm/)
          .fill("back");
      },
    },
    "key that is rotated in vain": {
      path: () => "/platforms/keys",
      shows: "text=cb_live_k1Yx",
      before: () => {
        as("administrator")();
        fails("keys.rotate", 409, "KEY_CONFLICT")();
      },
      act: async (page) => {
        await button(page, "Rotate");
        await dialog(page).getByRole("button", { name: "Rotate" }).click();
        await page.getByText("Nothing was changed.").waitFor();
      },
    },
    persons: { path: () => "/platforms/persons", shows: "text=Clarissa", before: as("administrator") },
    "person who is blocked": {
      path: () => "/platforms/persons",
      shows: "text=Clarissa",
      before: as("administrator"),
      act: (page) => button(page, "Block…"),
    },
    "keys of a person who was blocked": {
      path: () => "/platforms/persons",
      shows: "text=Clarissa",
      before: as("administrator"),
      act: async (page) => {
        await button(page, "Block…");
        await typeWord(page);
        await dialog(page).getByRole("button", { name: "Block" }).click();
        await dialog(page).getByText("mobile application gateway").waitFor();
        await typeWord(page);
        await dialog(page).getByRole("button", { name: "Revoke these" }).click();
        await dialog(page).getByText("has made no key that still works").waitFor();
      },
    },
    deliveries: { path: () => "/webhooks", shows: "text=HTTP 204", before: as("operator") },
    "deliveries without a match": {
      path: () => "/webhooks?record=kyc_none",
      shows: "text=No delivery matches",
      before: as("operator"),
    },
    "deliveries that are sent again": {
      path: () => "/webhooks",
      shows: "text=HTTP 204",
      before: as("operator"),
      act: async (page) => {
        await button(page, "Redeliver failed…");
        await dialog(page)
          .getByText(/failed deliveries match/)
          .waitFor();
        await dialog(page).getByRole("button", { name: "Redeliver" }).click();
        await dialog(page)
          .getByText(/deliveries are sent again/)
          .waitFor();
      },
    },
    "delivery that failed": {
      path: () => delivery("failed"),
      shows: "text=Attempt 12",
      before: as("operator"),
      act: (page) => page.getByText("Start of the answer").first().click(),
    },
    "delivery that does not exist": {
      path: () => "/webhooks/plt_1/whe_1/whd_none",
      shows: "text=No such delivery",
      before: as("operator"),
    },
    "endpoints of no platform": {
      path: () => "/webhooks/endpoints",
      shows: "text=Endpoints belong to a platform",
      before: as("operator"),
    },
    endpoints: {
      path: () => endpoints,
      shows: "text=old.demo-one",
      before: as("operator"),
      act: async (page) => {
        await button(page, "Test");
        await page.getByText("A test is on its way.").waitFor();
      },
    },
    "endpoint that is changed": {
      path: () => endpoints,
      shows: "text=old.demo-one",
      before: as("operator"),
      act: (page) => button(page, "Change"),
    },
    "endpoint that is deleted": {
      path: () => endpoints,
      shows: "text=old.demo-one",
      before: as("operator"),
      act: (page) => button(page, "Delete…"),
    },
    "endpoint's new secret": {
      path: () => endpoints,
      shows: "text=old.demo-one",
      before: as("operator"),
      act: async (page) => {
        await button(page, "New secret");
        await dialog(page).getByRole("button", { name: "New secret" }).click();
        await page.getByText("You see this once").waitFor();
      },
    },
    audit: { path: () => "/audit", shows: "text=records.resolve" },
    "audit of evidence": {
      path: () => "/audit?operation=records.submission",
      shows: "text=request of an authority",
    },
    "audit without a match": { path: () => "/audit?subject=kyc_none", shows: "text=No entry matches" },
    "audit that is exported": {
      path: () => "/audit",
      shows: "text=records.resolve",
      act: async (page) => {
        await button(page, "Export as CSV");
        await dialog(page).getByRole("button", { name: "Export" }).click();
        await dialog(page).getByText("120 entries are saved.").waitFor();
      },
    },
    "audit that is verified": {
      path: () => "/audit/verify",
      shows: "text=Recomputes",
      act: async (page) => {
        await button(page, "Verify");
        await page.getByText("The audit is intact.").waitFor();
      },
    },
    "audit that is being verified": {
      path: () => "/audit/verify",
      shows: "text=Recomputes",
      before: () => {
        state.service.batches = 1_000_000;
        state.delayMs = 50;
      },
      act: async (page) => {
        await button(page, "Verify");
        await page.getByText(/entries so far/).waitFor();
      },
    },
    "audit that was changed": {
      path: () => "/audit/verify",
      shows: "text=Recomputes",
      before: () => {
        state.service.problems = ["Checkpoint 84: the hash does not fit its entries."];
      },
      act: async (page) => {
        await button(page, "Verify");
        await page.getByText("the audit was changed").waitFor();
      },
    },
    "case file": {
      path: () => "/audit/case-file?record=kyc_01m80001",
      shows: "text=without us",
      act: async (page) => {
        await button(page, "Create and download");
        await page.getByText("3 audit entries").waitFor();
      },
    },
    system: {
      path: () => "/system",
      shows: "text=nationality",
      before: () => {
        as("operator")();
        state.service.pauses = [platformPause(), { ...providerPause("ended"), pauseId: "pause_old" }];
        state.service.restoreCheckedAt = null;
      },
    },
    "system for a viewer": { path: () => "/system", shows: "text=nationality", before: as("viewer") },
    "system that is paused": {
      path: () => "/system",
      shows: "text=nationality",
      before: as("operator"),
      act: async (page) => {
        await button(page, "Pause provider…");
        await dialog(page).getByLabel("Why").fill("Maintenance");
        await dialog(page)
          .getByLabel(/to confirm/)
          .fill("PAUSE");
      },
    },
    "system that resumes": {
      path: () => "/system",
      shows: "text=nationality",
      before: () => {
        as("operator")();
        state.service.pauses = [providerPause()];
      },
      act: (page) => button(page, "Resume…"),
    },
  };
}

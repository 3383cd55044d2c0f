import { change, refuse } from "../answers.ts";
import { dialog } from "../people.ts";
import type { Seeded } from "../seed.ts";
import { opens, press, pressInDialog, typed, type View } from "./view.ts";

const operator = { as: "omar" } as const;
const administrator = { as: "ada" } as const;
const platforms = { ...administrator, path: "/platforms", shows: "text=Demo Two", tab: "Platforms" };
const platform = { ...administrator, path: "/platforms/plt_demo_one", shows: "text=reports" };
const persons = { ...administrator, path: "/platforms/persons", shows: "text=Vera", tab: "Persons" };
const endpoint = {
  ...operator,
  ...{ path: ({ endpoint }: Seeded) => endpoint, shows: "text=HTTP 503" },
};

/** Platforms, keys, persons and webhooks. */
export const platformViews: Record<string, View> = {
  platforms,
  "platforms that are refused": {
    ...{ ...platforms, shows: "text=It is not possible now." },
    before: (page) => refuse(page, "platforms.list", 403, "SCOPE_MISSING"),
  },
  platform: { ...platform, act: opens("Rename") },
  "platform for operators": { ...platform, ...operator, shows: "text=of at most", act: opens("Pause…") },
  "platform that does not exist": {
    ...administrator,
    ...{ path: "/platforms/plt_none", shows: "text=No such platform" },
  },
  "key that has a successor": {
    ...platform,
    before: (page) =>
      change<{ keys: { createdAt: string }[]; more: boolean }>(
        page,
        "keys.list",
        ({ keys: [key], more }) => ({
          keys: [
            {
              ...key,
              keyId: "key_next",
              prefix: "cb_test_9Zx1",
              lastUsedAt: null,
              createdAt: new Date().toISOString(),
            },
            key,
          ],
          more,
        }),
      ),
    shows: "text=not used yet",
  },
  "internal apps": {
    ...administrator,
    ...{ path: "/platforms/internal", shows: "text=cb_int" },
    act: async (page) => {
      await opens("New key")(page);
      await dialog(page).getByText("Operators: manage keys").waitFor();
    },
  },
  "key that is shown once": {
    ...platform,
    act: async (page) => {
      await opens("New key")(page);
      await dialog(page).getByLabel("Name").fill(typed);
      await dialog(page).getByLabel("Read cards").check();
      await pressInDialog(page, "New key");
      await page.getByText("You see this once").waitFor();
    },
  },
  "key that is revoked": { ...platform, act: opens("Revoke…") },
  "key that is rotated in vain": {
    ...platform,
    before: (page) => refuse(page, "keys.rotate", 409, "KEY_CONFLICT"),
    act: async (page) => {
      await opens("Rotate")(page);
      await pressInDialog(page, "Rotate");
      await page.getByText("Nothing was changed.").waitFor();
    },
  },
  persons,
  "person who is blocked with the keys that the person made": {
    ...persons,
    before: (page) => {
      const key = { keyId: "key_1", platformId: "plt_demo_two", name: "gateway", prefix: "cb_test_a1" };
      return change<object>(page, "keys.list", () => ({ keys: [{ ...key, lastUsedAt: null }], more: false }));
    },
    act: async (page) => {
      await opens("Block…")(page);
      await dialog(page).getByLabel("Revoke these keys too").check();
    },
  },

  endpoints: { ...operator, path: "/webhooks", shows: "text=last: HTTP 503" },
  "endpoints without one": {
    ...{ ...operator, path: "/webhooks", shows: "text=No endpoints" },
    before: (page) => change<object>(page, "webhooks.endpointHealth", () => ({ endpoints: [], more: false })),
  },
  endpoint: {
    ...endpoint,
    act: async (page) => {
      await press(page, "Test");
      await page.getByText("A test is on its way.").waitFor();
    },
  },
  "endpoint that does not exist": {
    ...operator,
    ...{ path: "/webhooks/plt_demo_one/whe_none", shows: "text=No such endpoint" },
  },
  "endpoint that is created": {
    ...{ ...operator, path: "/webhooks", shows: "text=last: HTTP 503" },
    act: opens("New endpoint"),
  },
  "endpoint that is changed": { ...endpoint, act: opens("Change") },
  "endpoint that is deleted": { ...endpoint, act: opens("Delete…") },
  "endpoint's new secret": {
    ...endpoint,
    act: async (page) => {
      await opens("New secret")(page);
      await pressInDialog(page, "New secret");
      await page.getByText("You see this once").waitFor();
    },
  },
  "deliveries without a match": {
    ...operator,
    ...{ path: ({ endpoint }) => `${endpoint}?type=card.updated`, shows: "text=No delivery matches" },
  },
  "deliveries that are sent now": {
    ...endpoint,
    before: (page) =>
      change<object>(page, "webhooks.redeliverMany", () => ({
        matching: 1_000,
        redelivered: 1_000,
        more: false,
      })),
    act: async (page) => {
      await opens("Send waiting and failed now…")(page);
      await dialog(page)
        .getByText(/deliveries match/)
        .waitFor();
      await pressInDialog(page, "Send now");
      await dialog(page)
        .getByText(/deliveries are on their way/)
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
};

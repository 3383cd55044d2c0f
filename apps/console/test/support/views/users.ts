import type { Page } from "playwright-core";
import { change, refuse } from "../answers.ts";
import { dialog } from "../people.ts";
import type { Seeded } from "../seed.ts";
import { fourEyesOff, opens, pressInDialog, typed, type View } from "./view.ts";

const userOf = ({ externalUserId }: Seeded["stuck"]) => `/users/plt_demo_one/${externalUserId}`;
/** A demo user with cards. */
const alice = "/users/plt_demo_one/usr_6c5r2t0x9m8n3qk7vdzh1e4w5p";
const user = { path: alice, shows: "text=4001" };
const approvalOf = ({ proposed }: Seeded) => `/records/${proposed.kycRecordId}`;
const held = { path: ({ approved }: Seeded) => userOf(approved), shows: "text=HKMA-2027/118" };
const noProposals = (page: Page) =>
  change<object>(page, "proposals.list", (list) => ({ ...list, proposals: [], waitingForMe: 0 }));

/** Types into the search, and waits for what it finds. */
const finds = (text: string) => async (page: Page) => {
  await page.getByRole("combobox", { name: "Search" }).fill(text);
  await page.getByRole("option").first().waitFor();
};

/** Users with the acts on them, and proposals. */
export const userViews: Record<string, View> = {
  "search: a user": { path: "/queue", shows: "role=combobox", act: finds("alice@demo.cardbridge.test") },
  "search: a platform": { path: "/queue", shows: "role=combobox", as: "omar", act: finds("Demo") },
  "search: nothing": {
    ...{ path: "/queue", shows: "role=combobox" },
    act: async (page) => {
      await page.getByRole("combobox", { name: "Search" }).fill(typed);
      await page.getByText("Nothing found.").waitFor();
    },
  },
  user,
  "user without the provider": {
    ...{ path: alice, shows: "text=The provider cannot be reached" },
    before: (page) => refuse(page, "users.cards", 503, "PROVIDER_UNAVAILABLE"),
  },
  "user who is refused": {
    ...{ path: alice, shows: "text=It is not possible now." },
    before: (page) => refuse(page, "users.show", 403, "SCOPE_MISSING"),
  },
  "user who is erased": {
    ...{ path: alice, shows: "text=This user is erased." },
    before: (page) => change<object>(page, "users.show", (shown) => ({ ...shown, erasure: "erased" })),
  },
  "user with a renewal under way": {
    ...{ path: alice, shows: "text=The standing approval" },
    before: (page) =>
      change<object>(page, "users.show", (shown) => {
        const [id, later] = ["kyc_01jexample0000000000000000", "kyc_01m8example000000000000000"];
        const record = { kycRecordId: id, resolution: "answered", status: "APPROVED", renews: null };
        const approval = { ...record, documentExpiry: "expired", createdAt: "2025-01-31T12:00:00.000Z" };
        const changes = { kycRecordId: later, status: "PENDING_APPROVAL", documentExpiry: null, renews: id };
        const renewal = { ...approval, ...changes, createdAt: new Date().toISOString() };
        const records = [renewal, approval].map((one) => ({ ...one, needsAttentionSince: null }));
        return { ...shown, standingApproval: id, records };
      }),
  },
  "user with a hold": held,
  "user: identifiers": {
    ...user,
    act: async (page) => {
      await opens("Reveal…")(page);
      await page.getByLabel("The person asks for it").check();
      await pressInDialog(page, "Reveal");
      await page.getByText("alice@demo.cardbridge.test").waitFor();
    },
  },
  "user: new identifiers": { ...user, act: opens("Change…") },
  "user: new identifiers by one person": { ...user, before: fourEyesOff, act: opens("Change…") },
  "user: an export": { ...user, act: opens("Export…") },
  "user: a hold whose case has a space": {
    ...user,
    act: async (page) => {
      await opens("Place…")(page);
      await dialog(page).getByLabel("Case").fill(typed);
      await page.getByText("Up to 100 letters").waitFor();
    },
  },
  "user: an erasure": { ...user, act: opens("Erase…") },
  "user: an erasure by one person": { ...user, before: fourEyesOff, act: opens("Erase…") },
  "user: a lifted hold": { ...held, act: opens("Lift…") },
  "user: a lifted hold by one person": { ...held, before: fourEyesOff, act: opens("Lift…") },

  proposals: { path: "/proposals", shows: "text=Approve a verification" },
  "no proposals": { path: "/proposals", shows: "text=No proposals", before: noProposals },
  "proposals that fail": {
    ...{ path: "/proposals", shows: "[role=alert]" },
    before: (page) => refuse(page, "proposals.list", 403, "SCOPE_MISSING"),
  },
  "proposals of one person": {
    ...{ path: "/proposals", shows: "text=nothing new comes here" },
    before: async (page) => {
      await fourEyesOff(page);
      await noProposals(page);
    },
  },
  "record with a proposal": { path: approvalOf, shows: "text=proposes to approve this verification" },
  "user with a proposal of new identifiers": {
    ...{ path: ({ pending }) => userOf(pending), shows: "text=new@example.com" },
  },
  "user with a proposal of an erasure that asks for the word": {
    ...{ path: ({ rejected }) => userOf(rejected), shows: "text=Confirm…" },
    act: opens("Confirm…"),
  },
  "user with a proposal of one's own": { ...held, shows: "text=You proposed it" },
  "record whose proposal changed meanwhile": {
    ...{ path: approvalOf, shows: "text=Confirm…" },
    before: (page) => refuse(page, "proposals.confirm", 409, "PROPOSAL_CONFLICT", "changed"),
    act: async (page) => {
      await opens("Confirm…")(page);
      await pressInDialog(page, "Confirm");
      await page.getByText("so the proposal is void").waitFor();
    },
  },
};

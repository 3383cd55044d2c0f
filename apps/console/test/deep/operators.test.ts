import { readFile } from "node:fs/promises";
import { afterEach, expect, it } from "vitest";
import { change, restore } from "../support/answers.ts";
import { describeInBrowser, dialog, focusInDialog, keptBy, press, watch } from "../support/people.ts";
import { submitStuck } from "../support/seed.ts";

describeInBrowser("operators", (world) => {
  const pauses = async () => {
    const { pauses } = await world.call<{ pauses: { pauseId: string }[] }>("omar", "pauses.list", {
      active: true,
    });
    return pauses;
  };
  afterEach(async () => {
    for (const { pauseId } of await pauses()) await world.call("omar", "pauses.resume", { pauseId });
  });
  const open = async (person: "omar" | "ada" | "cleo", path: string) => {
    const page = await world.page(person);
    await page.goto(world.stack.url + path);
    return page;
  };

  it("pause the provider only after the typed word, say so on every view, and resume", async () => {
    const { kycRecordId } = await submitStuck(world, "paused");
    const page = await open("omar", "/system");
    const { faults } = watch(page);
    await press(page, "Pause provider…");
    await dialog(page).getByLabel("Why").fill("Maintenance");
    await page.keyboard.press("Enter");
    await dialog(page).getByLabel("Type PAUSE to confirm").fill("pause");
    await page.keyboard.press("Enter");
    expect(await pauses()).toEqual([]);
    await dialog(page).getByLabel("Type PAUSE to confirm").fill("PAUSE");
    await page.keyboard.press("Enter");
    const banner = page.getByRole("region", { name: "Paused now" });
    await banner.getByText("Why: Maintenance · by Omar Operator").waitFor({ state: "attached" });

    await page.goto(`${world.stack.url}/records/${kycRecordId}`);
    const paused = page.getByText("Nothing was sent.");
    // A process sees a pause within a second.
    do {
      await press(page, "Refresh");
      await paused.or(page.getByText("Nothing changed.")).first().waitFor();
    } while ((await paused.count()) === 0);
    expect(await page.getByText("not certain").count()).toBe(0);
    await banner.getByRole("link").press("Enter");
    await press(page, "Resume…");
    await press(page, "Resume");
    await expect.poll(pauses).toEqual([]);
    await banner.waitFor({ state: "detached" });
    expect(faults).toEqual([]);
  });

  it("block a person at once and revoke the keys that the person made, and end the block only after a recent sign-in", async () => {
    await world.call("vera", "persons.me");
    // A process caches a person for up to a second.
    const calls = () =>
      world.call("vera", "records.counts").then(
        () => "answered",
        ({ message }: Error) => message,
      );
    const page = await open("ada", "/platforms/persons");
    await change<object>(page, "persons.me", (me) => ({ ...me, signInRequiredAt: null }));
    const key = { keyId: "key_made", platformId: "plt_demo_two", name: "gateway", prefix: "cb_test_a1" };
    await change<object>(page, "keys.list", () => ({ keys: [{ ...key, lastUsedAt: null }], more: false }));
    const revoked: string[] = [];
    await page.route("**/keys.revoke", (route) => {
      revoked.push((route.request().postDataJSON() as { keyId: string }).keyId);
      // The first try fails after the block: then only the keys are left.
      if (revoked.length === 1) return route.abort();
      return route.fulfill({ json: { result: { data: {} } } });
    });
    await page.reload();
    const row = page.locator("tr").filter({ hasText: "Vera Viewer" });
    await row.getByRole("button", { name: "Block…" }).click();
    await focusInDialog(page);
    await dialog(page).getByLabel("Revoke these keys too").check();
    await dialog(page).getByLabel("Type BLOCK to confirm").fill("BLOCK");
    await page.keyboard.press("Enter");
    await dialog(page).getByLabel("Type REVOKE to confirm").waitFor();
    await expect.poll(calls).toContain("PERSON_BLOCKED");
    await dialog(page).getByLabel("Type REVOKE to confirm").fill("REVOKE");
    // The keys are read again after the block, and until then there is nothing to revoke.
    await expect.poll(() => dialog(page).getByRole("button", { name: "Revoke" }).isEnabled()).toBe(true);
    await dialog(page).getByLabel("Type REVOKE to confirm").focus();
    await page.keyboard.press("Enter");
    await dialog(page).waitFor({ state: "detached" });
    expect(revoked).toEqual(["key_made", "key_made"]);
    await press(page, "End the block");
    await dialog(page).getByRole("button", { name: "Sign in again" }).waitFor();
    expect(await dialog(page).getByRole("button", { name: "End the block" }).isDisabled()).toBe(true);
    restore(page);
    await page.reload();
    await press(page, "End the block");
    await dialog(page).getByRole("button", { name: "End the block" }).click();
    await dialog(page).waitFor({ state: "detached" });
    await expect.poll(calls).toBe("answered");
  });

  it("make a platform and its key, which is shown once and kept nowhere, and revoke it by its name", async () => {
    const page = await open("ada", "/platforms");
    const { urls } = watch(page);
    await press(page, "New platform");
    await dialog(page).getByLabel("Name").fill("Demo New");
    await press(page, "New platform");
    await page.getByRole("heading", { name: "Demo New" }).waitFor();
    await press(page, "New key");
    await dialog(page).getByText("The key is for Demo New.").waitFor();
    await dialog(page).getByLabel("Name").fill("reports");
    await dialog(page).getByLabel("Read cards").press("Space");
    await dialog(page).getByLabel("Name").press("Enter");
    const key = dialog(page).getByText(/cb_test_\w{20,}/);
    const secret = (await key.textContent()) ?? "";
    await page.keyboard.press("Escape");
    await key.waitFor();
    await dialog(page).getByLabel("I have stored it").press("Space");
    await press(page, "Close");
    await dialog(page).waitFor({ state: "detached" });
    for (const place of [await page.content(), await keptBy(page), ...urls])
      expect(place).not.toContain(secret);

    const states = async () => {
      const { keys } = await world.call<{ keys: { name: string; state: string }[] }>("ada", "keys.list");
      return keys.filter(({ name }) => name === "reports").map(({ state }) => state);
    };
    const row = page.locator("tr").filter({ hasText: "reports" });
    await row.getByRole("button", { name: "Revoke…" }).click();
    await focusInDialog(page);
    const word = dialog(page).getByLabel("Type reports to confirm");
    await word.fill("report");
    await word.press("Enter");
    expect(await states()).toEqual(["live"]);
    await word.fill("reports");
    await word.press("Enter");
    await dialog(page).waitFor({ state: "detached" });
    expect(await states()).toEqual(["revoked"]);
  });

  it("count before they send what waits or failed, repeat while more are left, and read how many", async () => {
    const platformId = "plt_demo_one";
    const input = { platformId, url: "https://hooks.example.com/failing", eventTypes: ["kyc.updated"] };
    const { endpointId } = await world.call<{ endpointId: string }>("omar", "webhooks.create", input);
    const page = await open("omar", "/webhooks");
    await page.getByRole("link", { name: "https://hooks.example.com/failing" }).click();
    await page.waitForURL(`**/webhooks/${platformId}/${endpointId}`);
    const previews: boolean[] = [];
    let left = 14;
    await page.route("**/webhooks.redeliverMany", async (route) => {
      const { preview, ...filter } = route.request().postDataJSON() as { preview: boolean };
      expect(filter).toMatchObject({
        endpointId,
        platformIds: [platformId],
        statuses: ["pending", "failed"],
      });
      previews.push(preview);
      const redelivered = preview ? 0 : Math.min(left, 5);
      left -= redelivered;
      const data = { matching: 14, redelivered, more: left > 0 };
      await route.fulfill({ json: { result: { data } } });
    });
    await press(page, "Send waiting and failed now…");
    await dialog(page).getByText("14 deliveries match.").waitFor();
    expect(previews).toEqual([true]);
    await press(page, "Send now");
    await dialog(page).getByText("14 deliveries are on their way.").waitFor();
    expect(previews).toEqual([true, false, false, false]);
  });

  it("requeue everything that needs attention, and see at once that nothing is left", async () => {
    await submitStuck(world, "requeued");
    const page = await open("omar", "/queue");
    await press(page, "Requeue all…");
    await dialog(page)
      .getByText(/need(s)? attention\.$/)
      .waitFor();
    await press(page, "Requeue");
    await dialog(page)
      .getByText(/tried again/)
      .last()
      .waitFor();
    await press(page, "Close");
    await page.getByText("Nothing needs attention").waitFor();
    await page.getByRole("button", { name: "Requeue all…" }).waitFor({ state: "detached" });
  });

  it("save all found entries of the audit as one table", async () => {
    const url = "https://hooks.example.com/cardbridge";
    const input = { platformId: "plt_demo_one", url, eventTypes: ["kyc.updated"] };
    for (let count = 0; count < 3; count += 1) await world.call("omar", "webhooks.create", input);
    // The page reads the entries once.
    const page = await open("cleo", "/audit?operation=webhooks.create");
    await press(page, "Download proof");
    const [download] = await Promise.all([page.waitForEvent("download"), press(page, "Save as CSV")]);
    const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n");
    const { entries } = await world.call<{ entries: object[] }>("cleo", "audit.list", {
      operation: "webhooks.create",
    });
    expect(lines).toHaveLength(1 + entries.length);
    expect(lines[1]).toMatch(/^"[^"]+","Omar Operator","per_\w+","key_\w+","webhooks\.create","whe_/);
  });

  it.each([
    ["vera", ["Home", "Queue", "System"], []],
    ["sam", ["Home", "Queue", "System"], ["Refresh", "Assign to me", "Add note"]],
    [
      "cleo",
      ["Home", "Queue", "Proposals", "Audit", "System"],
      ["Refresh", "Assign to me", "Add note", "Open evidence", "Enter the decision"],
    ],
    ["omar", ["Home", "Queue", "Webhooks", "Platforms", "System"], ["Refresh", "Assign to me", "Add note"]],
    ["ada", ["Home", "Queue", "Webhooks", "Platforms", "Audit", "System"], []],
  ] as const)("and all roles see their sections and acts only: %s", async (person, sections, acts) => {
    const { kycRecordId } = await submitStuck(world, `for-${person}`);
    const page = await world.page(person);
    const { urls } = watch(page);
    await page.goto(`${world.stack.url}/system`);
    await page.getByText("Four eyes").waitFor();
    const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
    const names = async () => (await links.allInnerTexts()).map((text) => text.split("\n")[0]);
    await expect.poll(names).toEqual(sections);
    const onPauses = page.getByRole("button", { name: /^(Pause|Resume)/ });
    await expect.poll(() => onPauses.count()).toBe(person === "omar" ? 1 : 0);

    await page.goto(`${world.stack.url}/records/${kycRecordId}`);
    await page.getByText("Submitted by the platform").waitFor();
    const offered = async () => {
      const buttons = await page.getByRole("main").getByRole("button").allInnerTexts();
      const all = ["Refresh", "Assign to me", "Add note", "Open evidence", "Enter the decision"];
      return all.filter((name) => buttons.some((text) => text.startsWith(name)));
    };
    await expect.poll(offered).toEqual(acts);
    if (person !== "cleo") expect(urls.filter((url) => /holds\.|proposals\./.test(url))).toEqual([]);
  });
});

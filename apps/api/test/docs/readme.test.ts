import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { startTestService } from "../support/test-service.ts";
import { playTour, tourBlocks } from "../support/tour.ts";
import { until } from "../support/until.ts";
import { createdEndpoint } from "../support/webhooks.ts";

const readme = await readFile(new URL("../../../../README.md", import.meta.url), "utf8");

it("the README is short", async () => {
  expect(readme.split(/\s+/).length).toBeLessThanOrEqual(900);
});

it("has a tour of working commands, from an upload to a locked card, which can be repeated", async ({
  onTestFinished,
}) => {
  const service = await startTestService();
  onTestFinished(service.stop);
  const { key, fetch } = service.caller();
  const { endpointId } = await createdEndpoint({ key, fetch });
  const members = [];
  const locked = [];
  for (let tours = 0; tours < 2; tours += 1) {
    const [submitted, read, cards, alice, bob, lock, ...more] = await playTour(service.url);
    expect(submitted).toMatchObject({ code: "KYC_SUBMITTED", status: "APPROVED" });
    expect(read).toMatchObject({ kycRecordId: submitted.kycRecordId });
    expect(cards).toMatchObject({ total: 1, items: [{ cardAccountId: submitted.cardAccountId }] });
    expect([alice.total, bob.page, more]).toEqual([4, 2, []]);
    members.push(submitted.externalUserId);
    expect(lock).toMatchObject({ act: "lock-card", externalUserId: submitted.externalUserId });
    locked.push(lock.cardId);
  }
  const deliveries = async () => {
    const path = `/openapi/v1/webhooks/${endpointId}/deliveries`;
    const response = await fetch(path, { headers: { authorization: `Bearer ${key}` } });
    const { items } = (await response.json()) as { items: { type: string }[] };
    return items.filter(({ type }) => type === "card.updated").length;
  };
  await until(async () => (await deliveries()) === locked.length);
  expect(new Set(members).size).toBe(2);
});

it("its blocks can be pasted into zsh as well, which knows no comments there and expands what is not quoted", async () => {
  const blocks = readme.matchAll(/^```sh.*\n([\s\S]*?)^```$/gm);
  const pasted = [...blocks].map(([, block = ""]) => block);
  expect(pasted.length).toBeGreaterThan((await tourBlocks()).length);
  for (const block of pasted) {
    const words = block.replaceAll(/<<(\w+)\n[\s\S]*?^\1$|'[^']*'|"[^"]*"/gm, "");
    expect(words).not.toMatch(/[#*?!~[\]]/);
  }
});

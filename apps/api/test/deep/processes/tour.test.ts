import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startService } from "../../support/service-process.ts";
import { playTour } from "../../support/tour.ts";

/** The tour of the README on the built service, whose Node version `SERVICE_NODE` selects. */
it("the built service runs the tour from an upload to a locked card, and ends with 0", async ({
  onTestFinished,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-tour-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const service = await startService({ DATA_DIR: folder });
  const [submitted, , cards, alice, bob, locked] = await playTour(service.url);
  expect(submitted).toMatchObject({ code: "KYC_SUBMITTED", status: "APPROVED" });
  expect([cards.total, alice.total, bob.page]).toEqual([1, 4, 2]);
  expect(locked).toMatchObject({ act: "lock-card", cardId: cards.items[0].cardId });
  expect(await service.end("SIGTERM")).toBe(0);
});

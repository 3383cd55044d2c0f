import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, vi } from "vitest";
import type { World } from "./people.ts";
import type { Submitted } from "./stack.ts";

const platformId = "plt_demo_one";
const sample = (name: string) => readFileSync(new URL(`../../../api/samples/${name}`, import.meta.url));
const note = "The provider approved it by telephone.";
/** A name that must reach no address, title or storage. */
export const canary = "Canary Seven";

/** A PDF with so many empty pages. */
export function pdfOf(pages: number): Buffer<ArrayBuffer> {
  const numbers = Array.from({ length: pages }, (_, index) => index + 3);
  const objects = [
    "1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj",
    `2 0 obj <</Type/Pages/Count ${pages}/Kids[${numbers.map((n) => `${n} 0 R`).join(" ")}]>> endobj`,
    ...numbers.map((n) => `${n} 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]>> endobj`),
  ];
  return Buffer.from(`%PDF-1.4\n${objects.join("\n")}\ntrailer <</Size ${pages + 3}/Root 1 0 R>>\n%%EOF\n`);
}

/** Submits a record that no worker attempts, with evidence of every kind. */
export async function submitStuck({ stack }: World, memberId: string): Promise<Submitted> {
  const submitted = await stack.submit(memberId, `${memberId}+mismatched@demo.cardbridge.test`, {
    name: canary,
    frontImageUrl: await stack.upload("document_front", sample("document-front.jpg")),
    selfieImageUrl: await stack.upload("selfie", sample("selfie.jpg")),
    supportingDocuments: [
      { documentType: "UTILITY_BILL", fileUrl: await stack.upload("supporting_document", pdfOf(12)) },
      { documentType: "BANK_STATEMENT", fileUrl: "https://files.example.com/statement.pdf" },
    ],
  });
  await stack.needAttention(submitted.kycRecordId);
  return submitted;
}

/** Cora or Cleo opens the evidence of a record and proposes to approve it. Returns the proposal's id. */
export async function proposeApproval(
  { call }: World,
  kycRecordId: string,
  person: "cleo" | "cora",
): Promise<string> {
  const { version, evidenceHash } = await call<{ version: string; evidenceHash: string }>(
    person,
    "records.submission",
    { kycRecordId, purpose: "review" },
  );
  const decision = { outcome: "answered", subStatus: "approved", cardAccountId: "acct_7f3a" };
  const input = { kycRecordId, decision, version, evidenceHash, note };
  const { proposal } = await call<{ proposal: { proposalId: string } }>(person, "records.resolve", input);
  return proposal.proposalId;
}

/** Makes one thing of every kind and state that the views show. */
export async function seed(world: World) {
  const { stack, call } = world;
  const receiver = createServer((request, response) => {
    response.writeHead({ "/ok": 204, "/busy": 503, "/gone": 410 }[request.url ?? ""] ?? 404).end("{}");
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const { port } = receiver.address() as AddressInfo;
  for (const path of ["ok", "busy", "gone"]) {
    const url = `http://127.0.0.1:${port}/${path}`;
    await call("omar", "webhooks.create", { platformId, url, eventTypes: ["kyc.updated"] });
  }

  const submit = (tag: string) => stack.submit(tag, `${tag}+${tag}@demo.cardbridge.test`);
  const rejected = await submit("rejected");
  await expect(submit("refused")).rejects.toThrow("KYC_REFUSED");
  await submit("approved");
  const pending = await submit("pending");
  const stuck = await submitStuck(world, "stuck");
  const undecided = await submitStuck(world, "undecided");
  const proposed = await submitStuck(world, "proposed");
  const approved = await submitStuck(world, "approved-manually");

  const { personId } = await call<{ personId: string }>("sam", "persons.me");
  await call("sam", "records.assign", { kycRecordId: stuck.kycRecordId, assignee: personId, version: 0 });
  await call("sam", "records.addNote", {
    kycRecordId: stuck.kycRecordId,
    text: "Rang them.",
    restricted: false,
  });
  const restricted = { kycRecordId: stuck.kycRecordId, text: "Look at the selfie.", restricted: true };
  await call("cleo", "records.addNote", restricted);

  const confirmed = await proposeApproval(world, approved.kycRecordId, "cleo");
  await call("cora", "records.submission", { kycRecordId: approved.kycRecordId, purpose: "authority" });
  await call("cora", "proposals.confirm", { proposalId: confirmed });
  await proposeApproval(world, proposed.kycRecordId, "cora");
  await call("cleo", "records.submission", { kycRecordId: proposed.kycRecordId, purpose: "review" });
  const userOf = ({ externalUserId }: Submitted) => ({ platformId, externalUserId });
  await call("cora", "users.relink", {
    ...userOf(pending),
    email: "new@example.com",
    note,
  });
  await call("cora", "users.erase", { ...userOf(rejected), note });
  const hold = { ...userOf(approved), reference: "HKMA-2027/118" };
  const { holdId } = await call<{ holdId: string }>("cleo", "holds.place", hold);
  await call("cleo", "holds.lift", { platformId, holdId });

  await call("vera", "persons.me");
  const persons = await call<{ persons: { personId: string; name: string }[] }>("ada", "persons.list");
  const vera = persons.persons.find(({ name }) => name === "Vera Viewer");
  await call("ada", "persons.block", { personId: vera?.personId, blocked: true });
  const key = { platformId, name: "reports", scopes: ["cards:read"] };
  await call("ada", "keys.create", key);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const pause = await call<{ pauseId: string }>("omar", "pauses.pauseProvider", {
    reason: "Maintenance",
    until,
  });
  await call("omar", "pauses.resume", { pauseId: pause.pauseId });

  const delivered = async () => {
    const found = await call<{ deliveries: Delivery[] }>("omar", "webhooks.searchDeliveries");
    return new Map(found.deliveries.map((delivery) => [delivery.lastStatus, delivery]));
  };
  const late = await vi.waitUntil(
    async () => {
      const found = await delivered();
      return found.has(204) && found.get(503);
    },
    { timeout: 60_000 },
  );
  return {
    ...{ rejected, pending, stuck, undecided, proposed, approved },
    endpoint: `/webhooks/${platformId}/${late.endpointId}`,
    delivery: `/webhooks/${platformId}/${late.endpointId}/${late.deliveryId}`,
    close: () => {
      receiver.close();
      receiver.closeAllConnections();
    },
  };
}

export type Seeded = Awaited<ReturnType<typeof seed>>;

interface Delivery {
  deliveryId: string;
  endpointId: string;
  lastStatus: number | null;
}

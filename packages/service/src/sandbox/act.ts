import { randomUUID } from "node:crypto";
import { Failure, sandboxAct, sandboxActResult } from "@cardbridge/domain";
import { exampleCard } from "../cards/example.ts";
import { fingerprint } from "../encryption/fingerprint.ts";
import { exampleSubmission } from "../kyc/example.ts";
import { forPlatforms } from "../operation/actors.ts";
import { holderOf, type OperationCall } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import type { Ports } from "../operation/ports.ts";

const { externalUserId, kycRecordId } = exampleSubmission.output;

/** Makes the provider of a test service act on a user's submission or card (an extension, gap G45). */
export const actInSandbox = defineOperation({
  ...forPlatforms,
  id: "sandbox.act",
  kind: "write",
  rest: { method: "post", path: "/sandbox/acts", tag: "Sandbox" },
  summary: "Act as the provider in a sandbox",
  description:
    "Makes the provider of a test service decide a user's latest submission, ask for a document, issue a card, or " +
    "change a card. What follows comes by the provider's own events, as webhooks and changes of the record. Equal acts " +
    "with one Idempotency-Key happen once. The route does not exist on a live service, or if the provider cannot act.",
  documented: false,
  scopes: ["sandbox:act"],
  idempotent: true,
  input: sandboxAct,
  rules: [],
  output: sandboxActResult,
  example: {
    input: { memberId: "alice", act: "lock-card", cardId: exampleCard.cardId },
    output: { act: "lock-card", externalUserId, kycRecordId, cardId: exampleCard.cardId },
  },
  errors: [
    "USER_NOT_FOUND",
    "CARD_NOT_FOUND",
    "ROUTE_NOT_FOUND",
    "SANDBOX_ACT_CONFLICT",
    "IDEMPOTENCY_KEY_REUSED",
    "PROVIDER_TIMEOUT",
    "PROVIDER_UNAVAILABLE",
    "PROVIDER_PAUSED",
    "PROVIDER_ANSWER_INVALID",
  ],
  audit: ["done", "USER_NOT_FOUND", "CARD_NOT_FOUND", "SANDBOX_ACT_CONFLICT", "IDEMPOTENCY_KEY_REUSED"],

  async run(ports, call, { memberId, ...act }) {
    const { environment, provider, providerSlots, kycRecords, users } = ports;
    const perform = environment === "live" ? undefined : provider.act?.bind(provider);
    if (!perform) throw new Failure("ROUTE_NOT_FOUND");
    const current = await kycRecords.current(call.platformId, { memberId });
    // A card belongs to the approval that stands; every other act is on the latest submission.
    const record = (act.act !== "issue-card" && current?.renewal) || current;
    const user = record ?? (await users.find(call.platformId, { memberId }));
    if (!user) throw new Failure("USER_NOT_FOUND");
    const { externalUserId } = user;
    const kycRecordId = record?.kycRecordId ?? null;
    const about = { key: await keyOf(ports, call), userReference: externalUserId, reference: kycRecordId };
    const { cardId } = await providerSlots.run(holderOf(call), async () => {
      call.slot?.release();
      if ("cardId" in act) {
        const card = await provider.findCard(act.cardId, call.signal);
        if (card?.userReference !== externalUserId) throw new Failure("CARD_NOT_FOUND");
      }
      return perform({ ...act, ...about });
    });
    return {
      data: { act: act.act, externalUserId, kycRecordId, cardId },
      subject: cardId ?? kycRecordId ?? externalUserId,
    };
  },
});

/** The key of an act at the provider: random without an Idempotency-Key, so that each such call is an act. */
async function keyOf(
  { personalDataKeys }: Pick<Ports, "personalDataKeys">,
  { platformId, idempotencyKey }: OperationCall,
): Promise<string> {
  if (idempotencyKey === undefined) return randomUUID();
  const { fingerprints } = await personalDataKeys();
  return fingerprint([platformId, idempotencyKey], fingerprints).toString("hex");
}

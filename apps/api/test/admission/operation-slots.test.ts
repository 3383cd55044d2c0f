import { defaultPolicies } from "@cardbridge/domain";
import { type Call, createOperations } from "@cardbridge/service";
import { describe, expect, it } from "vitest";
import { createFairSemaphore } from "../../src/admission/fair-semaphore.ts";
import { limitOperations } from "../../src/admission/slots.ts";
import { fakePorts } from "../support/fakes.ts";

/** Records the holder and the resource of every slot that is taken. */
function world() {
  const taken: string[] = [];
  const recording = (resource: string) => {
    const semaphore = createFairSemaphore({ capacity: 8 });
    return {
      ...semaphore,
      take(holder: string) {
        taken.push(`${resource}: ${holder}`);
        return semaphore.take(holder);
      },
    };
  };
  const slots = { operations: recording("operations"), "provider-requests": recording("provider requests") };
  const { cards, kyc, files, keys } = limitOperations(createOperations(defaultPolicies), slots);
  const { ports } = fakePorts();
  const inUse = () => slots.operations.usage().inUse;
  return { cards, kyc, files, keys, ports, taken, inUse, take: () => slots.operations.tryTake("plt_1") };
}

const call: Call = {
  kind: "platform",
  actor: "key_1",
  platformId: "plt_1",
  scopes: new Set(["cards:read", "files:write"]),
  requestId: "req_1",
  address: null,
};

describe("an operation", () => {
  it("takes a slot of its platform, and returns it after success and failure", async () => {
    const { cards, kyc, ports, taken, inUse } = world();
    await cards.list.execute(ports, call, { memberId: "member-1" });
    await kyc.submit.execute(ports, call, {}).catch(() => {});
    expect([taken, inUse()]).toEqual([["operations: plt_1", "operations: plt_1"], 0]);
  });

  it("of an internal app takes a slot of its key, whichever platform it names, and so its call to the provider", async () => {
    const { cards, ports, taken } = world();
    const app: Call = { ...call, kind: "internal" };
    const atProvider: string[] = [];
    ports.providerSlots.run = (holder, work) => {
      atProvider.push(holder);
      return work();
    };
    for (const platformId of ["plt_1", "plt_2"]) {
      await cards.list.execute(ports, { ...app, platformId }, { memberId: "member-1" });
    }
    expect(taken).toEqual(["operations: key_1", "operations: key_1"]);
    expect(atProvider).toEqual(["key_1", "key_1"]);
  });

  it("for a person takes a slot of the person; one that limits damage takes another holder's", async () => {
    const { cards, keys, ports, taken } = world();
    const person = {
      personId: "per_1",
      roles: [],
      platforms: "all",
      authenticatedAt: null,
      expiresAt: new Date(),
    } as const;
    const app: Call = { ...call, kind: "internal", person, scopes: new Set(["cards:read", "ops.keys"]) };
    await cards.list.execute(ports, app, { memberId: "member-1" });
    await keys.revoke.execute(ports, app, { keyId: "key_2" }).catch(() => {});
    expect(taken).toEqual(["operations: per_1", "operations: per_1 urgent"]);
  });

  it("of the provider uses separate slots, which no platform can use", async () => {
    const { files, ports, taken } = world();
    const fromProvider: Call = { ...call, kind: "provider", actor: "provider", platformId: "internal" };
    await files.read.execute(ports, fromProvider, { fileId: "file_1" }).catch(() => {});
    expect(taken).toEqual(["provider requests: internal"]);
  });

  it("that uploads takes no slot, because its request already holds an upload slot", async () => {
    const { files, ports, taken } = world();
    await files.upload.execute(ports, call, { purpose: "selfie", file: new File(["x"], "x") });
    expect(taken).toEqual([]);
  });
});

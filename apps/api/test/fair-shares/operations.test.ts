import { defaultPolicies } from "@cardbridge/domain";
import { type Call, createOperations } from "@cardbridge/operations";
import { describe, expect, it } from "vitest";
import type { FairShares } from "../../src/fair-shares/fair-shares.ts";
import { shareOperations } from "../../src/fair-shares/share-operations.ts";
import { fakePorts } from "../support/fakes.ts";

/** Records the lanes of reads and writes. */
function world() {
  const lanes: string[] = [];
  const recording = (kind: string): FairShares => ({
    refusal: () => undefined,
    take: async () => () => {},
    run(lane, work) {
      lanes.push(`${kind}: ${lane}`);
      return work();
    },
  });
  const places = { query: recording("read"), mutation: recording("write") };
  const { cards, kyc, files } = shareOperations(createOperations(defaultPolicies), places);
  const { ports } = fakePorts();
  return { cards, kyc, files, ports, lanes };
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
  it("takes a place of its platform, reads and writes apart", async () => {
    const { cards, kyc, ports, lanes } = world();
    await cards.list.execute(ports, call, { memberId: "member-1" });
    await kyc.submit.execute(ports, call, {}).catch(() => {});
    expect(lanes).toEqual(["read: plt_1", "write: plt_1"]);
  });

  it("of the provider has a lane of its own, which no platform can fill", async () => {
    const { files, ports, lanes } = world();
    const fromProvider: Call = { ...call, kind: "provider", actor: "provider", platformId: "internal" };
    await files.read.execute(ports, fromProvider, { fileId: "file_1" }).catch(() => {});
    expect(lanes).toEqual(["read: the provider"]);
  });

  it("that uploads takes no place, because uploads have places of their own", async () => {
    const { files, ports, lanes } = world();
    await files.upload.execute(ports, call, { purpose: "selfie", file: new File(["x"], "x") });
    expect(lanes).toEqual([]);
  });
});

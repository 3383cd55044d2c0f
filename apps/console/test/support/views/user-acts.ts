import type { RouterOutputs } from "@cardbridge/trpc-client";
import type { FakeState } from "./procedures.ts";
import { proposalOf } from "./proposals.ts";
import { Refusal } from "./refusal.ts";
import type { Row } from "./rows.ts";

type Input = Record<string, unknown>;
type Hold = RouterOutputs["holds"]["list"]["holds"][number];

export const createHold = (fields: Partial<Hold> = {}): Hold => ({
  holdId: "hold_01m8demo000000000000000000",
  externalUserId: "",
  kycRecordId: null,
  reference: "HKMA-2027/118",
  active: true,
  until: null,
  placedBy: "claim:ada",
  placedAt: new Date(Date.now() - 90_000_000).toISOString(),
  liftedBy: null,
  liftedAt: null,
  erasure: "none",
  ...fields,
});

/** The parts of an export, with their sizes in bytes. */
const parts = [
  ["README.txt", 400],
  ["person.json", 900],
  ["records/kyc_1.json", 4_000],
  ["files/file_1.jpg", 3_000_000],
] as const;

/** The procedures of a user's acts. With four eyes, those that need two persons make a proposal of the signed-in person. */
export function userActProcedures(state: FakeState, userOf: (input: Input) => object) {
  const propose = (input: Input, fields: Parameters<typeof proposalOf>[1]) => {
    if (!state.service.fourEyes) return null;
    const { platformId, externalUserId } = input;
    const row = { ...state.rows[0], platformId, externalUserId } as Row;
    const { personId, name } = state.me;
    const proposer = { personId, name };
    const proposal = proposalOf(row, { ...fields, proposer, note: String(input.note ?? "") });
    state.proposals.unshift(proposal);
    return { ...proposal, mayConfirm: false, mayWithdraw: true };
  };
  return {
    "users.identifiers": ({ externalUserId }: Input) => ({
      externalUserId,
      email: "chan.taiman+canary@example.com",
      memberId: "m-20417",
    }),
    "users.relink": (input: Input) => ({
      ...userOf(input),
      proposal: propose(input, { kind: "relink", email: String(input.email ?? "") }),
    }),
    "users.erase": (input: Input) => ({ ...userOf(input), proposal: propose(input, { kind: "erase" }) }),
    "users.exportPart": ({ index = 0 }: Input) => {
      const [name, size] = parts[Number(index)] ?? ["", 0];
      const content = Buffer.alloc(size, "cardbridge").toString("base64");
      return { index, name, content, next: name === "" ? null : Number(index) + 1 };
    },
    "holds.list": () => ({ holds: state.holds, more: false }),
    "holds.place": (input: Input) => {
      const hold = createHold({ reference: String(input.reference), placedAt: new Date().toISOString() });
      state.holds.unshift({ ...hold, holdId: `hold_${state.holds.length}` });
      return hold;
    },
    "holds.lift": (input: Input) => {
      const hold = state.holds.find(({ holdId }) => holdId === input.holdId);
      if (!hold) throw new Refusal(404, "HOLD_NOT_FOUND", "There is no such legal hold on this platform.");
      return { ...hold, proposal: propose(input, { kind: "liftHold", holdId: hold.holdId }) };
    },
  };
}

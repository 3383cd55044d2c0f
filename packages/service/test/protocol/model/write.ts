import type { Protocol } from "./model.ts";
import { isFinal, standingApproval } from "./rules.ts";
import { change, type RecordState, type State } from "./state.ts";

/** Writes a verdict or a decision, with its history row. The approval of a renewal replaces the earlier one. */
export function write(state: State, { rules }: Protocol, before: RecordState, after: RecordState) {
  const written = rules.write(after);
  const replaced = written.status === "approved" && before.status !== "approved" ? written.renews : null;
  const records = change
    .record(state, before, written)
    .records.map((one) => (one.ref === replaced ? { ...one, expires: false } : one));
  const standing = standingApproval(state.records);
  const isLost = standing && standing.ref !== before.ref && !standingApproval(records);
  const isBack = isFinal(before) && !isFinal(written);
  const broken = isLost
    ? "an approval stands until a later one, or until the provider revokes it"
    : "a pending status never replaces a final one";
  return { records, ...((isLost || isBack) && { broken }) };
}

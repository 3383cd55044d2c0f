import type { Protocol } from "./model.ts";
import { isFinal, standingApproval } from "./rules.ts";
import { changeRecord, type RecordState, type State } from "./state.ts";

/** Writes a verdict or a decision, with its history row. The approval of a renewal replaces the earlier one. */
export function write(
  state: State,
  { rules }: Protocol,
  before: RecordState,
  after: RecordState,
): Pick<State, "records"> & Partial<State> {
  const written = rules.write(after);
  const replaced = written.status === "approved" && before.status !== "approved" ? written.renews : null;
  const records = changeRecord(state, before, written).records.map((one) =>
    one.ref === replaced ? { ...one, expires: false } : one,
  );
  const standing = standingApproval(state.records);
  if (standing && standing.ref !== before.ref && !standingApproval(records))
    return { records, broken: "an approval stands until a later one, or until the provider revokes it" };
  if (isFinal(before) && !isFinal(written))
    return { records, broken: "a pending status never replaces a final one" };
  return { records };
}

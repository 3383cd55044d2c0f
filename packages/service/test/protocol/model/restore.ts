import { type Protocol, step, type Transitions } from "./model.ts";
import { verdictOf } from "./provider.ts";
import { find, newRecord, type State } from "./state.ts";

/** A backup is made, and the database is lost and restored from it. */
export function* backupSteps(state: State): Transitions {
  const { records, keys, proposal, remembered, backup, executions, budget } = state;
  if (budget.restores === 0) return;
  if (!backup) yield step("a backup is made", { backup: { records, keys, proposal, remembered } });
  // The check runs when the provider has acted on all that was sent before the loss.
  if (!backup || executions.some(({ late }) => late > 0)) return;
  // What was never executed and is not in the backup is lost.
  const kept = executions.filter(({ ref, effects }) => effects > 0 || find(backup.records, ref));
  const restored = { ...backup, executions: kept, attempts: [], backup: null, restored: true };
  yield step("the database is lost, and restored", restored, "restores");
}

/** Adds the executions that the database forgot to its user, or remembers them if it forgot the user too. */
export function* checkSteps(state: State, protocol: Protocol): Transitions {
  const { records, executions } = state;
  const { write, apply, afterRestore } = protocol.rules;
  const forgotten = executions.filter(({ ref, effects }) => effects > 0 && !find(records, ref));
  const adopted = forgotten.map((execution) => {
    const record = { ...newRecord, ref: execution.ref, body: execution.body };
    return write(apply(record, verdictOf(protocol, execution)));
  });
  const all = [...records.map(afterRestore), ...adopted].sort((one, other) => one.ref - other.ref);
  const remembered = [...new Set([...state.remembered, ...forgotten.map(({ ref }) => ref)])];
  const checked = records.length > 0 ? { records: all } : { remembered };
  yield step("the check asks the provider for its executions", { ...checked, restored: false });
}

import type { Protocol, Transition } from "./model.ts";
import { verdictOf } from "./provider.ts";
import { find, newRecord, type State } from "./state.ts";

/** A backup is made, and the database is lost and restored from it. */
export function* backupSteps(state: State): Generator<Transition> {
  const { records, keys, proposal, remembered, backup, executions, budget } = state;
  if (budget.restores === 0) return;
  if (!backup) {
    yield { name: "a backup is made", ref: 0, changes: { backup: { records, keys, proposal, remembered } } };
    return;
  }
  // The check runs when the provider has acted on all that was sent before the loss.
  if (executions.some(({ late }) => late > 0)) return;
  // What was never executed and is not in the backup is lost.
  const kept = executions.filter(({ ref, effects }) => effects > 0 || find(backup.records, ref));
  const changes = { ...backup, executions: kept, attempts: [], backup: null, restored: true };
  yield { name: "the database is lost, and restored", ref: 0, costs: ["restores"], changes };
}

/** Adds the executions that the database forgot to its user, or remembers them if it forgot the user too. */
export function checkStep(state: State, protocol: Protocol): Transition {
  const { records, remembered } = state;
  const { rules } = protocol;
  const forgotten = state.executions.filter(({ ref, effects }) => effects > 0 && !find(records, ref));
  const adopted = forgotten.map((execution) => {
    const { ref, body } = execution;
    return rules.write(rules.apply({ ...newRecord, ref, body }, verdictOf(protocol, execution)));
  });
  const all = [...records.map(rules.afterRestore), ...adopted].sort((one, other) => one.ref - other.ref);
  const changes =
    records.length > 0
      ? { records: all }
      : { remembered: [...new Set([...remembered, ...forgotten.map(({ ref }) => ref)])] };
  const name = "the check asks the provider for its executions";
  return { name, ref: 0, changes: { ...changes, restored: false } };
}

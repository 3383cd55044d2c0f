import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Card } from "../records/card.ts";
import type { Cardholder } from "../records/cardholder.ts";
import type { StoredEvent } from "../records/event.ts";
import type { StoredFile } from "../records/file.ts";
import type { Rfi } from "../records/rfi.ts";

/** The stored records. A state file preserves them across restarts; tokens, requests and faults are not stored. */
export interface State {
  cardholders: Cardholder[];
  files: StoredFile[];
  cards: Card[];
  rfis: Rfi[];
  events: StoredEvent[];
}

export interface Store {
  readonly state: State;
  /** Writes the state file, if there is one. Every effect is saved before its response. */
  save(): void;
  /** Removes everything. */
  clear(): void;
}

/**
 * Opens the state.
 * @param path the state file; undefined keeps the state in memory
 * @throws Error when the file is not JSON
 */
export function openStore(path?: string): Store {
  const state: State = { cardholders: [], files: [], cards: [], rfis: [], events: [] };
  if (path && existsSync(path)) Object.assign(state, JSON.parse(readFileSync(path, "utf8")));

  function save(): void {
    if (!path) return;
    writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  }

  return {
    state,
    save,
    clear() {
      for (const items of Object.values(state)) items.length = 0;
      save();
    },
  };
}

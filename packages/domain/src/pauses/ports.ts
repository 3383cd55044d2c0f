import type { AuditOrigin } from "../audit/entry.ts";
import type { PersonPlatforms } from "../persons/person.ts";
import type { Pause } from "./pause.ts";

export interface NewPause {
  pauseId: string;
  /** Null pauses the provider. */
  platformId: string | null;
  reason: string;
  until: Date;
  personId: string | null;
  by: AuditOrigin;
}

/** The operators' brakes: pauses of calls to the provider and of platforms. */
export interface Pauses {
  /**
   * In one transaction: starts a pause and audits it.
   * @throws Failure PLATFORM_NOT_FOUND, PAUSE_CONFLICT if the target is paused.
   */
  start(pause: NewPause): Promise<Pause>;
  /**
   * In one transaction: ends an active pause and audits it. Null if it does not exist.
   * @throws Failure PAUSE_CONFLICT if it has ended.
   */
  resume(pauseId: string, by: AuditOrigin): Promise<Pause | null>;
  /** The platform of a pause, null for the provider; undefined if the pause does not exist. */
  platformOf(pauseId: string): Promise<string | null | undefined>;
  /** The pauses of the provider and of these platforms, newest first. */
  list(platforms: PersonPlatforms, filter: { active?: true | undefined; limit: number }): Promise<Pause[]>;
}

/** An active pause. The time left is from the database's clock, so that processes agree. */
export interface CurrentPause {
  pauseId: string;
  /** Null for the provider. */
  platformId: string | null;
  reason: string;
  endsAt: Date;
  /** The milliseconds until it ends. */
  endsInMs: number;
}

/** What callers learn of an active pause. */
export interface PauseState {
  reason: string;
  until: Date;
}

/** The active pauses in this process. At most a second old. */
export interface CurrentPauses {
  provider(): PauseState | null;
  platform(platformId: string): PauseState | null;
}

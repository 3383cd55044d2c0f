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

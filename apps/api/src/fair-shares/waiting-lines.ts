/** The calls that wait for a place, in one line per lane. */
export interface WaitingLines {
  /** Waits in the line of a lane. Resolves to false if the call was not admitted in time. */
  join(lane: string, maxWaitMs: number): Promise<boolean>;
  /** The number of waiting calls of a lane. */
  length(lane: string): number;
  /** The number of waiting calls of all lanes. */
  total(): number;
  /** The waiting lane with the lowest `weight`; of equal ones, the lane that was admitted least recently. */
  next(weight: (lane: string) => number): string | undefined;
  /** Admits the first call of a waiting lane. */
  admit(lane: string): void;
}

export function createWaitingLines(): WaitingLines {
  /** The lines that are not empty, in the order of their turns. */
  const lines = new Map<string, Set<() => void>>();

  function leave(lane: string, call: () => void): void {
    const line = lines.get(lane);
    line?.delete(call);
    if (line?.size === 0) lines.delete(lane);
  }

  return {
    join(lane, maxWaitMs) {
      return new Promise((resolve) => {
        const call = () => {
          clearTimeout(timeout);
          resolve(true);
        };
        const timeout = setTimeout(() => {
          leave(lane, call);
          resolve(false);
        }, maxWaitMs);
        const line = lines.get(lane) ?? new Set();
        lines.set(lane, line.add(call));
      });
    },
    length: (lane) => lines.get(lane)?.size ?? 0,
    total: () => [...lines.values()].reduce((sum, line) => sum + line.size, 0),
    next(weight) {
      let lightest: string | undefined;
      for (const lane of lines.keys()) {
        if (lightest === undefined || weight(lane) < weight(lightest)) lightest = lane;
      }
      return lightest;
    },
    admit(lane) {
      const line = lines.get(lane);
      const [first] = line ?? [];
      if (!line || !first) return;
      // The lane's next turn comes after those of all other lanes.
      lines.delete(lane);
      line.delete(first);
      if (line.size > 0) lines.set(lane, line);
      first();
    },
  };
}

import type { Fault } from "./fault.ts";

export interface Faults {
  add(fault: Fault): void;
  /** The oldest fault that matches the request, if it applies. Counts the request. */
  take(method: string, path: string): Fault | undefined;
  /** The faults that still apply to further requests. */
  pending(): readonly Fault[];
  clear(): void;
}

export function createFaults(): Faults {
  let faults: Fault[] = [];
  return {
    add: (fault) => void faults.push({ ...fault }),
    take(method, path) {
      const fault = faults.find(
        (each) => (each.method ?? method) === method && path.startsWith(each.path ?? ""),
      );
      if (!fault) return undefined;
      if (fault.skip > 0) {
        fault.skip--;
        return undefined;
      }
      fault.times--;
      faults = faults.filter(({ times }) => times > 0);
      return fault;
    },
    pending: () => faults,
    clear() {
      faults = [];
    },
  };
}

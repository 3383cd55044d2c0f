import { setTimeout as wait } from "node:timers/promises";

/** Waits until a condition is true. Fails after 1,200 checks. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let looks = 0; !(await holds()); looks += 1) {
    if (looks > 1_200) throw new Error(`The condition did not become true: ${holds}`);
    await wait(100);
  }
}

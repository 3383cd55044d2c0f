import { reasonOf } from "@cardbridge/domain";
import { type Ports, pass, type WorkerPass } from "@cardbridge/service";

/** Runs a pass of the worker. Never throws: a failure is observed, returns null, and the next pass tries again. */
export async function run<T>(ports: Ports, name: WorkerPass, work: () => Promise<T>): Promise<T | null> {
  try {
    return await pass(ports, name, work);
  } catch (error) {
    ports.observer.observe("worker_pass_failed", { operation: name, reason: reasonOf(error) });
    return null;
  }
}

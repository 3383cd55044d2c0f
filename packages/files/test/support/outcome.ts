import { Failure } from "@cardbridge/domain";

/** The violated rule of a file, the code of any other failure, or "accepted". Any other error is thrown. */
export async function outcomeOf(task: Promise<unknown>): Promise<string> {
  try {
    await task;
    return "accepted";
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code !== "INVALID_INPUT") return error.code;
    const [violation, ...others] = error.details.violations ?? [];
    if (!violation || others.length > 0 || violation.path.join() !== "file") throw error;
    return violation.rule;
  }
}

import { Failure } from "@cardbridge/domain";

/** The rule that a file was refused for, the code of any other failure, or "taken". Any other error is thrown. */
export async function ruleOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "taken";
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code !== "INVALID_INPUT") return error.code;
    const [violation, ...others] = error.details.violations ?? [];
    if (!violation || others.length > 0 || violation.path.join() !== "file") throw error;
    return violation.rule;
  }
}

import { userInfo } from "node:os";
import { InvalidArgumentError, Option } from "commander";

/** `--by`: the operator's name, where it is not the name of the system's account. */
export const byOption = new Option(
  "--by <name>",
  "your name, for the audit (default: the name of your account)",
).argParser((text) => {
  if (/^[\w.-]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError("Give 1 to 64 letters, digits, dots, hyphens or underscores.");
});

/** The operator as the audit names them, such as `claim:ada`; by default the system's account. Nothing verifies it. */
export function operatorOf(by: unknown): string {
  try {
    return `claim:${by ?? userInfo().username.replace(/[^\w.-]/g, "_")}`;
  } catch {
    // Accounts in containers often have no name.
    return `claim:uid-${process.getuid?.() ?? "unknown"}`;
  }
}

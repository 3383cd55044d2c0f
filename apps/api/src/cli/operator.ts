import { userInfo } from "node:os";
import { type Command, InvalidArgumentError, Option } from "commander";

/** `--by`: the operator's name, where it is not the name of the system's account. */
export function byOption(): Option {
  return new Option("--by <name>", "your name, for the audit (default: the name of your account)").argParser(
    name,
  );
}

/** The operator as the audit names them, such as `person:ada`. */
export function operatorOf(program: Command): string {
  const { by = accountName() } = program.opts<{ by?: string }>();
  return `person:${by}`;
}

function accountName(): string {
  try {
    return userInfo().username.replace(/[^\w.-]/g, "_");
  } catch {
    // Accounts in containers often have no name.
    return `uid-${process.getuid?.() ?? "unknown"}`;
  }
}

function name(text: string): string {
  if (/^[\w.-]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError("Give 1 to 64 letters, digits, dots, hyphens or underscores.");
}

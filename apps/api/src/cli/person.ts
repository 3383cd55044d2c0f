import { userInfo } from "node:os";
import type { Actor } from "@cardbridge/domain";
import { type Command, InvalidArgumentError, Option } from "commander";

/** `--by`: who works, where the system's account does not say. */
export function byOption(): Option {
  return new Option("--by <name>", "who you are, for the audit (default: your account's name)").argParser(
    name,
  );
}

/** Who sits at the command line, as the audit notes it. */
export function personOf(program: Command): Actor {
  const { by = accountName() } = program.opts<{ by?: string }>();
  return { actor: `person:${by}`, requestId: null, address: null };
}

function accountName(): string {
  try {
    return userInfo().username.replace(/[^\w.-]/g, "_");
  } catch {
    // An account without a name, as containers have them.
    return `uid-${process.getuid?.() ?? "unknown"}`;
  }
}

function name(text: string): string {
  if (/^[\w.-]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError("Give 1 to 64 letters, digits, dots, hyphens or underscores.");
}

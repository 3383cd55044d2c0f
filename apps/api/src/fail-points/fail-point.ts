import * as z from "zod";
import { failPointNames } from "./names.ts";

const actions = ["kill", "hang", "freeze", "error"] as const;

/** `name:action`, or `name:action:n` for the n-th time that it is passed; happens once. */
export const failPointSetting = z.string().transform((text, context): FailPointSetting => {
  const [name = "", action, passing = "1", ...more] = text.split(":");
  const known = actions.find((one) => one === action);
  const wrong = more.length > 0 || !failPointNames.includes(name) || !/^[1-9][0-9]{0,5}$/.test(passing);
  if (known && !wrong) return { name, action: known, passing: Number(passing) };
  const message = `Give name:kill, name:hang, name:freeze or name:error, with a name of ${failPointNames.join(", ")}.`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

export interface FailPointSetting {
  name: string;
  action: (typeof actions)[number];
  /** From 1. */
  passing: number;
}

/** Waited for at a named place; where that is the chosen one, it does not come back as it should. */
export type At = (name: string) => Promise<void>;

/**
 * Makes this process fail at one place: killed as by the system, stuck there for ever, frozen whole until it is
 * continued by SIGCONT, or with an error.
 */
export function createFailPoint(setting: FailPointSetting, say: (sentence: string) => void): At {
  let left = setting.passing;
  return async (name) => {
    if (name !== setting.name) return;
    left -= 1;
    if (left !== 0) return;
    say(`fail-point ${name}: ${setting.action}`);
    if (setting.action === "error") throw new Error("fail-point");
    if (setting.action === "kill") process.kill(process.pid, "SIGKILL");
    if (setting.action === "freeze") return void process.kill(process.pid, "SIGSTOP");
    await new Promise(() => {});
  };
}

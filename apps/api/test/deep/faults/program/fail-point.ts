import { failPoints, type ServiceFailPoint } from "./points.ts";

const actions = ["kill", "hang", "freeze", "error"] as const;
export type Action = (typeof actions)[number];

/** The value of FAILPOINT: a point, an action, and optionally the number of the passing. It applies once. */
export type FailPointSetting = `${ServiceFailPoint}:${Action}` | `${ServiceFailPoint}:${Action}:${number}`;

interface Parsed {
  point: ServiceFailPoint;
  action: Action;
  /** From 1. */
  passing: number;
}

/** @throws Error that lists every fail-point and action. */
export function parseFailPoint(setting: string): Parsed {
  const [name, actionName, passing = "1", ...rest] = setting.split(":");
  const point = failPoints.find((one) => one === name);
  const action = actions.find((one) => one === actionName);
  if (point && action && rest.length === 0 && /^[1-9][0-9]{0,5}$/.test(passing)) {
    return { point, action, passing: Number(passing) };
  }
  throw new Error(`FAILPOINT is point:action or point:action:n.
    Points: ${failPoints.join(", ")}. Actions: ${actions.join(", ")}.`);
}

/** Awaited at every fail-point, such as `createOrReplay.before`. The process fails at the chosen one. */
export type Reach = (place: string) => Promise<void>;

/**
 * Makes this process fail at one point. `kill` ends it as SIGKILL does, `hang` never returns, `freeze` stops the
 * whole process until SIGCONT, and `error` throws.
 */
export function createFailPoint(setting: string, print: (line: string) => void): Reach {
  const { point, action, passing } = parseFailPoint(setting);
  let left = passing;
  return async (place) => {
    if (place !== point) return;
    left -= 1;
    if (left !== 0) return;
    print(`fail-point ${point}: ${action}`);
    if (action === "error") throw new Error("fail-point");
    if (action === "freeze") return void process.kill(process.pid, "SIGSTOP");
    if (action === "kill") process.kill(process.pid, "SIGKILL");
    await new Promise(() => {});
  };
}

import { standardOutput } from "./standard.ts";

/** Tells the person at the terminal what a start is doing. */
export type Say = (sentence: string) => void;

/** Told that something which was started for the service ended by itself. */
export type Lost = (what: string) => void;

/** Writes to standard output, where the banner goes as well; logs go to standard error. */
export const say: Say = (sentence) => standardOutput.write(`${sentence}\n`);

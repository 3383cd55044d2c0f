import { standardOutput } from "./standard.ts";

/** Prints a line for the person who started the program. */
export type Print = (line: string) => void;

/** Called when a process that was started for the service ends by itself. */
export type OnLost = (name: string) => void;

/** Prints to standard output, where the banner goes too; the log goes to standard error. */
export const print: Print = (line) => standardOutput.write(`${line}\n`);

import { standardOutput } from "./standard.ts";

/** Prints a line for the user who started the program. */
export type Print = (line: string) => void;

/** Called when a child process of the service exits unexpectedly. */
export type OnLost = (name: string) => void;

/** Prints to standard output. The log goes to standard error. */
export const print: Print = (line) => standardOutput.write(`${line}\n`);

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";

// The first program of a terminal, which outlives the terminal. It runs another program there, and writes the pid and
// the exit code to files. A detached program gets no SIGHUP when the terminal closes.
const [folder, mode, program] = process.argv.slice(2);
process.on("SIGHUP", () => {});
const child = spawn(process.execPath, [program], { stdio: "inherit", detached: mode === "detached" });
writeFileSync(`${folder}/launcher`, String(process.pid));
writeFileSync(`${folder}/pid`, String(child.pid));
child.on("exit", (code, signal) => writeFileSync(`${folder}/code`, String(code ?? signal)));

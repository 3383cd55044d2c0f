import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";

// The first program of a terminal, which outlives it: runs another one there and leaves its pid and exit code in files.
// A detached one gets no SIGHUP when the terminal closes.
const [folder, mode, program] = process.argv.slice(2);
process.on("SIGHUP", () => {});
const child = spawn(process.execPath, [program], { stdio: "inherit", detached: mode === "detached" });
writeFileSync(`${folder}/launcher`, String(process.pid));
writeFileSync(`${folder}/pid`, String(child.pid));
child.on("exit", (code, signal) => writeFileSync(`${folder}/code`, String(code ?? signal)));

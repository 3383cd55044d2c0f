/*
 * Loaded before the service. Counts its operations, and prints the counts on SIGUSR2 as a line of JSON. Named exports
 * of Node modules are replaced in the module itself.
 */
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

const counts = { parses: 0, signatures: 0, hashes: 0, encrypted: 0, decrypted: 0 };

function count(name, holder, key) {
  const original = holder[key];
  holder[key] = function counted(...given) {
    counts[name] += 1;
    return original.apply(this, given);
  };
}

count("parses", JSON, "parse");
count("signatures", crypto, "createHmac");
count("hashes", crypto, "createHash");
count("hashes", crypto, "hash");
count("encrypted", crypto, "createCipheriv");
count("decrypted", crypto, "createDecipheriv");
syncBuiltinESMExports();

process.on("SIGUSR2", () => process.stdout.write(`\nwork ${JSON.stringify(counts)}\n`));

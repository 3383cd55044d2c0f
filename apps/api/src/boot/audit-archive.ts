import { createHash } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type AuditArchive, Failure, reasonOf } from "@cardbridge/domain";
import { explainReason } from "../process/reason-texts.ts";

/** Writes files to folders of this machine; see the port for the contract. */
export const auditArchive: AuditArchive = {
  async open(folder, name) {
    const path = join(folder, name);
    const draft = `${path}.part`;
    const file = await open(draft, "w", 0o600).catch((error: unknown) => {
      const message = `The folder cannot be used: ${explainReason(reasonOf(error))}.`;
      throw new Failure("INVALID_INPUT", { violations: [{ path: ["to"], rule: "folder", message }] });
    });
    const hash = createHash("sha256");
    let isOpen = true;
    return {
      async append(text) {
        hash.update(text);
        await file.writeFile(text);
      },
      async finish() {
        await file.sync();
        await file.close();
        isOpen = false;
        await rename(draft, path);
        const parent = await open(folder, "r");
        await parent.sync().finally(() => parent.close());
        return hash.digest("hex");
      },
      async discard() {
        if (!isOpen) return;
        await file.close();
        await rm(draft, { force: true });
      },
    };
  },
};

import { createHash } from "node:crypto";

/** The hashes of a Merkle tree (RFC 9162, section 2.1), from the leaves to the root. */
type Levels = Buffer[][];

/** The tree over these leaves, at least one. A node without a sibling moves up unchanged, as the RFC's recursion does. */
export function treeOf(leaves: readonly Buffer[]): Levels {
  let level = leaves.map((leaf) => sha256(0, leaf));
  const levels = [level];
  while (level.length > 1) {
    const below = level;
    level = [];
    for (let index = 0; index < below.length; index += 2) {
      const [left = Buffer.alloc(0), right] = below.slice(index, index + 2);
      level.push(right ? sha256(1, left, right) : left);
    }
    levels.push(level);
  }
  return levels;
}

export function rootOf(levels: Levels): Buffer {
  const [root] = levels.at(-1) ?? [];
  if (!root) throw new Error("A tree has at least one leaf.");
  return root;
}

/** The siblings from a leaf to the root: the inclusion path of section 2.1.3. */
export function pathOf(levels: Levels, index: number): Buffer[] {
  return levels.slice(0, -1).flatMap((level, height) => level[(index >> height) ^ 1] ?? []);
}

function sha256(kind: 0 | 1, ...parts: Buffer[]): Buffer {
  const hash = createHash("sha256").update(Buffer.of(kind));
  for (const part of parts) hash.update(part);
  return hash.digest();
}

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { pathOf, rootOf, treeOf } from "../../src/audit/merkle.ts";

/** The leaves and roots that the libraries of Certificate Transparency test. */
const leaves = [
  "",
  "00",
  "10",
  "2021",
  "3031",
  "40414243",
  "5051525354555657",
  "606162636465666768696a6b6c6d6e6f",
];
const roots = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

test.each(roots.map((root, index) => [index + 1, root] as const))(
  "the tree of %i leaves has the root of the RFC",
  (count, root) => {
    const tree = treeOf(leaves.slice(0, count).map((leaf) => Buffer.from(leaf, "hex")));
    expect(rootOf(tree).toString("hex")).toBe(root);
  },
);

const sha256 = (...parts: Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();

/** The verification of RFC 9162, section 2.1.3.2, step by step. */
function verifies(
  leaf: Buffer,
  { index, size, path, root }: { index: number; size: number; path: Buffer[]; root: Buffer },
) {
  let [fn, sn, r] = [index, size - 1, sha256(Buffer.of(0), leaf)];
  for (const p of path) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      r = sha256(Buffer.of(1), p, r);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else r = sha256(Buffer.of(1), r, p);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return sn === 0 && r.equals(root);
}

test("each path of each size leads to the root, and no other leaf's does", () => {
  for (let size = 1; size <= 33; size += 1) {
    const all = Array.from({ length: size }, (_, index) => Buffer.from(`leaf ${index}`));
    const tree = treeOf(all);
    const root = rootOf(tree);
    for (const [index, leaf] of all.entries()) {
      const path = pathOf(tree, index);
      expect(verifies(leaf, { index, size, path, root })).toBe(true);
      expect(verifies(Buffer.from("another"), { index, size, path, root })).toBe(false);
    }
  }
});

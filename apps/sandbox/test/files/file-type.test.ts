import { expect, test } from "vitest";
import { fileTypeOf } from "../../src/files/file-type.ts";

test.each(["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"])(
  "the brand %s is HEIC",
  (brand) => {
    expect(fileTypeOf(Buffer.from(`\0\0\0\x18ftyp${brand}`))).toBe("image/heic");
  },
);

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { reasonOf } from "@cardbridge/domain";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { createFolderBlobs } from "../../src/index.ts";
import { createTempFolder } from "../support/folder.ts";
import { testImage } from "../support/images.ts";
import { outcomeOf } from "../support/outcome.ts";
import { buildPdf } from "../support/pdfs.ts";
import { createTestRenderer, storeFile } from "../support/renderer.ts";
import { jpegWithScans } from "../support/worst-images.ts";

const contentType = "application/pdf";
let photo: Buffer;
beforeAll(async () => {
  photo = await testImage().jpeg().toBuffer();
});

it("ends a process at its CPU limit, also in the thread of PDFium, and renders the next page", async () => {
  const { render } = createTestRenderer({ processes: 1, cpuMs: 1 });
  expect(await outcomeOf(render({ bytes: jpegWithScans(4_472, 1) }))).toBe("SERVICE_UNAVAILABLE");
  expect(await outcomeOf(render({ contentType, bytes: buildPdf() }))).toBe("SERVICE_UNAVAILABLE");
});

it("ends a process at its memory limit, renders the next page in a new one, and nothing after it is closed", async () => {
  const { render, close } = createTestRenderer({ processes: 1, memoryMb: 115 });
  expect(await outcomeOf(render({ bytes: photo }))).toBe("accepted");
  expect(await outcomeOf(render({ bytes: jpegWithScans(4_472, 1) }))).toBe("SERVICE_UNAVAILABLE");
  expect(await outcomeOf(render({ bytes: photo }))).toBe("accepted");
  close();
  expect(await outcomeOf(render({ bytes: photo }))).toBe("SERVICE_UNAVAILABLE");
});

it("ends a process at its memory limit while it reads, and reads the next file in a new one", async () => {
  const { show } = createTestRenderer({ processes: 1, memoryMb: 145 });
  const zeros = Array(500).fill(Buffer.alloc(1_000_000));
  const large = createServer((_, response) => void Readable.from(zeros).pipe(response)).listen(
    0,
    "127.0.0.1",
  );
  onTestFinished(() => void large.close());
  await once(large, "listening");
  const url = `http://127.0.0.1:${(large.address() as AddressInfo).port}/blob`;
  const file = await storeFile(await createFolderBlobs(await createTempFolder()), photo);
  const shown = show({ file: async () => ({ ...file, address: { url, authorities: [] } }) });
  expect(await shown.then(() => "shown", reasonOf)).toBe("render-limit");
  expect(await show({ file: async () => file })).toMatchObject({ allPages: 1 });
});

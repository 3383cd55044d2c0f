import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { reasonOf } from "@cardbridge/domain";
import { expect, it, onTestFinished } from "vitest";
import { createS3Blobs } from "../../src/index.ts";
import { outcomeOf } from "../support/outcome.ts";
import { isSigned, isSignedUrl } from "../support/s3-signature.ts";
import { startS3 } from "../support/stores.ts";

const secretAccessKey = "very-secret";

const options = { bucket: "my-bucket", region: "r", accessKeyId: "key-id", secretAccessKey, pathStyle: true };

async function blobsOn(respond: RequestListener, timeoutMs = 60_000) {
  const server = createServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  async function close() {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }
  onTestFinished(close);
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { ...createS3Blobs({ endpoint, ...options, timeoutMs }), close };
}

const reasonFrom = (task: Promise<unknown>) => task.then(() => "none", reasonOf);
const unavailable = "SERVICE_UNAVAILABLE";

it.each([
  [507, "XMinioStorageFull", "STORAGE_FULL", "XMinioStorageFull"],
  [507, "", "STORAGE_FULL", "status-507"],
  [400, "XMinioAdminBucketQuotaExceeded", "STORAGE_FULL", "XMinioAdminBucketQuotaExceeded"],
  [403, "QuotaExceeded", "STORAGE_FULL", "QuotaExceeded"],
  [403, "AccessDenied", unavailable, "AccessDenied"],
  [403, "ada@example.com", unavailable, "status-403"],
  [404, "NoSuchBucket", unavailable, "NoSuchBucket"],
  [404, "", unavailable, "status-404"],
  [500, "InternalError", unavailable, "InternalError"],
  [503, "SlowDown", unavailable, "SlowDown"],
  [206, "", unavailable, "status-206"],
  [204, "", unavailable, "status-204"],
])("%d %s fails a put with %s and the reason %s", async (status, code, failure, reason) => {
  const blobs = await blobsOn((_, response) =>
    response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`),
  );
  expect(await outcomeOf(blobs.put("a", Buffer.from("a")))).toBe(failure);
  expect(await reasonFrom(blobs.put("a", Buffer.from("a")))).toBe(reason);
  // It is no missing or deleted blob.
  expect(await outcomeOf(blobs.get("a"))).not.toBe("accepted");
  if (status !== 204) expect(await outcomeOf(blobs.delete("a"))).not.toBe("accepted");
});

it("without a response fails with the reason of the network, without an address, name or secret", async () => {
  const gone = await blobsOn(() => {});
  await gone.close();
  expect(await reasonFrom(gone.get("a"))).toBe("ECONNREFUSED");
  const thrown = await gone.put("blob_name", Buffer.from("a")).catch((failure) => failure);
  expect(thrown).toMatchObject({ code: unavailable });
  expect(inspect(thrown, { depth: 9 })).not.toMatch(/127\.0|my-bucket|blob_name|key-id|very-secret/);
});

it("times out before and during the response, which its identity does not need", async () => {
  const silent = await blobsOn(() => {}, 50);
  expect(await reasonFrom(silent.put("a", Buffer.from("a")))).toBe("timeout");
  expect(await silent.identity()).toBe("s3:my-bucket");
  const slow = await blobsOn((_, response) => void response.write("half"), 50);
  expect(await outcomeOf(slow.get("a"))).toBe(unavailable);
});

it("the checks succeed in a bucket, and name a missing one", async () => {
  const store = await startS3();
  onTestFinished(store.close);
  for (const check of [store.blobs.checkRead, store.blobs.checkWrite, store.blobs.checkRead])
    expect(await reasonFrom(check())).toBe("none");
  const elsewhere = createS3Blobs({ ...store.options, bucket: "nowhere" });
  for (const call of [elsewhere.checkWrite, elsewhere.checkRead, () => elsewhere.get("a")])
    expect(await reasonFrom(call())).toBe("NoSuchBucket");
});

it("does not follow redirects", async () => {
  let calls = 0;
  const blobs = await blobsOn((request, response) => {
    calls += 1;
    response.writeHead(307, { location: `http://${request.headers.host}/elsewhere` }).end();
  });
  expect(await outcomeOf(blobs.put("a", Buffer.from("a")))).toBe("SERVICE_UNAVAILABLE");
  expect(await outcomeOf(blobs.get("a"))).toBe("SERVICE_UNAVAILABLE");
  expect(calls).toBe(2);
});

it("rejects a truncated response", async () => {
  const blobs = await blobsOn((_, response) => {
    response.writeHead(200, { "content-length": 100 });
    response.write("half", () => response.destroy());
  });
  expect(await outcomeOf(blobs.get("a"))).toBe("SERVICE_UNAVAILABLE");
});

it("signs every call and the bytes of a put", async () => {
  const seen: [string | undefined, boolean][] = [];
  const blobs = await blobsOn((request, response) => {
    const body: Buffer[] = [];
    request.on("data", (bytes) => body.push(bytes));
    request.on("end", () => {
      seen.push([request.method, isSigned(request, Buffer.concat(body), secretAccessKey)]);
      response.writeHead(request.method === "DELETE" ? 204 : 200).end();
    });
  });
  await blobs.put("blob_a-1", Buffer.from("content"));
  await blobs.get("blob_a-1");
  await blobs.delete("blob_a-1");
  expect(seen).toEqual([
    ["PUT", true],
    ["GET", true],
    ["DELETE", true],
  ]);
});

it("has addresses that are signed for one object and for five minutes, without the secret", async () => {
  const seen: boolean[] = [];
  const blobs = await blobsOn((request, response) => {
    seen.push(isSignedUrl(request, secretAccessKey));
    response.end("content");
  });
  const { url } = await blobs.addressOf("blob_a-1");
  for (const sent of [url, url.replace("blob_a-1", "blob_a-2"), url.replace("Expires=300", "Expires=900")])
    await fetch(sent);
  expect(seen).toEqual([true, false, false]);
  expect(url).not.toContain(secretAccessKey);
  await expect(blobs.addressOf("../a")).rejects.toThrow(TypeError);
});

it.each([
  "",
  "s3.example",
  "ftp://s3.example",
  "https://user:pass@s3.example",
  "https://s3.example/path",
  "https://s3.example?a",
])("rejects the endpoint %j", (endpoint) => {
  expect(() => createS3Blobs({ endpoint, ...options })).toThrow(TypeError);
});

it.each([
  [200, 1, true],
  [412, 1, false],
  [409, 1, false],
  [501, 2, true],
])("creates a blob if none has its name: %d after %d requests", async (status, count, created) => {
  const conditions: (string | undefined)[] = [];
  const blobs = await blobsOn((request, response) => {
    const condition = request.headers["if-none-match"];
    conditions.push(condition);
    request.resume().on("end", () => response.writeHead(condition ? status : 200).end());
  });
  expect(await blobs.create("a", Buffer.from("a"))).toBe(created);
  expect(conditions).toEqual(["*", undefined].slice(0, count));
});

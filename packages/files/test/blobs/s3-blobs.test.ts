import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { Failure, reasonOf } from "@cardbridge/domain";
import { expect, it, onTestFinished } from "vitest";
import { createS3Blobs } from "../../src/index.ts";
import { outcomeOf } from "../support/outcome.ts";
import { isSigned } from "../support/s3-signature.ts";
import { startS3 } from "../support/stores.ts";

const secretAccessKey = "very-secret";

async function startServer(respond: RequestListener) {
  const server = createServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port: (server.address() as AddressInfo).port, close };
}

async function blobsOn(respond: RequestListener, timeoutMs = 60_000) {
  const { port, close } = await startServer(respond);
  onTestFinished(close);
  const endpoint = `http://127.0.0.1:${port}`;
  return createS3Blobs({
    endpoint,
    bucket: "b",
    region: "r",
    accessKeyId: "id",
    secretAccessKey,
    pathStyle: true,
    timeoutMs,
  });
}

const error = (status: number, code: string): RequestListener => {
  return (_, response) => response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
};

const answers: [number, string, string][] = [
  [507, "XMinioStorageFull", "STORAGE_FULL"],
  [507, "", "STORAGE_FULL"],
  [400, "XMinioAdminBucketQuotaExceeded", "STORAGE_FULL"],
  [403, "QuotaExceeded", "STORAGE_FULL"],
  [403, "AccessDenied", "SERVICE_UNAVAILABLE"],
  [404, "NoSuchBucket", "SERVICE_UNAVAILABLE"],
  [500, "InternalError", "SERVICE_UNAVAILABLE"],
  [503, "SlowDown", "SERVICE_UNAVAILABLE"],
  [204, "", "SERVICE_UNAVAILABLE"],
];

it.each(answers)("maps %d %s to %s", async (status, code, failure) => {
  const blobs = await blobsOn(error(status, code));
  expect(await outcomeOf(blobs.put("a", Buffer.from("a")))).toBe(failure);
});

it.each([
  [404, "NoSuchBucket"],
  [404, ""],
  [403, "AccessDenied"],
  [206, ""],
])("does not map %d %s to a missing or deleted blob", async (status, code) => {
  const blobs = await blobsOn(error(status, code));
  expect(await outcomeOf(blobs.get("a"))).toBe("SERVICE_UNAVAILABLE");
  expect(await outcomeOf(blobs.delete("a"))).toBe("SERVICE_UNAVAILABLE");
});

const reasonFrom = (task: Promise<unknown>) => task.then(() => "none", reasonOf);

it.each([
  [404, "NoSuchBucket", "NoSuchBucket"],
  [403, "AccessDenied", "AccessDenied"],
  [507, "XMinioStorageFull", "XMinioStorageFull"],
  [502, "", "status-502"],
  [403, "ada@example.com", "status-403"],
])("a failure after %d %s has the reason %s", async (status, code, reason) => {
  const blobs = await blobsOn(error(status, code));
  expect(await reasonFrom(blobs.put("a", Buffer.from("a")))).toBe(reason);
  expect(await reasonFrom(blobs.get("a"))).toBe(reason);
});

it("a failure without a response has the reason of the network", async () => {
  const { port, close } = await startServer(() => {});
  await close();
  const options = { bucket: "b", region: "r", accessKeyId: "id", secretAccessKey, pathStyle: true };
  const gone = createS3Blobs({ endpoint: `http://127.0.0.1:${port}`, ...options });
  expect(await reasonFrom(gone.get("a"))).toBe("ECONNREFUSED");
  const silent = await blobsOn(() => {}, 50);
  expect(await reasonFrom(silent.get("a"))).toBe("timeout");
});

it("the checks succeed in a bucket, and name a missing one", async () => {
  const { options, close } = await startS3();
  onTestFinished(close);
  const blobs = createS3Blobs(options);
  expect(await reasonFrom(blobs.checkRead())).toBe("none");
  expect(await reasonFrom(blobs.checkWrite())).toBe("none");
  expect(await reasonFrom(blobs.checkRead())).toBe("none");
  const elsewhere = createS3Blobs({ ...options, bucket: "nowhere" });
  expect(await reasonFrom(elsewhere.checkWrite())).toBe("NoSuchBucket");
  expect(await reasonFrom(elsewhere.checkRead())).toBe("NoSuchBucket");
});

it("its identity is its bucket, also while the store does not answer", async () => {
  expect(await (await blobsOn(() => {}, 50)).identity()).toBe("s3:b");
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

it("times out before and during the response", async () => {
  const late = (response: ServerResponse, begin: () => void) => {
    begin();
    setTimeout(() => response.end(), 20_000).unref();
  };
  const silent = await blobsOn((_, response) => late(response, () => {}), 50);
  expect(await outcomeOf(silent.put("a", Buffer.from("a")))).toBe("SERVICE_UNAVAILABLE");
  const slow = await blobsOn((_, response) => late(response, () => response.write("half")), 50);
  expect(await outcomeOf(slow.get("a"))).toBe("SERVICE_UNAVAILABLE");
});

it("does not include an address, name or secret in errors", async () => {
  const { port, close } = await startServer(() => {});
  await close();
  const options = {
    bucket: "my-bucket",
    region: "r",
    accessKeyId: "key-id",
    secretAccessKey,
    pathStyle: true,
  };
  const blobs = createS3Blobs({ endpoint: `http://127.0.0.1:${port}`, ...options });
  const thrown = await blobs.put("blob_name", Buffer.from("a")).catch((failure) => failure);
  expect(thrown).toBeInstanceOf(Failure);
  expect(inspect(thrown, { depth: 9 })).not.toMatch(/127\.0|my-bucket|blob_name|key-id|very-secret/);
});

it("rejects with SERVICE_UNAVAILABLE for a missing bucket of an S3 server", async () => {
  const { options, close } = await startS3();
  const elsewhere = createS3Blobs({ ...options, bucket: "nowhere" });
  expect(await outcomeOf(elsewhere.get("a"))).toBe("SERVICE_UNAVAILABLE");
  await close();
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

it.each([
  "",
  "s3.example",
  "ftp://s3.example",
  "https://user:pass@s3.example",
  "https://s3.example/path",
  "https://s3.example?a",
])("rejects the endpoint %j", (endpoint) => {
  const options = { endpoint, bucket: "b", region: "r", accessKeyId: "id", secretAccessKey };
  expect(() => createS3Blobs(options)).toThrow(TypeError);
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

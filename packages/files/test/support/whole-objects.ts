import { stat } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import type S3rver from "s3rver";

interface FileStore {
  putObject(object: { bucket: string; key: string }): Promise<{ size: number }>;
  getResourcePath(bucket: string, key: string, resource: "object"): string;
}

/** Makes an S3 server answer a PUT after its file is written. Its own answer comes earlier. */
export function answerWholeObjects(server: S3rver): void {
  const { store } = server as unknown as { store: FileStore };
  const putObject = store.putObject.bind(store);
  store.putObject = async (object) => {
    const stored = await putObject(object);
    const path = store.getResourcePath(object.bucket, object.key, "object");
    const written = () =>
      stat(path).then(
        ({ size }) => size === stored.size,
        () => false,
      );
    while (!(await written())) await setTimeout(1);
    return stored;
  };
}

/** Joins texts so that no two lists of them give the same bytes: each is preceded by its length. */
export function framed(...texts: string[]): Buffer {
  return Buffer.concat(texts.flatMap((text) => [lengthOf(text), Buffer.from(text)]));
}

function lengthOf(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(text));
  return length;
}

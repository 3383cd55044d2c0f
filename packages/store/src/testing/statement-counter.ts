/** What a client asks for: a simple query, or the execution of a prepared statement. */
const asking = new Set([..."QE"].map((type) => type.charCodeAt(0)));

/**
 * Counts the statements in one connection's messages to PostgreSQL, in whatever pieces they come. The first
 * message has no type: it opens the connection.
 */
export function statementCounter(): (chunk: Buffer) => number {
  let rest = Buffer.alloc(0);
  let typeLength = 0;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    let found = 0;
    while (rest.length >= typeLength + 4) {
      const end = typeLength + rest.readUInt32BE(typeLength);
      if (rest.length < end) break;
      if (typeLength === 1 && asking.has(rest[0] ?? 0)) found += 1;
      rest = rest.subarray(end);
      typeLength = 1;
    }
    return found;
  };
}

/** The message types of a simple query and of the execution of a prepared statement. */
const statementTypes = new Set([..."QE"].map((type) => type.charCodeAt(0)));

/**
 * Counts the statements that one connection sends to PostgreSQL. A chunk may contain a part of a message or several
 * messages. The first message, which opens the connection, has no type.
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
      if (typeLength === 1 && statementTypes.has(rest[0] ?? 0)) found += 1;
      rest = rest.subarray(end);
      typeLength = 1;
    }
    return found;
  };
}

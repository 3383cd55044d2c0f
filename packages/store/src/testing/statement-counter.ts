const [query, parse, execute] = [..."QPE"].map((type) => type.charCodeAt(0));
/** The function of a heartbeat. A process has heartbeats at its own times, so they are not counted. */
const heartbeat = "renew_process";

/**
 * Counts the statements that one connection sends to PostgreSQL: simple queries, and executions of prepared
 * statements. A chunk may contain a part of a message or several messages. The first message, which opens the
 * connection, has no type.
 */
export function statementCounter(): (chunk: Buffer) => number {
  let rest = Buffer.alloc(0);
  let typeLength = 0;
  let isHeartbeat = false;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    let found = 0;
    while (rest.length >= typeLength + 4) {
      const end = typeLength + rest.readUInt32BE(typeLength);
      if (rest.length < end) break;
      const type = typeLength === 1 ? rest[0] : undefined;
      if (type === parse) isHeartbeat = rest.subarray(0, end).includes(heartbeat);
      if (type === query || (type === execute && !isHeartbeat)) found += 1;
      rest = rest.subarray(end);
      typeLength = 1;
    }
    return found;
  };
}

const [query, parse, execute] = [..."QPE"].map((type) => type.charCodeAt(0));
/** The functions of heartbeats and of reads of pauses, which a process calls at its own times. They are not counted. */
const uncounted = ["renew_process", "current_pauses"];

/**
 * Counts the statements that one connection sends to PostgreSQL: simple queries and executions of prepared statements. A
 * chunk may contain a part of a message or several messages. The first message, which opens the connection, has no type.
 */
export function statementCounter(): (chunk: Buffer) => number {
  let rest = Buffer.alloc(0);
  let typeLength = 0;
  let isCounted = true;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    let found = 0;
    while (rest.length >= typeLength + 4) {
      const end = typeLength + rest.readUInt32BE(typeLength);
      if (rest.length < end) break;
      const type = typeLength === 1 ? rest[0] : undefined;
      const message = rest.subarray(0, end);
      const isOwn = !uncounted.some((name) => message.includes(name));
      if (type === parse) isCounted = isOwn;
      if ((type === query && isOwn) || (type === execute && isCounted)) found += 1;
      rest = rest.subarray(end);
      typeLength = 1;
    }
    return found;
  };
}

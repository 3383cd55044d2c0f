const [query, parse, bind, execute] = [..."QPBE"].map((type) => type.charCodeAt(0));
/** The functions of heartbeats and of reads of pauses, which a process calls at its own times. They are not counted. */
const uncounted = ["renew_process", "current_pauses"];

/**
 * Reads the statements that one connection sends to PostgreSQL: the number of simple queries and executions of prepared
 * statements, and their texts, also of a statement that was prepared before. A chunk may contain a part of a message or
 * several messages. The first message, which opens the connection, has no type.
 */
export function statementReader(): (chunk: Buffer) => { found: number; texts: string[] } {
  /** The texts of prepared statements, by their names. */
  const prepared = new Map<string, string>();
  let rest = Buffer.alloc(0);
  let typeLength = 0;
  let isCounted = true;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    let found = 0;
    const texts: string[] = [];
    while (rest.length >= typeLength + 4) {
      const end = typeLength + rest.readUInt32BE(typeLength);
      if (rest.length < end) break;
      const type = typeLength === 1 ? rest[0] : undefined;
      const message = rest.subarray(0, end);
      const isOwn = !uncounted.some((name) => message.includes(name));
      if (type === parse) {
        isCounted = isOwn;
        const [name = "", text = ""] = message.toString("utf8", 5).split("\0");
        prepared.set(name, text);
      }
      if (type === bind) {
        const [, name = ""] = message.toString("utf8", 5).split("\0", 2);
        texts.push(prepared.get(name) ?? "");
      }
      if (type === query) texts.push(message.toString("utf8", 5));
      if ((type === query && isOwn) || (type === execute && isCounted)) found += 1;
      rest = rest.subarray(end);
      typeLength = 1;
    }
    return { found, texts };
  };
}

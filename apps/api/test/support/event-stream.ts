/** One server-sent event; `data` is parsed. */
export interface StreamEvent {
  event: string | undefined;
  id: string | undefined;
  data: unknown;
}

/** Parses the events of a response as they come. */
export async function* eventsOf(response: Response): AsyncGenerator<StreamEvent, void> {
  const text = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream());
  let rest = "";
  for await (const chunk of text) {
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop() ?? "";
    yield* blocks.filter((block) => block.trim() !== "").map(parse);
  }
}

function parse(block: string): StreamEvent {
  const fields = block.split("\n").filter((line) => line !== "");
  const value = (name: string) => fields.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const data = value("data");
  return { event: value("event"), id: value("id"), data: data ? JSON.parse(data) : undefined };
}

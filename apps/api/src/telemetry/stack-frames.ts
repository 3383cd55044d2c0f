/**
 * The frames of an error's stack, without its message, which can contain values and lines that look like frames. Empty
 * if the message was changed after the error's creation, because its end in the stack is then unknown.
 */
export function stackFramesOf({ stack = "", message }: Error): string[] {
  const start = stack.indexOf(message);
  if (start === -1) return [];
  const lines = stack.slice(start + message.length).split("\n");
  return lines.filter((line) => line.startsWith("    at ")).map((line) => line.trim());
}

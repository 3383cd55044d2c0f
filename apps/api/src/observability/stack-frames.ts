/**
 * Where an error comes from: the frames of its stack, without its message, which may quote a value and hold
 * lines that look like frames. None where the message was changed afterwards: nobody knows where it ends.
 */
export function stackFramesOf({ stack = "", message }: Error): string[] {
  const start = stack.indexOf(message);
  if (start === -1) return [];
  const lines = stack.slice(start + message.length).split("\n");
  return lines.filter((line) => line.startsWith("    at ")).map((line) => line.trim());
}

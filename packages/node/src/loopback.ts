/** Whether a host name or an address is this machine's loopback. */
export function isLoopback(host: string): boolean {
  return ["::1", "[::1]", "localhost"].includes(host) || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Saves a file in the person's browser. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has to begin before the address ends.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

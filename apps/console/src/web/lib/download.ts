/** Saves text as a file of the person's browser. */
export function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has to begin before the address ends.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

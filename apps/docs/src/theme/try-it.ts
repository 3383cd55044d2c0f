/*
 * Sends the example of an operation from its page, and shows the answer. A page has the demo key only on a service where it
 * is valid; elsewhere, and for a file, there is no button.
 */
const panel = document.querySelector(".operation-example .tabs .panel");
const command = [...(panel?.querySelectorAll(".ec-line") ?? [])].map((line) => line.textContent).join("\n");
const [, url = ""] = /"(https?:[^"]+)"/.exec(command) ?? [];
const hasFile = / -F | -o /.test(command);

if (panel && /\bcb_test_Demo/.test(command) && url.startsWith(`${location.origin}/`) && !hasFile) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Try it";
  button.title = "Sends this request with the demo key";
  const answer = document.createElement("output");
  const place = document.createElement("div");
  place.className = "try-it not-content";
  place.append(button, answer);
  panel.parentElement?.parentElement?.append(place);
  button.addEventListener("click", () => void send(button, answer));
}

async function send(button: HTMLButtonElement, answer: HTMLOutputElement): Promise<void> {
  button.disabled = true;
  answer.textContent = "Sending…";
  const headers = [...command.matchAll(/-H "([^:"]+): ([^"]+)"/g)].map(([, name = "", value = ""]) => [
    name,
    value,
  ]);
  const bodyStart = command.indexOf("-d '");
  // The quotation mark at the end is the last character.
  const body = bodyStart < 0 ? null : command.slice(bodyStart + "-d '".length, -1);
  const method = document.querySelector(".operation-head strong")?.textContent ?? "GET";
  try {
    const response = await fetch(url, { method, headers: Object.fromEntries(headers), body });
    answer.replaceChildren(heading(`${response.status} ${response.statusText}`), code(await response.text()));
  } catch {
    answer.textContent = "The service does not answer.";
  } finally {
    button.disabled = false;
  }
}

function heading(text: string): HTMLElement {
  const line = document.createElement("strong");
  line.textContent = text;
  return line;
}

function code(text: string): HTMLElement {
  const block = document.createElement("pre");
  block.tabIndex = 0;
  block.textContent = text.startsWith("{") ? JSON.stringify(JSON.parse(text), null, 2) : text;
  return block;
}

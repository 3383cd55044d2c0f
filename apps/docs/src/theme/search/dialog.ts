import { loadIndex, searchPages } from "./index.ts";
import { renderResults } from "./results.ts";

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches("input, select, textarea, [contenteditable]");

/** The part of the site in which a page is: the first one is that of platforms, who read the reference too. */
const partOf = (path: string) => /^\/docs\/(apps|operate|contribute)\b/.exec(path)?.[1] ?? "platforms";

/** The search of the site: a button that opens a dialog. The index is loaded when the dialog opens first. */
class SiteSearch extends HTMLElement {
  readonly #button = this.#find("button.search-open", HTMLButtonElement);
  readonly #dialog = this.#find("dialog", HTMLDialogElement);
  readonly #input = this.#find("input", HTMLInputElement);
  readonly #status = this.#find(".search-status", HTMLElement);
  readonly #results = this.#find(".search-results", HTMLElement);
  readonly #sections = JSON.parse(this.dataset.sections ?? "{}");

  connectedCallback(): void {
    this.#button.hidden = false;
    this.#button.addEventListener("click", () => this.#open());
    this.#input.addEventListener("input", () => void this.#search());
    this.#input.addEventListener("keydown", (event) => this.#move(event));
    this.#dialog.addEventListener("click", ({ target }) => {
      if (target === this.#dialog || (target instanceof Element && target.closest("a"))) this.#dialog.close();
    });
    document.addEventListener("keydown", (event) => {
      const isShortcut = event.key === "k" && (event.ctrlKey || event.metaKey);
      if (!isShortcut && (event.key !== "/" || isTyping(event.target))) return;
      event.preventDefault();
      this.#open();
    });
  }

  #find<Found extends Element>(selector: string, type: new () => Found): Found {
    const found = this.querySelector(selector);
    if (!(found instanceof type)) throw new Error(`The search has no ${selector}`);
    return found;
  }

  #open(): void {
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#input.select();
    void this.#search();
  }

  /** Shows the results of what is typed, unless more is typed while the index loads. */
  async #search(): Promise<void> {
    const query = this.#input.value.trim();
    this.#status.textContent = "Loading…";
    try {
      const index = await loadIndex();
      if (query !== this.#input.value.trim()) return;
      const pages = query === "" ? [] : searchPages(index, query, partOf(location.pathname));
      this.#results.replaceChildren(...renderResults(pages, this.#sections));
      const count = pages.flat().length;
      this.#status.textContent =
        query === ""
          ? ""
          : count === 0
            ? `No results for “${query}”. Use fewer or other words.`
            : `${count} ${count === 1 ? "result" : "results"}`;
      this.#select(this.#options()[0]);
    } catch {
      this.#status.textContent = "The search is not available. Check the connection and type again.";
    }
  }

  #options = () => [...this.#results.querySelectorAll<HTMLAnchorElement>("[role=option]")];

  #move(event: KeyboardEvent): void {
    const options = this.#options();
    const at = options.findIndex((option) => option.ariaSelected === "true");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") options[at]?.click();
    else if (step) this.#select(options.at((at + step) % options.length));
    else return;
    event.preventDefault();
  }

  #select(selected: HTMLElement | undefined): void {
    for (const option of this.#options()) option.ariaSelected = String(option === selected);
    this.#input.setAttribute("aria-activedescendant", selected?.id ?? "");
    this.#input.ariaExpanded = String(selected !== undefined);
    selected?.scrollIntoView({ block: "nearest" });
  }
}

customElements.define("site-search", SiteSearch);

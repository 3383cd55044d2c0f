const storageKey = "cardbridge-docs-language";
const tabs = () => document.querySelectorAll<HTMLInputElement>(".tabs > input");

/** Selects the tabs of a language in every group that has one. */
function select(language: string): void {
  for (const tab of tabs()) if (tab.value === language) tab.checked = true;
}

const saved = localStorage.getItem(storageKey);
if (saved) select(saved);

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.matches(".tabs > input")) return;
  const before = target.getBoundingClientRect().top;
  select(target.value);
  localStorage.setItem(storageKey, target.value);
  // The groups above may have another height now; the one in use keeps its place.
  scrollBy({ top: target.getBoundingClientRect().top - before, behavior: "instant" });
});

// Runs before the first paint, so that no other theme flashes.
const stored = localStorage.getItem("theme");
const dark = stored === "dark" || (stored !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
document.documentElement.dataset.theme = dark ? "dark" : "light";

/** No file: the documentation is not built. */
export const noSearchIndex = new URL("./no-search.json", import.meta.url);

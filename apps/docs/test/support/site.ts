/** The folder of the built site. */
export const site = new URL("../../dist/", import.meta.url);

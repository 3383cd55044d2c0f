/** Whether a text is visible ASCII without spaces, as keys, ids and tokens are. */
export const isHeaderWord = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

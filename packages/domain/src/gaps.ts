export const gaps = [];

/** Has about the length of the rows that a small POST writes. */
export const ROW_TEXT = 'x'.repeat(600)

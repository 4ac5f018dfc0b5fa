/** A signpost in this colour, as the address of a picture for `<link rel="icon">`. */
export const signpostIcon = (color: string): string =>
  `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><path fill='${color.replace('#', '%23')}' d='M14 3h4v26h-4zM7 6h16l5 4-5 4H7zM25 16H9l-5 4 5 4h16z'/></svg>`

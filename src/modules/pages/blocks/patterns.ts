import { RE2JS } from 're2js'

/** Texts of 1,000 characters are matched against all patterns of a page of this size within 0.1 s. */
const INSTRUCTIONS_MAX = 2000

/**
 * The patterns of a page. Visitors' texts are matched by RE2, because a pattern can make the usual engine run for hours.
 * Its time grows with the text and with the size of the compiled pattern: `(.?){1000}` has 4,000 instructions.
 */
export class Patterns {
  #instructions = 0

  /** Browsers check the same pattern, so it must be valid for both engines. */
  findProblem(pattern: string): string | undefined {
    // Nothing more is compiled after the first that is too large: it can take 0.1 s itself.
    if (this.#instructions > INSTRUCTIONS_MAX) return undefined
    try {
      this.#instructions += RE2JS.compile(pattern).programSize()
      new RegExp(pattern, 'v')
    } catch {
      return 'Must be a regular expression without look-around and back-references'
    }
    if (this.#instructions > INSTRUCTIONS_MAX)
      return 'The patterns of the page repeat too much. Use min and max, if you can'
    return undefined
  }
}

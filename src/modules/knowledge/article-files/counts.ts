/** What became, or will become, of the things of one kind. */
export interface Counts {
  created: number
  updated: number
  unchanged: number
  /** In the knowledge base, and not in the folder. */
  left_alone: number
}

export const noneYet = (): Counts => ({ created: 0, updated: 0, unchanged: 0, left_alone: 0 })

/** The outcome of an import for one kind of resource. */
export interface Counts {
  created: number
  updated: number
  unchanged: number
  /** These are in the knowledge base, but not in the folder. */
  left_alone: number
}

export const zeroCounts = (): Counts => ({ created: 0, updated: 0, unchanged: 0, left_alone: 0 })

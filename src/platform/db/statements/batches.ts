/** Divides items into batches of at most this size: engines limit the number of parameters of a statement. */
export function batchesOf<Item>(items: readonly Item[], sizeMax: number): Item[][] {
  const batches: Item[][] = []
  for (let from = 0; from < items.length; from += sizeMax) batches.push(items.slice(from, from + sizeMax))
  return batches
}

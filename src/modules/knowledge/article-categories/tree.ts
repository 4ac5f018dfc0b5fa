/** Where a category stands. */
export interface Place {
  id: string
  parent_id: string | null
}

/**
 * A category with everything below it, itself last and nothing before what is in it. Level by level: a tree may be as
 * deep as it has categories, and calls that deep do not fit on a stack.
 */
export function treeOf<P extends Place>(places: readonly P[], id: string): P[] {
  const children = Map.groupBy(places, ({ parent_id }) => parent_id)
  const tree = places.filter((place) => place.id === id)
  for (const place of tree) {
    for (const child of children.get(place.id) ?? []) tree.push(child)
  }
  return tree.reverse()
}

/** Whether a category is the other one or below it, told by the way from it to the top. */
export function isWithin(places: readonly Place[], id: string, otherId: string): boolean {
  const parents = new Map(places.map(({ id, parent_id }) => [id, parent_id]))
  for (let at: string | null | undefined = id; at != null; at = parents.get(at)) {
    if (at === otherId) return true
  }
  return false
}

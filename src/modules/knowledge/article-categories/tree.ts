export interface TreeNode {
  id: string
  parent_id: string | null
}

/**
 * Returns a category and all its descendants, children before parents. Iterates, because recursion would overflow the
 * stack on a very deep tree.
 */
export function subtreeOf<Node extends TreeNode>(nodes: readonly Node[], id: string): Node[] {
  const children = Map.groupBy(nodes, ({ parent_id }) => parent_id)
  const subtree = nodes.filter((node) => node.id === id)
  for (const node of subtree) {
    for (const child of children.get(node.id) ?? []) subtree.push(child)
  }
  return subtree.reverse()
}

/** Returns whether a category is the other one or one of its descendants. */
export function isWithin(nodes: readonly TreeNode[], id: string, otherId: string): boolean {
  const parents = new Map(nodes.map(({ id, parent_id }) => [id, parent_id]))
  for (let at: string | null | undefined = id; at != null; at = parents.get(at)) {
    if (at === otherId) return true
  }
  return false
}

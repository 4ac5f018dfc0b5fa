import type { OwnerKind } from '../versions/index.ts'

/** Identifies a setup. Groups have one, too, but are not scanned themselves: their codes fall back on it. */
export const targetKey = (kind: OwnerKind, slug: string): string => `${kind}:${slug}`

/** Groups have a setup too, but are not scanned themselves: their codes fall back on it. */
export type TargetKind = 'qr_code' | 'qr_group' | 'object' | 'product'

/** Identifies a target and its setup. */
export const targetKey = (kind: TargetKind, slug: string): string => `${kind}:${slug}`

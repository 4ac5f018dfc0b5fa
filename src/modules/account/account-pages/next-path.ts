import { PATHS } from './layout.ts'

/** Only to our own pages: `//` and `/\` begin the address of another site. */
export const nextPath = (next: string | null): string =>
  /^\/account(?:\/[\w/-]*)?$/.test(next ?? '') ? (next as string) : PATHS.account

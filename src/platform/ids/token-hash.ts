import { hash } from 'node:crypto'

/** For tokens of 200 random bits or more, which cannot be guessed. A plain hash is enough for them. */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url')

import { hash } from 'node:crypto'

/** Tokens of 200 random bits or more cannot be guessed, so a plain hash is enough. */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url')

import { randomBytes } from 'node:crypto'

const TOKEN_BYTES = 32
const TOKEN = /^[A-Za-z0-9_-]{43}$/

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

export const isWellFormedToken = (token: string): boolean => TOKEN.test(token)

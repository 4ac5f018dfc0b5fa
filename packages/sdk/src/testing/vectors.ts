import { readFile } from 'node:fs/promises'

/** A published test vector: a request and the expected result. */
export interface Vector {
  name: string
  secrets: string[]
  body?: string
  body_base64?: string
  headers: Record<string, string>
  now: number
  valid: boolean
  reason: string | null
}

export async function readVectors(): Promise<Vector[]> {
  const file = new URL('../../test-vectors/webhook-signatures.json', import.meta.url)
  return JSON.parse(await readFile(file, 'utf8')).vectors
}

export const bytesOf = ({ body = '', body_base64 }: Vector): Buffer =>
  body_base64 === undefined ? Buffer.from(body) : Buffer.from(body_base64, 'base64')

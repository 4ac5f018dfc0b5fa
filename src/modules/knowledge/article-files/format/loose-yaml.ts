import { parseDocument } from 'yaml'

/** Reads the keys of front matter of any tool, as far as it can be read. */
export function readKeys(yaml: string): { keys: Map<string, unknown>; isBroken: boolean } {
  try {
    const document = parseDocument(yaml, { schema: 'failsafe', logLevel: 'silent', uniqueKeys: false })
    const value: unknown = document.toJS()
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
    return { keys: new Map(isMap ? Object.entries(value) : []), isBroken: document.errors.length > 0 }
  } catch {
    return { keys: new Map(), isBroken: true }
  }
}

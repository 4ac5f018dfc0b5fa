#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Before the rest is loaded: it then starts in half the time. Beside the packages, because in the folder for
// temporary files other users of the machine could put code of theirs.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/waymark', import.meta.url)))

const { run } = await import('./program.ts')
process.exitCode = await run(process.argv.slice(2))

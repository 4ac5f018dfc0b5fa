#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Must run before the rest is loaded; it halves the start-up time. The cache is in node_modules, because other users of
// the machine could plant code in the folder for temporary files.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/waymark', import.meta.url)))

const { run } = await import('./program.ts')
process.exitCode = await run(process.argv.slice(2))

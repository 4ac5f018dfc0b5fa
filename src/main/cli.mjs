#!/usr/bin/env node
// JavaScript, because for a TypeScript file that is not in the cache, Node loads a compiler of 15 MB.
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

const CACHE_DIR = fileURLToPath(new URL('../../node_modules/.cache/waymark', import.meta.url))

// Must run before the rest is loaded; it halves the start-up time. The cache is in node_modules, because other users of
// the machine could plant code in the folder for temporary files. Node does without a cache that it cannot read or write.
// biome-ignore lint/style/noProcessEnv: a setting of Node, which our threads find only there
process.env.NODE_COMPILE_CACHE ||= CACHE_DIR
enableCompileCache()

const { run } = await import('./program.ts')
process.exitCode = await run(process.argv.slice(2))

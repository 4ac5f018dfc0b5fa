#!/usr/bin/env node
// JavaScript, because for a TypeScript file that is not in the cache, Node loads a compiler of 15 MB.
import { existsSync } from 'node:fs'
import * as module from 'node:module'
import { fileURLToPath } from 'node:url'

// In a fresh clone, or with a Node that cannot run TypeScript, the rest fails with an error that helps nobody.
const problem = !existsSync(new URL('../../node_modules/commander', import.meta.url))
  ? 'Waymark is not installed yet. Run npm start first, or node scripts/setup.mjs.'
  : !process.features.typescript &&
    `Node ${process.versions.node} is too old. Run npx waymark, which uses the Node that is installed with Waymark.`
if (problem) {
  console.error(problem)
  process.exit(1)
}

const CACHE_DIR = fileURLToPath(new URL('../../node_modules/.cache/waymark', import.meta.url))

// Must run before the rest is loaded; it halves the start-up time. The cache is in node_modules, because other users of
// the machine could plant code in the folder for temporary files. Node does without a cache that it cannot read or write.
// biome-ignore lint/style/noProcessEnv: a setting of Node, which our threads find only there
process.env.NODE_COMPILE_CACHE ||= CACHE_DIR
module.enableCompileCache()

// Our own imports name a file exactly. Node would search for each of thousands, which takes a quarter of the start-up time.
module.registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('.') && specifier.endsWith('.ts')
      ? { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true }
      : next(specifier, context),
})

const { run } = await import('./program.ts')
process.exitCode = await run(process.argv.slice(2))
// Node writes the cache when a process exits, but a service may be killed. Does nothing if all of it was in the cache.
module.flushCompileCache()

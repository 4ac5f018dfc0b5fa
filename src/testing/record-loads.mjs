/**
 * Loaded before a process (`node --import`): writes down which modules its main thread loads, one a line, into the file that
 * LOADED_MODULES names. Threads have modules of their own.
 */
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'

const file = process.env.LOADED_MODULES

if (isMainThread && file !== undefined) {
  registerHooks({
    load(url, context, nextLoad) {
      appendFileSync(file, `${url}\n`)
      return nextLoad(url, context)
    },
  })
}

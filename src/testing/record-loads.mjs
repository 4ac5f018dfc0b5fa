/**
 * Loaded before a process (`node --import`): writes down what its main thread loads into the file that LOADED_MODULES names, one
 * module a line, with an empty line between turns of the event loop. At the end follow Node's own modules, and the space for new
 * objects. Threads have modules of their own.
 */
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { getHeapSpaceStatistics } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

const file = process.env.LOADED_MODULES

if (isMainThread && file !== undefined) {
  const write = (line) => appendFileSync(file, `${line}\n`)
  let isRecorded = false
  const endTurn = () => {
    isRecorded = false
    write('')
  }
  registerHooks({
    load(url, context, nextLoad) {
      if (!isRecorded) setImmediate(endTurn).unref()
      isRecorded = true
      write(url)
      return nextLoad(url, context)
    },
  })
  process.on('exit', () => {
    for (const name of process.moduleLoadList) write(name)
    write(`new_space ${getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size}`)
  })
}

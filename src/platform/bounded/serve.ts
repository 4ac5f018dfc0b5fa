import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

/** `ready` comes first, so that the time for loading libraries does not count against the first task. */
export type ThreadMessage<Result> = ({ ready: true } | { result: Result }) & { cpuUsage: NodeJS.CpuUsage }

/** Leaves the thread a quarter of a processor that the main thread wants, too. */
const NICENESS_MORE = 5
const NICENESS_MAX = 19

/** Runs inside the worker thread. An exception from `work` ends the thread, and the parent rejects the task. */
export function serve<Task, Result>(work: (task: Task) => Result): void {
  yieldToOthers()
  const send = (message: { ready: true } | { result: Result }) =>
    parentPort?.postMessage({ ...message, cpuUsage: process.threadCpuUsage() } satisfies ThreadMessage<Result>)
  parentPort?.on('message', (task: Task) => send({ result: work(task) }))
  send({ ready: true })
}

/** Gives the main thread precedence. Only Linux has a priority per thread; elsewhere this would slow the process. */
function yieldToOthers(): void {
  if (process.platform === 'linux') setPriority(Math.min(getPriority() + NICENESS_MORE, NICENESS_MAX))
}

import { parentPort } from 'node:worker_threads'

/** `ready` comes first, so that the time for loading libraries does not count against the first task. */
export type Message<Result> = { ready: true } | { result: Result }

/** Runs inside the worker thread. An exception from `work` ends the thread, and the parent rejects the task. */
export function serve<Task, Result>(work: (task: Task) => Result): void {
  parentPort?.on('message', (task: Task) => parentPort?.postMessage({ result: work(task) } satisfies Message<Result>))
  parentPort?.postMessage({ ready: true } satisfies Message<Result>)
}

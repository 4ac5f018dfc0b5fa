import { parentPort } from 'node:worker_threads'

/** That it has begun is told first, because loading libraries is not the fault of what is asked first. */
export type Message<Result> = { ready: true } | { result: Result }

/** The other side: what a script does to be the thread. What is thrown ends the thread, and is heard as its end. */
export function serve<Task, Result>(work: (task: Task) => Result): void {
  parentPort?.on('message', (task: Task) => parentPort?.postMessage({ result: work(task) } satisfies Message<Result>))
  parentPort?.postMessage({ ready: true } satisfies Message<Result>)
}

import { type ServiceProcess, startServiceProcess } from '../src/testing/process.ts'

export type Restartable = ReturnType<typeof restartable>

/** Restarts the service on the same data and port. A drill must end it, because other drills may run at the same time. */
export function restartable(settings: Record<string, string>) {
  let current: ServiceProcess | undefined
  const end = async (signal: NodeJS.Signals) => {
    current?.send(signal)
    await current?.ended
  }
  return {
    start: async () => {
      current = await startServiceProcess(settings)
      return current
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

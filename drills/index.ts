import { runNamed } from '../src/testing/named-scripts.ts'
import { killProcesses } from '../src/testing/process.ts'

await runNamed(import.meta.dirname, 'npm run drill')
// A drill that failed while it started a process leaves it behind.
await killProcesses()

import { runNamed } from '../src/testing/named-scripts.ts'

await runNamed(import.meta.dirname, 'npm run drill')

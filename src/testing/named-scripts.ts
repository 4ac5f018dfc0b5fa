import { readdirSync } from 'node:fs'

/** What a file in bench/ or drills/ exports. `run` rejects when what it is about does not hold. */
interface NamedScript {
  about: string
  run(args: string[]): Promise<void>
}

/** Runs the file that the first argument names, or tells which there are. */
export async function runNamed(folder: string, command: string): Promise<void> {
  const names = readdirSync(folder)
    .filter((file) => /^[a-z-]+\.ts$/.test(file) && file !== 'index.ts')
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
  const load = (name: string): Promise<NamedScript> => import(`${folder}/${name}.ts`)

  const [name, ...args] = process.argv.slice(2)
  if (name === undefined || !names.includes(name)) {
    console.log(`${command} -- <name> [options]\n`)
    for (const known of names) console.log(`  ${known.padEnd(12)} ${(await load(known)).about}`)
    process.exitCode = name === undefined ? 0 : 1
    return
  }
  const { run } = await load(name)
  try {
    await run(args)
  } catch (error) {
    console.error(`\nFAILED: ${(error as Error).message}`)
    process.exitCode = 1
  }
}

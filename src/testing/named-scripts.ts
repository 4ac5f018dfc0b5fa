import { existsSync, readdirSync } from 'node:fs'

/** The exports of an `index.ts` in a folder of bench/ or drills/. `run` rejects when a check fails. */
interface NamedScript {
  about: string
  run(args: string[]): Promise<void>
}

/** Runs the script named by the first command-line argument. Without one, lists all scripts. */
export async function runNamed(folder: string, command: string): Promise<void> {
  const names = readdirSync(folder)
    .filter((name) => existsSync(`${folder}/${name}/index.ts`))
    .sort()
  const load = (name: string): Promise<NamedScript> => import(`${folder}/${name}/index.ts`)

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

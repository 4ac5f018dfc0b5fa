import type { Usage } from '../support/children.ts'
import type { Code } from './data.ts'
import type { ScanGenerator, ScanLoad, ScanOutcome } from './load.ts'

/** What each scan cost the server's process: on a machine that is busy with other things it wavers less than time. */
export interface Measured extends ScanOutcome {
  cpuMicrosEach: number
  mainThreadMicrosEach: number
  /** Scans that became durable together; infinite where nothing does. */
  batch: number
}

interface ScanServer {
  port: number
  usage(): Promise<Usage>
}

type TargetLoad = Omit<ScanLoad, 'port' | 'paths'> & { codesUsed: number }

/** A server that scans are sent to, and how many of them it has answered. */
export class ScanTarget {
  answers = 0
  readonly name: string
  readonly server: ScanServer
  readonly #generator: ScanGenerator
  readonly #paths: string[]

  constructor(name: string, server: ScanServer, generator: ScanGenerator, codes: readonly Code[]) {
    this.name = name
    this.server = server
    this.#generator = generator
    this.#paths = codes.map(({ public_slug }) => `/${public_slug}`)
  }

  async run({ codesUsed, ...load }: TargetLoad): Promise<ScanOutcome> {
    const paths = this.#paths.slice(0, codesUsed)
    const outcome = await this.#generator.run({ port: this.server.port, paths, ...load })
    this.answers += outcome.answers
    return outcome
  }

  async measure(load: TargetLoad): Promise<Measured> {
    const before = await this.server.usage()
    const outcome = await this.run(load)
    const after = await this.server.usage()
    return {
      ...outcome,
      cpuMicrosEach: (after.cpuMicros - before.cpuMicros) / outcome.answers,
      mainThreadMicrosEach: (after.mainThreadMicros - before.mainThreadMicros) / outcome.answers,
      batch: outcome.answers / (after.batches - before.batches),
    }
  }
}

/** In turn, so that whatever else the machine does touches all of them alike. Answers the rounds of each. */
export async function measureInTurn(
  targets: readonly ScanTarget[],
  load: TargetLoad,
  rounds: number,
): Promise<Measured[][]> {
  const measured = targets.map((): Measured[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, target] of targets.entries()) measured[index]?.push(await target.measure(load))
  }
  return measured
}

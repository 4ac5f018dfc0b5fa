import type { Usage } from '../support/children.ts'
import type { ScanGenerator, ScanLoad, ScanOutcome } from './load.ts'

/** CPU times are those of the server process, per scan: on a busy machine they vary less than the rate. */
export interface Measured extends ScanOutcome {
  cpuMicrosEach: number
  mainThreadMicrosEach: number
  /** Scans per commit; infinite for a server that commits nothing. */
  batch: number
}

interface ScanServer {
  port: number
  usage(): Promise<Usage>
}

type TargetLoad = Omit<ScanLoad, 'port' | 'paths'> & { codesUsed: number }

/** A server under test. */
export class ScanTarget {
  /** The number of 302 responses so far. */
  responses = 0
  readonly name: string
  readonly server: ScanServer
  readonly #generator: ScanGenerator
  readonly #paths: readonly string[]

  constructor(name: string, server: ScanServer, generator: ScanGenerator, paths: readonly string[]) {
    this.name = name
    this.server = server
    this.#generator = generator
    this.#paths = paths
  }

  async run({ codesUsed, ...load }: TargetLoad): Promise<ScanOutcome> {
    const paths = this.#paths.slice(0, codesUsed)
    const outcome = await this.#generator.run({ port: this.server.port, paths, ...load })
    this.responses += outcome.responses
    return outcome
  }

  async measure(load: TargetLoad): Promise<Measured> {
    const before = await this.server.usage()
    const outcome = await this.run(load)
    const after = await this.server.usage()
    return {
      ...outcome,
      cpuMicrosEach: (after.cpuMicros - before.cpuMicros) / outcome.responses,
      mainThreadMicrosEach: (after.mainThreadMicros - before.mainThreadMicros) / outcome.responses,
      batch: outcome.responses / (after.batches - before.batches),
    }
  }
}

/** Alternates between the targets, so that other load on the machine affects all equally. */
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

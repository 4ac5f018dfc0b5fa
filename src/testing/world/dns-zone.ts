import { type DnsRecord, type DnsReply, type DnsServer, type RecordType, startNameServer } from './dns-server.ts'

/** A name server with records that tests change. Follows names like the resolver of a provider. */
export class DnsZone {
  #records: DnsRecord[] = []
  readonly #troubles = new Map<string, 'server_failure' | 'silence'>()
  #server: DnsServer | undefined
  /** The names of all queries so far. */
  readonly asked: string[] = []

  static async start(): Promise<DnsZone> {
    const zone = new DnsZone()
    zone.#server = await startNameServer((name, type) => {
      zone.asked.push(name)
      return zone.#answer(name, type)
    })
    return zone
  }

  /** The value of DNS_SERVERS. */
  get address(): string {
    return this.#server?.address ?? ''
  }

  /** Replaces the records of this name and type. */
  set(name: string, type: RecordType, ...values: string[]): void {
    const others = this.#records.filter((record) => record.name !== name || record.type !== type)
    this.#records = [...others, ...values.map((value) => ({ name, type, value }))]
  }

  /** Creates the records that a domain needs to be verified. */
  prove(records: readonly { type: string; domain: string; value: string }[]): void {
    for (const [type, same] of Map.groupBy(records, (record) => record.type)) {
      this.set(same[0]?.domain ?? '', type as RecordType, ...same.map(({ value }) => value))
    }
  }

  /** Every query for this name fails, until `undefined` is given. */
  fail(name: string, trouble: 'server_failure' | 'silence' | undefined): void {
    if (trouble === undefined) this.#troubles.delete(name)
    else this.#troubles.set(name, trouble)
  }

  queriesFor(name: string): number {
    return this.asked.filter((asked) => asked === name).length
  }

  async close(): Promise<void> {
    await this.#server?.close()
  }

  #answer(name: string, type: RecordType): DnsReply {
    const trouble = this.#troubles.get(name)
    if (trouble !== undefined) return trouble
    const found = this.#records.filter((record) => record.name === name)
    if (found.length === 0) return 'no_such_name'
    const ofType = found.filter((record) => record.type === type)
    const alias = found.find((record) => record.type === 'CNAME')
    if (ofType.length > 0 || alias === undefined) return ofType
    const further = this.#answer(alias.value, type)
    return typeof further === 'string' && further !== 'no_such_name'
      ? further
      : [alias, ...(Array.isArray(further) ? further : [])]
  }
}

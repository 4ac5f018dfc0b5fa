import type { z } from 'zod'
import { noteChange } from '../../../../platform/audit/index.ts'
import { StreamedFile } from '../../../../platform/contract/index.ts'
import { ApiError } from '../../../../platform/errors/index.ts'
import type { Context } from '../../../../platform/http/index.ts'
import type { OrgId } from '../../../../platform/ids/index.ts'
import type { ExportQuery } from '../contract.ts'
import { toCsv } from './csv.ts'
import { readTable } from './export-table.ts'
import { toXlsx, XLSX_ROWS_MAX } from './xlsx.ts'

type Query = z.output<typeof ExportQuery>

/** Each reads many rows, and holds up to three megabytes of them for as long as its client takes. */
const RUNNING_PER_ORGANISATION_MAX = 4
const RETRY_AFTER_SECONDS = 10

/** Exports that are being sent. */
export class Exports {
  readonly #running = new Map<OrgId, number>()

  async csv(ctx: Context, query: Query): Promise<StreamedFile> {
    const table = () => toCsv(this.#read(ctx, query, Infinity))
    return this.#export(ctx, 'text/csv; charset=utf-8', 'csv', table)
  }

  async xlsx(ctx: Context, query: Query): Promise<StreamedFile> {
    const table = () => toXlsx(this.#read(ctx, query, XLSX_ROWS_MAX))
    const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    return this.#export(ctx, mediaType, 'xlsx', table)
  }

  #read(ctx: Context, { include, ...filters }: Query, rowsMax: number) {
    return readTable(ctx.readLong, ctx.orgId, filters, { properties: include !== undefined, rowsMax })
  }

  async #export(
    ctx: Context,
    mediaType: string,
    extension: string,
    open: () => AsyncGenerator<string | Uint8Array>,
  ): Promise<StreamedFile> {
    const limited = this.#limit(ctx.orgId, open)
    await ctx.write(async (tx) => noteChange(tx, 'submission.exported', { type: 'submission', id: null }))
    return new StreamedFile(mediaType, `submissions-${ctx.now.slice(0, 10)}.${extension}`, limited)
  }

  /** Throws at once if too many run already. */
  #limit<T>(orgId: OrgId, open: () => AsyncGenerator<T>): () => AsyncGenerator<T> {
    const running = this.#running
    if ((running.get(orgId) ?? 0) >= RUNNING_PER_ORGANISATION_MAX) {
      throw new ApiError(
        'rate_limited',
        'Your organisation has too many exports running. Retry when one is complete.',
        {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        },
      )
    }
    return async function* () {
      running.set(orgId, (running.get(orgId) ?? 0) + 1)
      try {
        yield* open()
      } finally {
        const left = (running.get(orgId) ?? 1) - 1
        if (left === 0) running.delete(orgId)
        else running.set(orgId, left)
      }
    }
  }
}

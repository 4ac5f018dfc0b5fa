import { Child, type Usage } from '../support/children.ts'

export interface BareRun {
  urls: string[]
  secret: string
  type: string
  body: string
  inFlightPerUrl: number
  /** The number of requests over all URLs. */
  count: number
}

export interface BareSender extends AsyncDisposable {
  run(run: BareRun): Promise<void>
  usage(): Promise<Usage>
}

export async function startBareSender(receiverHost: string): Promise<BareSender> {
  const child = await Child.start<object>(new URL('./bare-child.ts', import.meta.url), {
    WEBHOOK_DEV_ALLOW: receiverHost,
  })
  return {
    run: async (run) => {
      await child.request({ run })
    },
    usage: () => child.usage(),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  }
}

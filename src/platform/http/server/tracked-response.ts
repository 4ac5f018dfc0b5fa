import type { OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { http } from '../node-http.ts'

interface Observer {
  /** The head is about to be sent. Returns whether the client must use another connection for its next request. */
  onHead(response: TrackedResponse): boolean
  /** The response is about to be complete. */
  onEnding(response: TrackedResponse): void
  /** The client does not take the response as fast as it is sent. */
  onWaiting(response: TrackedResponse): void
  /** The client has taken the whole response. */
  onTaken(response: TrackedResponse): void
}

/** A response that reports what becomes of it. */
export class TrackedResponse extends http.ServerResponse {
  /** Set when the request arrives. */
  observer: Observer | undefined = undefined
  /** Bytes in memory. Set if the response is complete, but the client has not taken all of it. */
  waitingBytes: number | undefined = undefined

  override writeHead(status: number, ...rest: unknown[]): this {
    if (this.observer?.onHead(this)) this.shouldKeepAlive = false
    return super.writeHead(status, ...(rest as [OutgoingHttpHeaders]))
  }

  override write(...args: unknown[]): boolean {
    const hasRoom = super.write(...(args as [unknown, BufferEncoding]))
    if (!hasRoom) this.observer?.onWaiting(this)
    return hasRoom
  }

  /** Called by Node when the response is sent. A listener would cost 1 µs more. */
  override detachSocket(socket: Socket): void {
    super.detachSocket(socket)
    this.observer?.onTaken(this)
  }

  override end(...args: unknown[]): this {
    this.observer?.onEnding(this)
    super.end(...(args as [unknown, BufferEncoding]))
    if (this.writableLength > 0) this.observer?.onWaiting(this)
    return this
  }
}

/** Why `Context.signal` is aborted. Nobody gets the response any more. */
export class ClientLeft extends Error {
  constructor() {
    super('the client closed the connection')
    this.name = 'ClientLeft'
  }
}

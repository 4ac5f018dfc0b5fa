/** The text does not fit into the largest symbol. */
export class TextTooLong extends Error {
  constructor() {
    super('The text does not fit into the largest symbol.')
    this.name = 'TextTooLong'
  }
}

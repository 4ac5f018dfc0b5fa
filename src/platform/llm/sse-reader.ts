import { LlmError } from './llm-error.ts'

const LINE_END = /\r\n|\n|\r/

/** Reads the `data` of server-sent events from text that arrives in pieces. Everything else is ignored. */
export class SseReader {
  readonly #eventLengthMax: number
  /** The beginning of a line. */
  #rest = ''
  #data: string[] = []
  #dataLength = 0

  constructor(eventLengthMax: number) {
    this.#eventLengthMax = eventLengthMax
  }

  /** Returns the data of the events that are complete now. */
  read(text: string): string[] {
    this.#rest += text
    // The second half of a line end may still be on its way.
    const isSplit = this.#rest.endsWith('\r')
    const lines = (isSplit ? this.#rest.slice(0, -1) : this.#rest).split(LINE_END)
    this.#rest = (lines.pop() ?? '') + (isSplit ? '\r' : '')
    const events = lines.flatMap((line) => this.#readLine(line))
    if (this.#rest.length + this.#dataLength > this.#eventLengthMax) {
      throw new LlmError('malformed', `an event has more than ${this.#eventLengthMax} characters`)
    }
    return events
  }

  /** Returns the data of an event that the line ends. */
  #readLine(line: string): string[] {
    if (line !== '') {
      if (line.startsWith('data:')) {
        const data = line.slice(line.startsWith('data: ') ? 6 : 5)
        this.#data.push(data)
        this.#dataLength += data.length
      }
      return []
    }
    const data = this.#data
    this.#data = []
    this.#dataLength = 0
    return data.length === 0 ? [] : [data.join('\n')]
  }
}

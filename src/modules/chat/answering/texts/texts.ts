/** What the embedded answerer says around the words of the articles. */
export interface AnswerTexts {
  /** Above a quotation. `{title}` is the article, as a link if it has an address. */
  from: string
  /** Above further quotations. */
  alsoFrom: string
  dontKnow: string
  /** Above a list of articles. */
  nearest: string
  /** If a person can be asked. */
  askPerson: string
}

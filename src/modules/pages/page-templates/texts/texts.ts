/** The texts of the templates. Names in double braces are placeholders, with a fallback after the bar. */
export interface Texts {
  yourName: string
  yourEmail: string
  /** Below an email address that is optional. */
  replyHelp: string
  yes: string
  no: string
  warranty: {
    title: string
    description: string
    /** {{product.name}} */
    intro: string
    serialNumber: string
    serialNumberHelp: string
    purchaseDate: string
    dealer: string
    receipt: string
    receiptHelp: string
    submit: string
    doneTitle: string
    doneText: string
  }
  fault: {
    title: string
    description: string
    /** {{object.name}} */
    intro: string
    usable: string
    partly: string
    what: string
    whatExample: string
    photos: string
    photosHelp: string
    submit: string
    doneTitle: string
    doneText: string
  }
  feedback: {
    title: string
    description: string
    intro: string
    rating: string
    recommend: string
    maybe: string
    better: string
    submit: string
    doneTitle: string
    doneText: string
  }
  event: {
    title: string
    description: string
    intro: string
    guests: string
    food: string
    foodExample: string
    message: string
    submit: string
    doneTitle: string
    doneText: string
  }
  product: {
    title: string
    description: string
    /** {{product.name}}, with the title as fallback. */
    heading: string
    intro: string
    start: string
    startText: string
    care: string
    careText: string
    disposal: string
    disposalText: string
  }
  contact: {
    title: string
    description: string
    intro: string
    job: string
  }
}

interface Notice {
  title: string
  text: string
}

/** The texts of the chat, besides those of the organisation. Names in braces are placeholders. */
export interface Texts {
  language: string
  /** A button with more choices. */
  menu: string
  newConversation: string
  /** If the chatbot has no heading of its own. */
  welcome: Notice
  /** {name} */
  scanned: string
  suggestions: string
  messages: string
  earlier: string
  /** Who wrote a message. */
  you: string
  team: string
  composer: {
    label: string
    send: string
    attach: string
    /** {name} */
    removeFile: string
    /** {name} */
    uploading: string
  }
  answer: {
    sources: string
    helpful: string
    yes: string
    no: string
    thanks: string
    /** While it is being written. */
    writing: string
    /** There is a question without an answer. */
    missing: string
    retry: string
    failed: string
  }
  person: {
    ask: string
    text: string
    /** Outside the office hours, if the chatbot has no text of its own. */
    away: string
    name: string
    email: string
    emailHelp: string
    confirm: string
    requested: string
    joined: string
    writing: string
    ended: string
    /** For a mark at the visitor's last message. */
    read: string
    /** Without scripts. */
    check: string
  }
  password: Notice & { label: string; send: string; wrong: string; tooMany: string }
  /** A link in a mail was opened. */
  resume: Notice & { send: string; expired: string }
  problems: {
    empty: string
    /** {limit} */
    tooLong: string
    tooMany: string
    failed: string
    email: string
    fileType: string
    /** {limit} in MB. */
    fileTooLarge: string
    /** {limit} */
    tooManyFiles: string
    tooManyInAll: string
    fileMissing: string
  }
  connection: {
    offline: string
    /** At a message that waits for the connection. */
    unsent: string
    lost: string
  }
  widget: { open: string; close: string; unread: string }
  notices: {
    gone: Notice
    unknown: Notice
    unavailable: Notice & { retry: string }
  }
}

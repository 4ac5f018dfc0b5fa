/** What the schema does not say about columns: values, shapes and meanings. Copied into `tables.generated.ts`. */
export interface Columns {
  answer_votes: {
    /** The message with the answer. */
    message_id: string
    /** The group to which the vote was added, which may be deleted. Null if there was none. */
    group_id: string | null
    /** Whether the vote added to the `asked_count` of the group. */
    is_counted: boolean
  }
  article_votes: {
    /** A hash of the visitor, the article and the day. */
    id: string
    /** The language of the text that the visitor read. */
    language: string
  }
  chatbot_addresses: {
    /** The public slug. */
    id: string
  }
  chatbots: {
    /** Sorts by name, ignoring case. */
    name_key: string
    /** Everything that `search` looks at. */
    search_text: string
    status: 'draft' | 'active' | 'paused' | 'archived'
    suggestions: string[] | null
    /** The language of the texts. Null if it is not known. */
    default_language: string | null
    translations: object
    page_ids: string[]
    article_ids: string[]
    category_ids: string[]
    knowledge_base_ids: string[]
    location: object
    office_hours: object | null
    /** Changes with everything that visitors see. */
    revision: string
  }
  conversation_changes: {
    /** The time of an event about the conversation. */
    created_at: string
  }
  /** The files that visitors sent. They are private assets. */
  conversation_files: object
  conversation_notes: {
    /** The user; null for an API key. */
    author_id: string | null
  }
  conversation_tokens: {
    /** A hash of the token. */
    id: string
    /** `resume` is in a mail and works once. */
    purpose: 'visitor' | 'resume'
  }
  conversations: {
    /** Remains when the chatbot is deleted. */
    chatbot_id: string
    status: 'bot_active' | 'agent_requested' | 'open' | 'resolved' | 'closed' | 'archived'
    priority: 'low' | 'medium' | 'high'
    /** The beginning of the newest message that is not of the role `system`. */
    last_message_preview: string | null
    /** When the team last got a mail because the visitor waits for a person. Null if none was written. */
    team_mailed_at: string | null
    /** When a page with the conversation was open, within 20 seconds. */
    visitor_seen_at: string | null
    /** `last_message_at`, or `created_at` before that. */
    active_at: string
    /** The time of the last change that has an event. The next one is later. */
    changed_at: string
  }
  /** The ids of a conversation's messages are in the order of their times, so that they are listed by id. */
  messages: {
    role: 'user' | 'assistant' | 'system'
    metadata: object
    parts: object
    /** A hash of the key that the visitor's browser chose: the same message, sent again, has the same key. */
    message_key: string | null
    /** The question that an answer of the chatbot answers. */
    answer_to: string | null
  }
  passage_vectors: {
    /** Bytes in Base64, one for each dimension. */
    vector: string
  }
  question_groups: {
    /** The chatbot that was asked; the organisation, if the group is about an article. */
    scope_id: string
    kind: 'question' | 'article'
    /** Null for questions. */
    article_id: string | null
    /** The most frequent example, or the title of the article. */
    question: string
    /** The terms of the first question. Empty for articles. */
    terms: string[]
    /** The ways in which visitors put the question. */
    examples: {
      question: string
      count: number
      conversation_id: string | null
      message_id: string | null
      last_asked_at: string
    }[]
    /** The newest answers of readers to what was missing in the article, each with its vote. */
    comments: { vote_id: string; text: string; created_at: string }[]
    /** The conversation that was counted last. */
    last_conversation_id: string | null
    /** Whether `asked_count` is not 0. An article may have helpful votes only. */
    is_listed: boolean
  }
}

/** `{{object.name}}`, or `{{object.name|this machine}}` with a fallback. */
const PLACEHOLDER = /\{\{([^{}|<>]{1,150})(?:\|([^{}<>]{0,500}))?\}\}/g

/** The system prompt of a chatbot, ready for a model. */
export interface FilledPrompt {
  text: string
  /** The facts that it names. Only these reach the model: others may be internal. */
  facts: Map<string, string>
  /** What the organisation wrote, without the placeholders. */
  written: string[]
}

/**
 * Replaces placeholders by references to facts, which stand among the data. So no value is part of the instructions. What is not known is replaced by its fallback, which the organisation wrote.
 */
export function fillPrompt(template: string, known: ReadonlyMap<string, string>): FilledPrompt {
  const facts = new Map<string, string>()
  const text = template.replace(PLACEHOLDER, (_, name: string, fallback = '') => {
    const fact = nameOf(name.trim(), known)
    if (fact === undefined) return fallback.trim()
    facts.set(fact, known.get(fact) ?? '')
    return `(the fact ${fact})`
  })
  const written = template.replace(PLACEHOLDER, (_, _name, fallback = '') => `\0${fallback}\0`).split('\0')
  return { text, facts, written: written.filter((piece) => piece.trim() !== '') }
}

/** `object.serial` is short for `object.properties.serial`. */
function nameOf(name: string, known: ReadonlyMap<string, string>): string | undefined {
  if (known.has(name)) return name
  const property = name.replace('.', '.properties.')
  return known.has(property) ? property : undefined
}

import type { DestinationRef } from '../destinations/index.ts'
import type { OwnerState } from '../versions/index.ts'

/** More of an address says no more to a reader. */
const URL_LENGTH_MAX = 200

const nameOf = (destination: DestinationRef | null): string =>
  destination === null
    ? 'nothing'
    : destination.type === 'url'
      ? shorten(destination.url)
      : `the ${destination.type.replace('_', ' ')} ${destination.id}`

const shorten = (url: string): string => (url.length > URL_LENGTH_MAX ? `${url.slice(0, URL_LENGTH_MAX)}…` : url)

/** What a version changed, in sentences. */
export function summarise(before: OwnerState | null, after: OwnerState): string {
  if (before === null) {
    const { destination } = after
    return destination === null
      ? 'It was created without a destination.'
      : `It was created with ${nameOf(destination)}.`
  }
  const sentences: string[] = []
  const isOther = (field: keyof OwnerState) => JSON.stringify(before[field]) !== JSON.stringify(after[field])
  if (isOther('destination'))
    sentences.push(`The destination changed from ${nameOf(before.destination)} to ${nameOf(after.destination)}.`)
  if (isOther('destination_article_id')) sentences.push('It leads to another article.')
  if (isOther('status')) sentences.push(`The status changed from ${before.status} to ${after.status}.`)
  if (isOther('rules_version'))
    sentences.push(
      after.rules_version === null ? 'The rules were removed.' : `The rules changed to version ${after.rules_version}.`,
    )
  if (isOther('group_id')) sentences.push(after.group_id === null ? 'It left its group.' : 'It was put into a group.')
  if (isOther('object_id'))
    sentences.push(after.object_id === null ? 'It left its object.' : 'It was put on an object.')
  return sentences.length === 0 ? 'Nothing changed.' : sentences.join(' ')
}

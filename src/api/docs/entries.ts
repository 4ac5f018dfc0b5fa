import { linkTo, type ReferenceGroup } from './reference/operations.ts'
import type { Guide } from './render-guide.ts'
import type { DocsEntry } from './search-index.ts'

const BOOSTS = { guide: 1.6, section: 0.9, operation: 1 }

/** Everything that the search of the documentation finds: guides, their parts, and operations. */
export const entriesOf = (guides: readonly Guide[], groups: readonly ReferenceGroup[]): DocsEntry[] => [
  ...guides.flatMap(({ slug, title, sections: [first, ...others] }) => [
    { href: `/docs/${slug}`, title, trail: 'Guide', text: first?.text ?? '', boost: BOOSTS.guide },
    ...others.map(({ id, heading, text }) => ({
      href: `/docs/${slug}#${id}`,
      title: heading,
      trail: title,
      text,
      boost: BOOSTS.section,
    })),
  ]),
  ...groups.flatMap(({ families }) =>
    families.flatMap(({ title, operations }) =>
      operations.map((operation) => ({
        href: linkTo(operation),
        title: operation.summary,
        trail: `${title} · ${operation.method} ${operation.path}`,
        text: operation.description,
        boost: BOOSTS.operation,
      })),
    ),
  ),
]

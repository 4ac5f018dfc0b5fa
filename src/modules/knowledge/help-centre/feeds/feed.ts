import { timestamp } from '../../../../platform/clock/index.ts'
import { html } from '../../../../platform/text/html.ts'
import { articlePath, type FeedEntry, homePath } from '../../public-articles/index.ts'
import type { PageContext } from '../page-context.ts'
import { XML_DECLARATION, xmlText } from './xml.ts'

/** Renders the latest articles as an Atom feed (RFC 4287). */
export function atomFeed({ centre, about, language, canonicalAt }: PageContext, entries: readonly FeedEntry[]): string {
  const home = homePath(canonicalAt, language)
  // Atom requires `updated`, even for an empty feed.
  const updated = entries[0]?.updatedAt ?? timestamp(0)
  return html`${XML_DECLARATION}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<id>urn:uuid:${centre.id}</id>
<title>${xmlText(about.name)}</title>
<updated>${updated}</updated>
<author><name>${xmlText(about.name)}</name></author>
<link rel="self" type="application/atom+xml" href="${home}/feed.atom"/>
<link rel="alternate" type="text/html" href="${home}"/>
${entries.map(
  (entry) => html`<entry xml:lang="${entry.language}">
<id>urn:uuid:${entry.id}</id>
<title>${xmlText(entry.title)}</title>
<updated>${entry.updatedAt}</updated>
${entry.publishedAt !== null && html`<published>${entry.publishedAt}</published>\n`}<link rel="alternate" type="text/html" href="${articlePath(
    canonicalAt,
    entry.slug,
    entry.language,
  )}"/>
<summary>${xmlText(entry.summary)}</summary>
</entry>
`,
)}</feed>
`.toString()
}

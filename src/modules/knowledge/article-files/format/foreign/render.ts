import { calloutKind } from '../../../../../platform/markdown/index.ts'
import type { Element } from './elements.ts'
import { isBlank, type Line, trimBlock } from './lines.ts'
import {
  attribute,
  callout,
  captioned,
  card,
  codeGroup,
  content,
  details,
  field,
  fileName,
  heading,
  highlighted,
  image,
  leftOut,
  line,
  link,
  listed,
  nothing,
  type Render,
  type Rendering,
  reference,
  step,
  titled,
} from './renderers.ts'

const named = (render: Render, ...names: string[]): [string, Render][] => names.map((name) => [name, render])

/** `{% … %}` of GitBook, and of Jekyll. */
const TAGS = new Map<string, Render>([
  ...named(
    callout((element) => attribute(element, 'style'), 'title'),
    'hint',
  ),
  ...named(content, 'tabs', 'stepper', 'columns', 'column', 'updates', 'raw', 'endraw', 'prompt', 'content', 'capture'),
  ...named(titled('title'), 'tab'),
  ...named(step, 'step'),
  ...named(fileName, 'code'),
  ...named(reference('url', 'src'), 'embed', 'file', 'content-ref', 'page-ref', 'button'),
  ...named(heading, 'update'),
  ...named(details('title', 'summary'), 'expandable'),
  ...named(highlighted, 'highlight'),
  ...named(nothing, 'comment', 'icon', 'toc'),
  ...named(
    leftOut('A reference of an API is'),
    'openapi',
    'openapi-operation',
    'openapi-schemas',
    'swagger',
    'api-method',
  ),
  ...named(leftOut('What is included from another file is'), 'include', 'include_relative'),
  ...named(leftOut('A condition is'), 'if', 'elif', 'else', 'elsif', 'unless', 'case', 'when', 'for'),
])

/** Components of Docusaurus and Mintlify. */
const COMPONENTS = new Map<string, Render>([
  ...named(
    callout(({ name }) => name, 'title'),
    'Note',
    'Tip',
    'Warning',
    'Info',
    'Danger',
    'Important',
    'Caution',
  ),
  ...named(
    callout(() => 'success', 'title'),
    'Check',
    'Success',
  ),
  ...named(
    callout(() => 'error', 'title'),
    'Error',
  ),
  ...named(
    callout((element) => attribute(element, 'type', 'kind', 'variant'), 'title'),
    'Admonition',
    'Callout',
    'Aside',
    'Banner',
  ),
  ...named(
    content,
    'Tabs',
    'CardGroup',
    'CardGrid',
    'Cards',
    'Columns',
    'Column',
    'Row',
    'Col',
    'Steps',
    'AccordionGroup',
    'Group',
  ),
  ...named(
    content,
    'Tooltip',
    'Badge',
    'Translate',
    'RequestExample',
    'ResponseExample',
    'Panel',
    'Visibility',
    'View',
    'Fragment',
    'Prompt',
    'Tile',
  ),
  ...named(content, 'div', 'section', 'center', 'p', 'span', 'Tree', 'FileTree', 'HideIf', 'ShowIf', 'Details'),
  ...named(titled('label', 'title', 'value'), 'Tab', 'TabItem'),
  ...named(step, 'Step'),
  ...named(card, 'Card', 'LinkCard', 'FeatureCard', 'HeroCard', 'ThemeCard'),
  ...named(listed('name', 'title'), 'Tree.File', 'Tree.Folder'),
  ...named(details('title', 'summary', 'label'), 'Accordion', 'Expandable', 'Collapsible', 'DetailedExplanation'),
  ...named(field, 'ParamField', 'ResponseField', 'Property', 'Param'),
  ...named(heading, 'Update'),
  ...named(codeGroup, 'CodeGroup', 'CodeTabs', 'CodeBlocks'),
  ...named(captioned, 'Frame', 'Figure'),
  ...named(image, 'Image', 'ZoomImage', 'ThemedImage', 'img', 'Img', 'Screenshot'),
  ...named(link, 'Link', 'Button', 'a'),
  ...named(reference('url', 'src', 'href'), 'iframe', 'video', 'Video', 'Embed', 'YouTube'),
  ...named(nothing, 'Icon', 'head', 'Head', 'TOCInline'),
  ...named(leftOut('A list of pages is'), 'DocCardList'),
  ...named(leftOut('What is included from another file is'), 'Snippet'),
])

/** `:::name`, of which we know those that are callouts, and a few others. */
const FENCES = new Map<string, Render>([
  ...named(details(), 'details', 'collapse', 'dropdown'),
  ...named(codeGroup, 'code-group'),
  ...named(content, 'raw', 'v-pre', 'tabs', 'tab', 'columns', 'column', 'row', 'col'),
])

const SHORTCODES = new Map<string, Render>([
  ...named(
    callout((element) => attribute(element, 'type', 'color') || element.title.replace(/\W/g, ''), 'title'),
    'hint',
    'alert',
    'notice',
    'callout',
    'admonition',
  ),
  ...named(content, 'tabs', 'columns', 'steps', 'cards'),
  ...named(titled('name', 'title', 'header'), 'tab'),
  ...named(details('title', 'summary'), 'details', 'expand'),
  ...named(highlighted, 'highlight'),
  ...named(image, 'figure'),
  ...named(nothing, 'toc'),
])

const renderFence: Render = (rendering) => {
  const { element, inner, number, warn } = rendering
  const { name, title } = element
  const render = FENCES.get(name.toLowerCase())
  if (render !== undefined) return render(rendering)
  // Names with dots are those of programs, whose comments MkDocs shows.
  if (name.includes('.')) return leftOut(`The documentation of ${name} is`)(rendering)
  if (calloutKind(name) === undefined && inner.length === 0) return leftOut(`:::${name} is`)(rendering)
  if (calloutKind(name) === undefined) warn(`There is no callout ${name} here. It became a note.`)
  const kind = calloutKind(name) === undefined ? 'note' : name
  return [line(`:::${kind} ${title}`.trimEnd(), number), ...trimBlock(inner), line(':::', number)]
}

const renderExpression: Render = ({ element, number, warn }) => {
  if (element.name === 'literal') return [line(element.title, number)]
  warn('A program in braces was left out.')
  return []
}

const FORMS: Record<Element['syntax'], { known: ReadonlyMap<string, Render>; written: (name: string) => string }> = {
  tag: { known: TAGS, written: (name) => `{% ${name} %}` },
  component: { known: COMPONENTS, written: (name) => `<${name}>` },
  shortcode: { known: SHORTCODES, written: (name) => `{{< ${name} >}}` },
  fence: { known: FENCES, written: (name) => `:::${name}` },
  expression: { known: new Map(), written: () => '{…}' },
}

/** Replaces a directive by Markdown. What is not known is reported, and its text stays. */
export function renderElement(rendering: Rendering): Line[] {
  const { element, inner, warn } = rendering
  const { syntax, name } = element
  if (syntax === 'fence') return renderFence(rendering)
  if (syntax === 'expression') return renderExpression(rendering)
  const { known, written } = FORMS[syntax]
  const render = known.get(name)
  if (render !== undefined) return render(rendering)
  warn(
    `There is nothing like ${written(name)} here. ${inner.every(isBlank) ? 'It was left out.' : 'Only the text in it was imported.'}`,
  )
  return trimBlock(inner)
}

/** These are part of a sentence, even on a line of their own. */
const INLINE = new Set(['Tooltip', 'Badge', 'Icon', 'Link', 'Translate', 'a', 'span', 'img', 'literal', 'expression'])

export const isInline = ({ name }: Element): boolean => INLINE.has(name)

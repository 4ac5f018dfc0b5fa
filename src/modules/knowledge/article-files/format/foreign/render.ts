import { calloutKind } from '../../../../../platform/markdown/index.ts'
import { isBlank, type Line, trimBlock } from './lines.ts'
import {
  attribute,
  callout,
  captioned,
  card,
  codeGroup,
  content,
  details,
  emphasised,
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
import type { Element, Syntax } from './tokens.ts'

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

/** `/// name` of PyMdown, other than callouts. */
const BLOCKS = new Map<string, Render>([
  ...named(
    callout((element) => attribute(element, 'type'), 'title'),
    'admonition',
  ),
  ...named(details('title'), 'details'),
  ...named(titled('title'), 'tab'),
  ...named(emphasised, 'caption', 'figure-caption', 'table-caption'),
  ...named(content, 'html', 'define'),
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

const renderVariable: Render = ({ element, number, warn }) => {
  if (element.name === 'text') return [line(element.title, number)]
  warn(`There is nothing like {{ ${element.title} }} here. It was left out.`)
  return []
}

/** They have no catalogue. */
const RENDERED = {
  fence: renderFence,
  expression: renderExpression,
  variable: renderVariable,
  html: ({ element, number }: Rendering) => [line(element.title, number)],
}

interface Form {
  known: ReadonlyMap<string, Render>
  written: (name: string) => string
  /** Whether the names of callouts mean callouts. */
  hasCallouts?: boolean
}

const FORMS: Record<Exclude<Syntax, keyof typeof RENDERED>, Form> = {
  tag: { known: TAGS, written: (name) => `{% ${name} %}` },
  component: { known: COMPONENTS, written: (name) => `<${name}>` },
  shortcode: { known: SHORTCODES, written: (name) => `{{< ${name} >}}` },
  leaf: { known: new Map(), written: (name) => `::${name}`, hasCallouts: true },
  directive: { known: new Map(), written: (name) => `:${name}` },
  block: { known: BLOCKS, written: (name) => `/// ${name}`, hasCallouts: true },
}

const namedCallout = callout(({ name }) => name, 'title')

/** Replaces a directive by Markdown. What is not known is reported, and its text stays. */
export function renderElement(rendering: Rendering): Line[] {
  const { element, inner, warn } = rendering
  const { syntax, name } = element
  if (syntax in RENDERED) return RENDERED[syntax as keyof typeof RENDERED](rendering)
  const { known, written, hasCallouts } = FORMS[syntax as keyof typeof FORMS]
  const isEmpty = inner.every(isBlank)
  const isCallout = hasCallouts === true && calloutKind(name) !== undefined && !isEmpty
  const render = known.get(name) ?? (isCallout ? namedCallout : undefined)
  if (render !== undefined) return render(rendering)
  const rest = isEmpty ? 'It was left out.' : 'Only the text in it was imported.'
  warn(`There is nothing like ${written(name)} here. ${rest}`)
  return trimBlock(inner)
}

/** These are part of a sentence, even on a line of their own. */
const INLINE = new Set(['Tooltip', 'Badge', 'Icon', 'Link', 'Translate', 'a', 'span', 'img'])
const INLINE_SYNTAX = new Set<Syntax>(['expression', 'variable', 'directive', 'html'])

export const isInline = ({ name, syntax }: Element): boolean => INLINE.has(name) || INLINE_SYNTAX.has(syntax)

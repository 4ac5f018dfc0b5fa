import { asks, undocumented } from './question.ts'

/** Keys are headings. */
export const SANITIZE_HTML = [
  asks(
    'Discarding the entire contents of a disallowed tag',
    'nonTextTags',
    'Text inside noscript should vanish too, not only the tag',
  ),
  undocumented('How do I turn relative links into absolute ones with a base address?'),
  asks(
    'Discarding text outside of <html></html> tags',
    'enforceHtmlBoundary',
    'Documents copied from a desktop word processor come with junk characters after the closing html tag, how do I get rid of those?',
  ),
  asks(
    'Filters',
    'textFilter',
    'Can I run search and replace over the visible words while cleaning, for instance make a proper ellipsis out of three dots?',
  ),
  asks(
    'Common use cases',
    ['lowerCaseAttributeNames: false', 'lowerCaseTags: false'],
    'Our designers paste vector drawings into the editor. After cleaning, the gradients are gone and I noticed that viewBox has become viewbox. How do I stop that?',
  ),
  asks('About ApostropheCMS', "P'unk Avenue", 'who originally wrote this library?'),
  asks('Transformations', 'shouldMerge', 'What does the third argument of simpleTransform do?'),
  asks(
    'Common use cases',
    ['multiple: true', "values: ['allow-popups'", 'allowed values array'],
    'Can I restrict what may be written inside an attribute, e.g. only two or three sandbox tokens?',
  ),
  asks('Allowed URL schemes', 'allowProtocolRelative', 'block links beginning with //'),
  asks(
    'Iframe Filters',
    'allowedIframeDomains',
    'Our meeting embeds come from changing subdomains (us02web, us05web ...). How do I let all of them through in an iframe?',
  ),
  asks(
    'Browser',
    ['no longer includes a build', 'no longer ready to link'],
    'Is there a prebuilt file I can just put into a script tag on my page?',
  ),
  asks('Node (Recommended)', "require('sanitize-html')", 'How do I load it in an old CommonJS project?'),
  undocumented(
    'I have to clean a dump of several gigabytes. Can I pipe it through as a stream instead of passing one huge string?',
  ),
  asks(
    'Allowed CSS Classes',
    ['language-*', 'allowedClasses'],
    'We use a syntax highlighter and need things like language-js and language-php to stay on code elements',
  ),
  asks(
    'Ignore style attribute contents',
    'parseStyleAttributes',
    "We bundle this for a React front end and the browser console complains about postcss. I don't care if odd inline css survives. What can I switch off?",
  ),
  asks(
    ['Choose what to do with disallowed tags', 'Common use cases'],
    ["disallowedTagsMode: 'escape'", 'disallowedTagsMode to escape', "'escape'"],
    'Can forbidden markup be shown to the reader as text instead of being deleted?',
  ),
  asks('Restricting deep nesting', 'nestingLimit', 'limit how many divs inside divs'),
  asks(
    'Routing warnings to your own logger',
    ['logger: myLogger', 'console-shaped'],
    'Our log collector expects one JSON object per line and your console.warn breaks it. Can the messages go to pino instead?',
  ),
  undocumented("Our users write markdown, does it clean that too before it's converted?"),
  asks(
    'Discarding the entire contents of a disallowed tag',
    'allowVulnerableTags',
    'how do i silence the console message about permitting script and style',
  ),
  asks(
    'Default options',
    "'href', 'name', 'target'",
    "Which attributes does a link keep if I don't configure anything?",
  ),
  asks('htmlparser2 Options', 'known security concerns', 'is it safe to turn off decodeEntities'),
  asks(
    'Allowed CSS Styles',
    'allowedAttributes',
    'I listed allowedStyles but the inline colour still dissapears, what am I missing?',
  ),
  asks(
    [
      'Choose what to do with disallowed tags',
      'Common use cases',
      'Discarding the entire contents of a disallowed tag',
    ],
    ['completelyDiscard', 'nonTextTags'],
    'Delete a forbidden element together with the words in it',
  ),
  asks(
    'SVG animations of URL attributes are discarded',
    ['always discarded', 'targets a URL attribute', 'discard the animation', 'destinations'],
    'I permitted svg and animate, yet my animate element that changes xlink:href gets thrown out. Why?',
  ),
  undocumented('Can the output be indented and nicely formatted?'),
  asks(
    'Advanced filtering',
    ['onOpenTag', 'onCloseTag'],
    'When paragraphs get removed the words stick together, how do I get a blank between them?',
  ),
  asks(
    'Common use cases',
    ['allowedTags: []', 'allowedTags to []'],
    'How can I strip everything so that only plain text remains?',
  ),
  asks(
    'Script Filters',
    ['allowedScriptDomains', 'allowedScriptHostnames'],
    'only javascript files from our own cdn should be permitted',
  ),
  asks(
    'Regarding TypeScript',
    '4.5',
    "We're stuck on an older compiler and get errors from the type definitions. What is the oldest TypeScript release we can use with this?",
  ),
  undocumented('is it faster than DOMPurify'),
  undocumented('Is there a command line version so I can clean files from the shell?'),
  asks(
    'Common use cases',
    'defaults.allowedTags.concat',
    'i am happy with your standard selection, only images should be permitted on top of it',
  ),
  undocumented('license for commercial use?'),
  asks(
    'Allowed CSS Styles',
    ['not filtered by any', 'NOT filtered'],
    'Does it check a background image address that somebody writes inside a style attribute?',
  ),
  asks('Wildcards for attributes', ["'data-*'", 'data-*'], 'keep all custom data attributes on links'),
  asks('Filters', 'exclusiveFilter', 'How can I drop links that have nothing between the opening and closing tag?'),
  asks('Requirements', 'Node 10', 'which nodejs version do i need at least'),
  undocumented('Can it cut the result to 200 characters without leaving tags open?'),
  asks(
    'Allowed URL schemes',
    'allowedSchemesByTag',
    'Base64 pictures get lost. How do I let data urls through, but for img and nothing else?',
  ),
]

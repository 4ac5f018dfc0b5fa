import { type Html, html } from '../text/html.ts'

const POST = html`<path fill="var(--wood)" d="M76 46a4 4 0 0 1 8 0v64h-8z"/>`
const BOARD = html`<path fill="var(--fill)" d="M54 46h44l16 18-16 18H54a8 8 0 0 1-8-8V54a8 8 0 0 1 8-8"/>`

export type Scene = 'paused' | 'not_set_up' | 'unknown' | 'not_found' | 'gone' | 'unavailable'

/** A signpost on a hill, one scene per notice: the shapes behind the hill, then those in front of it. */
const SCENES: Record<Scene, readonly [behind: Html, inFront: Html]> = {
  // A board with a pause symbol, and the moon.
  paused: [
    html`<path fill="var(--glow)" d="M107 20a11 11 0 1 0 13 14 10 10 0 0 1-13-14"/>`,
    html`${POST}<rect x="47" y="46" width="66" height="36" rx="8" fill="var(--fill)"/>
<path stroke="var(--ink)" stroke-width="6" d="M73 57v14M87 57v14"/>`,
  ],
  // The dashed outline of a board, and a rising sun.
  not_set_up: [
    html`<circle cx="117" cy="100" r="17" fill="var(--glow)"/>`,
    html`${POST}<path fill="var(--sky)" stroke="var(--sign)" stroke-width="3" stroke-dasharray="5 6"
 d="M46 47h52l15 17-15 17H46z"/>`,
  ],
  // A board with a question mark.
  unknown: [
    html``,
    html`${POST}${BOARD}
<path fill="none" stroke="var(--ink)" stroke-width="4.5" d="M71 60a7 7 0 1 1 9 6q-2 1-2 3M78 75v0"/>`,
  ],
  // A board that says nothing.
  not_found: [html``, html`${POST}${BOARD}`],
  // The stump of the post, with a sprout beside it.
  gone: [
    html`<circle cx="117" cy="46" r="12" fill="var(--glow)"/>`,
    html`<path fill="var(--wood)" d="M62 91l8-6v25h-8z"/>
<path stroke="var(--sign)" stroke-width="3" d="M94 109V88"/>
<path fill="var(--sign)" d="M94 91q-16 1-17-14 16-1 17 14q0-18 17-19 1 18-17 19"/>`,
  ],
  // A cloud in front of the board.
  unavailable: [
    html`<circle cx="117" cy="36" r="11" fill="var(--glow)"/>`,
    html`${POST}${BOARD}
<path fill="var(--cloud)" d="M36 94a11 11 0 0 1 0-22 12 12 0 0 1 22-4 15 15 0 0 1 27 7 10 10 0 0 1 3 19z"/>`,
  ],
}

/** Decorative, so it is hidden from screen readers. */
export function illustrate(scene: Scene): Html {
  const [behind, inFront] = SCENES[scene]
  return html`<svg class="scene" viewBox="0 0 160 160" aria-hidden="true" stroke-linecap="round" stroke-linejoin="round">
<circle cx="80" cy="80" r="72" fill="var(--sky)"/>${behind}
<path fill="var(--hill)" d="M13 108q67-18 134 0a72 72 0 0 1-134 0"/>${inFront}
</svg>`
}

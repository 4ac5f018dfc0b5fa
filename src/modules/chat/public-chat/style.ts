import { createHash } from 'node:crypto'
import { ByteCache } from '../../../platform/bounded/index.ts'
import { brandColours, declareColours } from '../../../platform/look/index.ts'

/**
 * Only logical properties (start, end) are used, so right-to-left texts need no extra rules. Touch targets are 44 px high.
 * Lines break between phrases in Japanese and between words in Korean. Motion stops if the visitor prefers that.
 */
const STYLE = `${declareColours('page', 'card', 'text', 'muted', 'line', 'mark', 'bad')}
*{box-sizing:border-box}
html{block-size:100%;background:var(--page);-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{display:grid;grid-template-rows:auto minmax(0,1fr);block-size:100vh;block-size:100dvh;margin:0;color:var(--text);font:1.0625rem/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
:lang(ja){word-break:auto-phrase}
:lang(ko){word-break:keep-all}
h1,h2,h3,p,ul,ol{margin:0}
a{color:var(--sign);text-underline-offset:.2em}
:focus-visible{outline:3px solid var(--sign);outline-offset:2px;border-radius:.25rem}
svg{inline-size:1.375rem;block-size:1.375rem;flex:none;fill:none;stroke:currentColor;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}
.hidden{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
[hidden]{display:none!important}
button,.pill,summary{display:inline-flex;align-items:center;justify-content:center;gap:.5rem;min-block-size:2.75rem;border:1px solid var(--line);border-radius:2rem;padding:.25rem 1.125rem;background:var(--card);color:var(--text);font:inherit;line-height:1.3;text-align:start;text-decoration:none;cursor:pointer}
button:hover,.pill:hover,summary:hover{border-color:var(--sign)}
button:focus-visible,.pill:focus-visible,summary:focus-visible{border-radius:2rem}
button[disabled]{opacity:.55;cursor:default}
.primary{border-color:var(--fill);background:var(--fill);color:var(--ink);font-weight:650}
.round{inline-size:2.75rem;padding:0;flex:none}
summary{list-style:none}
summary::-webkit-details-marker{display:none}
.top{display:flex;align-items:center;gap:.75rem;padding:.5rem max(.75rem,calc((100% - 46rem)/2 + .75rem));border-block-end:1px solid var(--line);background:var(--card)}
.face{display:grid;place-items:center;inline-size:2.75rem;block-size:2.75rem;flex:none;border-radius:50%;background:var(--fill);color:var(--ink);font-weight:650;font-size:1.125rem;overflow:hidden}
img.face{object-fit:contain;background:none;border-radius:.5rem}
.names{flex:1;min-inline-size:0}
.names:dir(ltr)>*{text-align:left}
.names:dir(rtl)>*{text-align:right}
h1{font-size:1.0625rem;line-height:1.25;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.names p{color:var(--muted);font-size:.875rem;line-height:1.3;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.menu{position:relative}
.menu>summary{border-color:transparent}
.menu>div{position:absolute;inset-block-start:3.25rem;inset-inline-end:0;z-index:2;display:grid;gap:.25rem;inline-size:max-content;max-inline-size:80vw;max-block-size:70dvh;padding:.75rem;border:1px solid var(--line);border-radius:1rem;background:var(--card);overflow:auto}
.menu ul{display:grid;padding:0;list-style:none}
.menu a{display:flex;align-items:center;min-block-size:2.75rem;padding-inline:.75rem;color:inherit;text-decoration:none}
.menu a:hover{text-decoration:underline}
.menu [aria-current]{padding-inline-start:calc(.75rem - 3px);border-inline-start:3px solid var(--sign);font-weight:650}
main{display:grid;grid-template-rows:minmax(0,1fr) auto;min-block-size:0;inline-size:100%;max-inline-size:46rem;margin-inline:auto}
.log{overflow-y:auto;overscroll-behavior:contain;padding:1rem .75rem;scroll-padding-block-start:1rem}
.log>*{max-inline-size:100%}
.welcome{padding:1.5rem .25rem 1rem}
.welcome h2{font-size:clamp(1.5rem,1.3rem + 1vw,2rem);line-height:1.2;letter-spacing:-.01em;text-wrap:balance}
.welcome>p{margin-block-start:.5rem;color:var(--muted);text-wrap:pretty}
.scanned{display:inline-flex;align-items:center;gap:.5rem;margin-block:.25rem .5rem;padding:.3rem .9rem;border-radius:2rem;background:var(--soft);font-size:.9375rem}
.suggestions{display:flex;flex-wrap:wrap;gap:.5rem;margin-block-start:1.25rem}
.earlier{padding-block:.5rem;color:var(--muted);font-size:.875rem;text-align:center}
.message{display:grid;justify-items:start;margin-block:.625rem}
.bubble{max-inline-size:min(100%,36rem);padding:.625rem 1rem;border:1px solid var(--line);border-radius:1.25rem;border-end-start-radius:.375rem;background:var(--card);min-inline-size:0}
.visitor{justify-items:end}
.visitor .bubble{max-inline-size:85%;border-color:var(--fill);border-radius:1.25rem;border-end-end-radius:.375rem;background:var(--fill);color:var(--ink)}
.visitor a{color:inherit}
.agent .bubble{border-color:var(--soft);background:var(--soft)}
.who{margin:0 .75rem .2rem;color:var(--muted);font-size:.8125rem;font-weight:600}
.notice{justify-items:center}
.notice .bubble{border:0;padding:.25rem 1rem;background:none;color:var(--muted);font-size:.9375rem;text-align:center;text-wrap:balance}
.written{white-space:pre-wrap}
.bubble>*+*{margin-block-start:.625rem}
.unsent .bubble{outline:2px dashed var(--fill);outline-offset:2px}
.mark{margin:.15rem .5rem 0;color:var(--muted);font-size:.8125rem}
.file{display:flex;align-items:center;gap:.5rem;min-block-size:2.75rem;color:inherit}
.file img{display:block;max-inline-size:100%;max-block-size:18rem;border-radius:.75rem}
.prose>*{margin-block:0 .7em}
.prose>:last-child{margin-block-end:0}
.prose :is(ul,ol){padding-inline-start:1.4em}
.prose :is(h1,h2,h3,h4,h5,h6){font-size:1.0625rem;line-height:1.3}
.prose img{max-inline-size:100%;block-size:auto;border-radius:.5rem}
.prose .scroll,.prose pre{overflow-x:auto}
.prose table{border-collapse:collapse;font-size:.9375rem}
.prose :is(th,td){padding:.35rem .6rem;border:1px solid var(--line);text-align:start;vertical-align:top}
.prose :is(code,pre){background:var(--soft);border-radius:.35rem;font-size:.9em}
.prose code{padding:.1em .3em}
.prose pre{padding:.6rem .8rem}
.prose blockquote{margin-inline:0;padding-inline-start:.8rem;border-inline-start:3px solid var(--line)}
.sources{padding-block-start:.5rem;border-block-start:1px solid var(--line);font-size:.9375rem}
.sources h3{color:var(--muted);font-size:.8125rem}
.sources ul{padding:0;list-style:none}
.sources li{padding-block:.15rem}
.sources a{display:inline-flex;align-items:center;min-block-size:2.75rem}
.vote{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem .5rem;color:var(--muted);font-size:.875rem}
.vote button{border-color:transparent;background:none;padding-inline:.75rem;color:var(--muted)}
.vote button:hover{border-color:var(--line)}
.vote svg{inline-size:1.125rem;block-size:1.125rem}
.typing .bubble>*{margin:0}
.typing .bubble{display:flex;align-items:center;gap:.75rem;color:var(--muted)}
.dots{display:inline-flex;gap:.3rem}
.dots i{inline-size:.45rem;block-size:.45rem;border-radius:50%;background:var(--muted)}
@media (prefers-reduced-motion:no-preference){.dots i{animation:dot 1.2s infinite}.dots i:nth-child(2){animation-delay:.15s}.dots i:nth-child(3){animation-delay:.3s}@keyframes dot{0%,60%,100%{opacity:.35}30%{opacity:1}}}
.again{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;justify-content:center;padding-block:.5rem;color:var(--muted)}
.bottom noscript>p{padding-block:.25rem .5rem}
.bottom{padding:.5rem .75rem max(.75rem,env(safe-area-inset-bottom));border-block-start:1px solid var(--line);background:var(--page)}
.state{padding:.35rem .25rem;color:var(--muted);font-size:.9375rem}
.offline{display:block;margin-block-end:.5rem;padding:.5rem .9rem;border-radius:.75rem;background:var(--mark);color:var(--text);font-size:.9375rem}
.problem:empty{display:none}
.problem{margin-block:.25rem;padding-inline:.25rem;color:var(--bad)}
.compose{display:flex;align-items:flex-end;gap:.25rem;padding:.25rem;border:1px solid var(--muted);border-radius:1.625rem;background:var(--card)}
.compose:focus-within{outline:3px solid var(--sign);outline-offset:1px}
textarea{flex:1;min-inline-size:0;min-block-size:2.75rem;max-block-size:9rem;padding:.6rem .5rem;border:0;background:none;color:inherit;font:inherit;resize:none;field-sizing:content;outline:0}
textarea:focus-visible{outline:0}
.compose:dir(rtl) textarea:placeholder-shown{direction:rtl}
textarea::placeholder,input::placeholder{color:var(--muted);opacity:1}
.compose .round{border-color:transparent}
.compose .primary{background:var(--fill)}
.compose .primary svg:dir(rtl){scale:-1 1}
.attach{position:relative;display:inline-flex;align-items:center;justify-content:center;min-block-size:2.75rem;border-radius:2rem;color:var(--muted);cursor:pointer}
.attach input{position:absolute;inset:0;inline-size:100%;block-size:100%;opacity:0;cursor:pointer}
.attach:focus-within{outline:3px solid var(--sign)}
@media (scripting:none){.compose{flex-wrap:wrap}textarea{order:-1;flex-basis:100%;padding-inline:.9rem}.attach{flex:1;inline-size:auto;padding-inline:.5rem}.attach svg{display:none}.attach input{position:static;block-size:auto;min-block-size:2.75rem;padding-block:.5rem;opacity:1;font-size:.875rem}}
.files{display:flex;flex-wrap:wrap;gap:.4rem;padding:0 0 .5rem;list-style:none}
.files:empty{display:none}
.files li{display:flex;align-items:center;gap:.25rem;max-inline-size:100%;padding-inline-start:.9rem;border:1px solid var(--line);border-radius:2rem;background:var(--card);font-size:.9375rem}
.files img{inline-size:2rem;block-size:2rem;object-fit:cover;border-radius:.35rem}
.files button{border:0;background:none;padding:0;inline-size:2.75rem}
.person{margin-block-start:.5rem}
.person>summary{border-color:transparent;background:none;color:var(--sign);padding-inline:.5rem}
.person[open]>summary{display:none}
.person>form{display:grid;gap:.5rem;padding:.25rem}
.person p{font-size:.9375rem}
.away{white-space:pre-line}
label{font-size:.9375rem}
input:is([type=text],[type=email],[type=password]){display:block;inline-size:100%;min-block-size:2.75rem;margin-block-start:.2rem;padding:.4rem .8rem;border:1px solid var(--muted);border-radius:.5rem;background:var(--card);color:inherit;font:inherit;font-size:1rem}
input[type=email]:dir(rtl){direction:ltr;text-align:end}
.help{color:var(--muted);font-size:.875rem}
.gate{display:grid;align-content:center;justify-items:stretch;gap:1rem;max-inline-size:26rem;margin:auto;padding:1.5rem}
.gate>svg{inline-size:3rem;block-size:3rem;color:var(--sign);stroke-width:1.3}
.gate h2{font-size:1.5rem;line-height:1.25}
.gate form{display:grid;gap:.75rem}
@media (min-width:48rem){.log{padding-inline:1.25rem}.bottom{padding-inline:1.25rem;padding-block-end:1.25rem;border-block-start:0}.person[open]>form{grid-template-columns:1fr 1fr}.person>form>:is(p,button,.problem){grid-column:1/-1}}
@media (max-height:26rem){.names p{display:none}.top{padding-block:.2rem}}
@media print{body{display:block}.bottom,.menu,.vote{display:none}.log{overflow:visible}}
`

const BYTES_MAX = 512 * 1024

/** A style sheet and the part of the Content-Security-Policy that allows it. */
export interface Theme {
  css: string
  source: string
}

/** Caches style sheets by the colour of the chatbot. */
export class Themes {
  readonly bytesMax = BYTES_MAX
  readonly #known = new ByteCache<Theme>(BYTES_MAX, ({ css }) => 2 * css.length)

  get usedBytes(): number {
    return this.#known.usedBytes
  }

  get(color: string | null): Theme {
    const key = color?.toLowerCase() ?? ''
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const css = STYLE + brandColours(color)
    const theme = { css, source: `style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'` }
    this.#known.set(key, theme)
    return theme
  }
}

import type { BlockType } from '../../blocks/index.ts'

/**
 * Only logical properties (start, end) are used, so right-to-left texts need no extra rules. Touch targets are 44 px high.
 * Lines break between phrases in Japanese and between words in Korean. Colours come from `theme.ts`.
 */
const BASE = `*{box-sizing:border-box}
html{min-block-size:100%;background:var(--page) fixed;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;color:var(--text);font:1.0625rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
:lang(ja){word-break:auto-phrase}
:lang(ko){word-break:keep-all}
.island{inline-size:min(100% - 1.5rem,42rem);margin:.75rem auto;padding:1.5rem 1.25rem 1rem;border:1px solid var(--border);border-radius:var(--round);background:var(--island);box-shadow:var(--shadow)}
main{outline:0}
h1,h2,h3,h4,h5,h6{margin:0;line-height:1.25;text-wrap:balance}
h1{font-size:clamp(1.75rem,1.5rem + 1.2vw,2.25rem);letter-spacing:-.015em}
h2{font-size:1.375rem}
h3{font-size:1.1875rem}
h4,h5,h6{font-size:1.0625rem}
p{margin:0}
a{color:var(--sign);text-underline-offset:.2em}
:focus-visible{outline:3px solid var(--sign);outline-offset:2px;border-radius:.25rem}
svg{inline-size:1.5rem;block-size:1.5rem;flex:none;fill:none;stroke:currentColor;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}
.hidden{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.center{text-align:center}
.right{text-align:end}
.btn{display:flex;align-items:center;justify-content:center;gap:.6rem;min-block-size:3rem;padding:.5rem 1.5rem;border:2px solid var(--fill);border-radius:2rem;background:var(--fill);color:var(--ink);font:inherit;font-weight:650;line-height:1.3;text-align:center;text-decoration:none;cursor:pointer}
.btn:focus-visible{border-radius:2rem;outline-offset:3px}
.btn:hover{box-shadow:0 0 0 3px var(--line)}
.secondary{border-color:var(--soft);background:var(--soft);color:var(--text)}
.outline{border-color:var(--sign);background:none;color:var(--sign)}
footer{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1.5rem;margin-block-start:1rem;padding-block-start:.5rem;border-block-start:1px solid var(--line);color:var(--muted);font-size:.875rem}
footer>p,footer ul{display:flex;flex-wrap:wrap;gap:0 1rem;align-items:center;min-block-size:2.75rem;margin:0;padding:0;list-style:none}
footer a{display:inline-flex;align-items:center;justify-content:center;min-block-size:2.75rem;min-inline-size:2.75rem;color:inherit}
footer [aria-current]{color:var(--text);font-weight:650;text-decoration:none}
@media (min-width:48rem){.island{margin-block:3rem;padding:2.5rem 2.5rem 1.25rem}}
@media print{html{background:none}.island{border:0;box-shadow:none}footer ul,.btn{display:none}}
`

const PROSE = `.prose>*{margin-block:0 .9em}
.prose>:last-child{margin-block-end:0}
.prose :is(ul,ol){padding-inline-start:1.4em}
.prose li{margin-block:.25em}
.prose img{max-inline-size:100%;block-size:auto;border-radius:.75rem}
.prose blockquote{margin-inline:0;padding-inline-start:1em;border-inline-start:4px solid var(--line);color:var(--muted)}
.prose code{font:.9em ui-monospace,monospace}
.prose pre,.prose .scroll{overflow-x:auto}
.prose pre{padding:.75rem 1rem;border-radius:.5rem;background:var(--soft);direction:ltr;text-align:left}
.prose table{border-collapse:collapse;overflow-wrap:normal}
.prose :is(th,td){padding:.4em .8em;border-block-end:1px solid var(--line);text-align:start;vertical-align:top}
.prose hr{border:0;border-block-start:1px solid var(--line)}
.written{white-space:pre-wrap}
`

const FIGURE = `figure{margin:0}
figure img,video{display:block;inline-size:100%;block-size:auto;border-radius:.75rem}
figure.medium{max-inline-size:70%;margin-inline:auto}
figure.small{max-inline-size:40%;margin-inline:auto}
figcaption{margin-block-start:.5rem;color:var(--muted);font-size:.9375rem;text-align:center}
figure a{display:block;min-block-size:2.75rem}
`

const VIDEO = `video{aspect-ratio:16/9;background:#000;object-fit:contain}
`

const DIVIDER = `hr{margin:.5rem 0;border:0;border-block-start:1px solid var(--line)}
hr.dots{inline-size:4rem;margin-inline:auto;border-block-start:.35rem dotted var(--edge)}
hr.space{border:0;block-size:1.5rem;margin:0}
`

const BANNER = `.banner{display:flex;gap:.8rem;padding:.9rem 1rem;border-inline-start:4px solid;border-radius:.5rem}
.banner>*{color:var(--text)}
.banner>svg{margin-block-start:.1em;color:inherit}
.banner b{display:block}
.banner p{white-space:pre-line}
.info{border-color:var(--info);background:var(--info-soft);color:var(--info)}
.success{border-color:var(--success);background:var(--success-soft);color:var(--success)}
.warning{border-color:var(--warning);background:var(--warning-soft);color:var(--warning)}
.danger{border-color:var(--danger);background:var(--danger-soft);color:var(--danger)}
`

const CARD = `.card{padding:1.1rem 1.25rem;border:1px solid var(--line);border-radius:1rem;background:var(--field)}
.card small{display:block;color:var(--muted);font-size:.9375rem}
.card strong{font-size:1.1875rem;line-height:1.3}
.card ul{margin:.6rem 0;padding:0;list-style:none}
.row{display:flex;gap:.8rem;align-items:center;min-block-size:2.75rem;padding-block:.3rem;color:inherit}
a.row:not(:hover){text-decoration-color:var(--edge)}
.row svg{color:var(--sign)}
.row>span{white-space:pre-line}
a.card{text-decoration:none}
a.card:hover{border-color:var(--sign)}
a.card:focus-visible{border-radius:1rem}
`

const FORM = `form{display:flow-root}
.field{min-inline-size:0;margin:0;padding:0;border:0}
label,legend{display:block;padding:0;font-weight:600;line-height:1.4}
.required{margin-block-end:.75rem}
.help{color:var(--muted);font-size:.9375rem;line-height:1.45;white-space:pre-line}
.star,.problem{color:var(--bad)}
.problem{font-weight:600;font-size:.9375rem}
.problems{margin-block-end:1.25rem}
.problems:empty{display:none}
.problems>div{padding:.9rem 1.1rem;border:2px solid var(--bad);border-radius:.75rem}
.problems ul{margin:.25rem 0 0;padding-inline-start:1.25rem}
.problems a{display:inline-block;padding-block:.55rem;color:var(--bad)}
[data-wm-status]{color:var(--muted);text-align:center}
[data-wm-status] button,[data-wm-received] button{min-block-size:2.75rem;padding:.3rem 1rem;border:1px solid var(--edge);border-radius:2rem;background:none;color:inherit;font:inherit;cursor:pointer}
[data-wm-received] li{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center;padding-block:.25rem}
[data-wm-received] img{border-radius:.5rem}
:is(input,select,textarea).in{display:block;inline-size:100%;min-block-size:3rem;margin-block-start:.4rem;padding:.6rem .85rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--field);color:inherit;font:inherit;line-height:1.5}
.in:focus-visible{border-radius:.5rem;outline-offset:0}
.in::placeholder{color:var(--muted);opacity:1}
textarea.in{resize:vertical}
form:dir(rtl) .in:placeholder-shown{direction:rtl}
[aria-invalid=true].in,[aria-invalid=true]>.options{border-color:var(--bad);box-shadow:0 0 0 1px var(--bad)}
input{accent-color:var(--sign)}
.trap{position:absolute;inset-inline-start:-10000px;block-size:1px;overflow:hidden}
button.btn{inline-size:100%;cursor:pointer}
`

const SELECT = `select.in{appearance:none;padding-inline-end:2.5rem;background-image:linear-gradient(45deg,transparent 50%,currentColor 50%),linear-gradient(-45deg,transparent 50%,currentColor 50%);background-position:calc(100% - 1.35rem) 55%,calc(100% - 1rem) 55%;background-size:.36rem .36rem;background-repeat:no-repeat}
select.in:dir(rtl){background-position:1rem 55%,1.35rem 55%}
`

const MEDIA = `input[type=file].in{padding:.5rem}
::file-selector-button{min-block-size:2rem;margin-inline-end:.75rem;padding:0 1rem;border:0;border-radius:2rem;background:var(--soft);color:var(--text);font:inherit;font-weight:600;cursor:pointer}
[data-wm-received]{margin:.5rem 0 0;padding:0;list-style:none}
`

const OPTIONS = `.options{margin-block-start:.4rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--field)}
.option{display:flex;gap:.75rem;align-items:center;min-block-size:2.75rem;padding:.4rem .85rem;font-weight:400;cursor:pointer}
.option+.option{border-block-start:1px solid var(--line)}
.option input{flex:none;inline-size:1.25rem;block-size:1.25rem;margin:0}
`

const SWITCH = `.switch{display:flex;gap:1rem;align-items:center;justify-content:space-between;min-block-size:2.75rem;cursor:pointer}
.switch input{flex:none;appearance:none;position:relative;inline-size:3.25rem;block-size:1.9rem;margin:0;border:2px solid var(--edge);border-radius:2rem;background:var(--field);cursor:pointer}
.switch input::after{content:"";position:absolute;inset-block:.2rem;inset-inline-start:.2rem;aspect-ratio:1;border-radius:50%;background:var(--edge)}
.switch input:checked{border-color:var(--fill);background:var(--fill)}
.switch input:checked::after{inset-inline:auto .2rem;background:var(--ink)}
.switch input:focus-visible{border-radius:2rem}
`

const RATING = `.rating{display:flex;flex-wrap:wrap;gap:.35rem;margin-block-start:.4rem}
.rating label{position:relative;display:grid;place-items:center;inline-size:2.75rem;block-size:2.75rem;color:var(--edge);cursor:pointer}
.rating input{position:absolute;inset:0;opacity:0;inline-size:100%;block-size:100%;margin:0;cursor:pointer}
.rating svg{inline-size:2.1rem;block-size:2.1rem}
.stars label:has(~label>:checked),.stars label:has(:checked){color:var(--sign)}
.stars label:has(~label>:checked) svg,.stars label:has(:checked) svg{fill:currentColor}
.numbers label{border:1px solid var(--edge);border-radius:.5rem;background:var(--field);color:var(--text)}
.numbers label:has(:checked){border-color:var(--fill);background:var(--fill);color:var(--ink)}
.rating label:has(:focus-visible){outline:3px solid var(--sign);outline-offset:2px;border-radius:.5rem}
`

const PARTS: { css: string; types: readonly BlockType[] }[] = [
  { css: PROSE, types: ['text'] },
  { css: FIGURE, types: ['image', 'video'] },
  { css: VIDEO, types: ['video'] },
  { css: DIVIDER, types: ['divider'] },
  { css: BANNER, types: ['banner'] },
  { css: CARD, types: ['contact', 'file'] },
  { css: SELECT, types: ['form_select'] },
  { css: OPTIONS, types: ['form_radio', 'form_checkbox', 'form_media'] },
  { css: SWITCH, types: ['form_switch'] },
  { css: RATING, types: ['form_rating'] },
  { css: MEDIA, types: ['form_media'] },
]

/** The rules that a page with these blocks needs. */
export const styleFor = (types: ReadonlySet<BlockType>): string =>
  [
    BASE,
    ...([...types].some((type) => type.startsWith('form_')) ? [FORM] : []),
    ...PARTS.filter((part) => part.types.some((type) => types.has(type))).map(({ css }) => css),
  ].join('')

import { declareColours } from './tokens.ts'

/**
 * Only logical properties (start, end) are used, so right-to-left content needs no extra rules. The search field is an
 * exception: what is typed has its own direction, but the button stays at the end of the form.
 * There is no animation. Touch targets are 44 px high. Lines break between phrases in Japanese and between words in Korean.
 */
const BASE = `
${declareColours('page', 'card', 'text', 'muted', 'line', 'mark', 'sky', 'hill', 'wood', 'glow', 'cloud')}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-block-start:1rem}
body{display:flex;flex-direction:column;min-block-size:100vh;margin:0;background:var(--page);color:var(--text);font:1.0625rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
:lang(ja){word-break:auto-phrase}
:lang(ko){word-break:keep-all}
h1,h2,h3,h4,h5,h6{line-height:1.25;text-wrap:balance}
h1{margin:0;font-size:clamp(1.75rem,1.4rem + 1.6vw,2.5rem);letter-spacing:-.015em}
h2{margin:0 0 1rem;font-size:1.25rem}
p{margin:0}
a{color:var(--sign);text-underline-offset:.2em;text-decoration-thickness:1px}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:3px solid var(--sign);outline-offset:2px;border-radius:4px}
svg{inline-size:1.5rem;block-size:1.5rem;flex:none;fill:none;stroke:currentColor;stroke-width:1.7;stroke-linecap:round;stroke-linejoin:round}
ul{margin:0;padding:0;list-style:none}
mark{background:var(--mark);color:var(--text);border-radius:3px;padding-inline:.1em}
.hidden{position:absolute;inline-size:1px;block-size:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;inset-block-start:-10rem;inset-inline-start:1rem;z-index:1;padding:.7rem 1.25rem;border-radius:.75rem;background:var(--fill);color:var(--ink)}
.skip:focus{inset-block-start:1rem}
.wide,.narrow{inline-size:100%;margin-inline:auto;padding-inline:1.25rem}
.wide{max-inline-size:70rem}
.narrow{max-inline-size:46rem}
.top{border-block-end:1px solid var(--line);background:var(--card)}
.top>div{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:center;padding-block:.5rem}
.brand{display:inline-flex;gap:.75rem;align-items:center;min-block-size:2.75rem;color:inherit;font-weight:650;text-decoration:none}
.brand:hover{text-decoration:underline}
.brand img{max-inline-size:9rem;block-size:1.75rem;object-fit:contain}
.top form{flex:1 1 16rem;max-inline-size:26rem;margin-inline-start:auto;margin-block:.25rem}
form{position:relative}
input{inline-size:100%;min-block-size:3rem;padding:.25rem 3.5rem .25rem 1.25rem;border:1px solid var(--muted);border-radius:2rem;background:var(--card);color:inherit;font:inherit;appearance:none}
form:dir(rtl) input{padding:.25rem 1.25rem .25rem 3.5rem}
form:dir(rtl) input:placeholder-shown{direction:rtl}
input::placeholder{color:var(--muted);opacity:1}
input:focus-visible{border-radius:2rem}
button,.button{display:inline-flex;align-items:center;justify-content:center;min-inline-size:2.75rem;min-block-size:2.75rem;padding:.25rem .6rem;border:0;border-radius:2rem;background:var(--fill);color:var(--ink);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
button:focus-visible,.button:focus-visible{border-radius:2rem}
button{position:absolute;inset-block-start:.125rem;inset-inline-end:.125rem}
.button{padding-inline:1.5rem}
button:hover,.button:hover{box-shadow:0 0 0 3px var(--line)}
.hero{padding-block:clamp(2.5rem,1.5rem + 5vw,5rem);background:var(--soft);text-align:center}
.hero img{block-size:3.5rem;max-inline-size:14rem;margin-block-end:1.25rem;object-fit:contain}
.hero p{max-inline-size:38rem;margin:.75rem auto 0;color:var(--text);font-size:1.125rem;text-wrap:balance;white-space:pre-line}
.hero form{max-inline-size:38rem;margin:1.75rem auto 0}
.hero input{min-block-size:3.75rem;padding:.25rem 4.5rem .25rem 1.5rem;font-size:1.125rem}
.hero form:dir(rtl) input{padding:.25rem 1.5rem .25rem 4.5rem}
.hero button{inset-block-start:.375rem;inset-inline-end:.375rem;min-inline-size:3rem;min-block-size:3rem}
main{flex:1;padding-block:2rem 4rem}
main:focus{outline:none}
section{margin-block-start:2.5rem}
section:first-child{margin-block-start:.5rem}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,17.5rem),1fr));gap:1rem}
.card{position:relative;display:flex;gap:1rem;block-size:100%;padding:1.25rem;border:1px solid var(--line);border-radius:1rem;background:var(--card)}
.card:hover{border-color:var(--sign)}
.card>div{min-inline-size:0;flex:1}
.card h3{margin:0;font-size:1.0625rem}
.card a{color:inherit;text-decoration:none}
.card a::after{content:"";position:absolute;inset:0;border-radius:1rem}
.card a:focus-visible{outline:0}
.card a:focus-visible::after{outline:3px solid var(--sign);outline-offset:2px}
.card p{margin-block-start:.25rem;color:var(--muted);font-size:.9375rem;line-height:1.5}
.card p+p{margin-block-start:.5rem;font-size:.875rem}
.badge{display:grid;place-items:center;flex:none;inline-size:2.75rem;block-size:2.75rem;border-radius:.8rem;background:var(--fill);color:var(--ink)}
.list{border:1px solid var(--line);border-radius:1rem;background:var(--card)}
.list li+li{border-block-start:1px solid var(--line)}
.list a{display:flex;gap:.25rem 1rem;flex-wrap:wrap;align-items:center;min-block-size:3rem;padding:.7rem 1.25rem;color:inherit;text-decoration:none}
.list a:hover{color:var(--sign);text-decoration:underline}
.list a:focus-visible{border-radius:1rem}
.list span:first-child{flex:1 1 12rem}
.list small{color:var(--muted)}
small{font-size:.875rem}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:2.5rem 2rem;margin-block-start:2.5rem}
.columns section{margin:0}
.more{display:inline-flex;align-items:center;min-block-size:2.75rem;margin-block-start:.5rem}
.trail{margin-block-end:.75rem;color:var(--muted);font-size:.9375rem}
.trail ol{display:flex;flex-wrap:wrap;margin:0;padding:0;list-style:none}
.trail li{display:flex;align-items:center}
.trail li+li::before{content:"/";margin-inline:.6rem;color:var(--muted)}
.trail a{display:inline-flex;align-items:center;min-block-size:2.75rem;color:inherit}
.head{display:flex;gap:1rem;align-items:center}
.lead{margin-block-start:.75rem;color:var(--muted);font-size:1.125rem;white-space:pre-line}
.note{margin-block-end:1.5rem;padding:.8rem 1.25rem;border-inline-start:4px solid var(--sign);border-radius:.5rem;background:var(--soft)}
.found{margin-block:1.75rem .75rem;font-size:1.35rem}
.hits{display:grid;gap:.75rem;margin:.75rem 0 0;padding:0;list-style:none}
.hits h2{margin:0;font-size:1.125rem}
.hits a{display:inline-block;padding-block:.7rem}
.hits p{color:var(--muted)}
.scene{inline-size:9rem;block-size:9rem;margin-block-end:1.25rem;fill:none;stroke:none}
.scene:dir(rtl){scale:-1 1}
.state{padding-block:1.5rem;text-align:center}
.state p{max-inline-size:34rem;margin:.75rem auto 1.75rem;color:var(--muted);text-wrap:balance}
.state form{max-inline-size:30rem;margin:0 auto 1.75rem}
.alone{display:grid;align-items:center}
.pages{display:flex;justify-content:space-between;gap:1rem;margin-block-start:1.5rem}
.pages a{display:inline-flex;align-items:center;min-block-size:2.75rem;padding-inline:1.25rem;border:1px solid var(--line);border-radius:2rem;background:var(--card);font-weight:600;text-decoration:none}
.pages .next{margin-inline-start:auto}
footer{border-block-start:1px solid var(--line);color:var(--muted);font-size:.9375rem}
footer>div{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 2rem;padding-block:1rem}
footer .brand{font-weight:400}
address{display:flex;flex-wrap:wrap;gap:0 1.25rem;font-style:normal}
address a{display:inline-flex;align-items:center;min-block-size:2.75rem}
.contact address{justify-content:center}
.narrow>.contact{padding:1.25rem;border:1px solid var(--line);border-radius:1rem;background:var(--card);text-align:center}
.contact h2{margin:0}
.languages{position:relative;flex:none}
.languages summary{display:flex;gap:.5rem;align-items:center;min-block-size:2.75rem;cursor:pointer;list-style:none}
.languages summary::-webkit-details-marker{display:none}
.languages summary::after{content:"";inline-size:.45rem;block-size:.45rem;margin-block-end:.2rem;border:solid;border-width:0 1.7px 1.7px 0;rotate:45deg}
.languages ul{position:absolute;inset-inline-end:0;z-index:1;min-inline-size:12rem;max-inline-size:calc(100vw - 2.5rem);max-block-size:60vh;overflow-y:auto;padding:.5rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card);text-align:start}
.languages a{display:flex;align-items:center;min-block-size:2.75rem;padding-inline:.75rem;border-radius:.35rem;color:inherit;text-decoration:none}
.languages a:hover{text-decoration:underline}
.languages [aria-current]{color:var(--text);font-weight:650}
.hero .languages{display:flex;justify-content:flex-end;margin-block:-1.5rem 1rem}
@media (max-width:40rem){
.top>div{flex-wrap:nowrap;gap:.5rem;padding-block:.25rem}
.top .brand{flex:1;min-inline-size:0}
.top .brand img{max-inline-size:6rem}
.top .brand span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.top form{flex:none;inline-size:2.75rem;margin:0}
.top input{min-block-size:2.75rem;padding:0;border-color:transparent;background:none}
.top input::placeholder{color:transparent}
.top button{inset:0}
.top>div:has(input:focus){flex-wrap:wrap;padding-block-end:.75rem}
.top form:has(input:focus){flex:1 0 100%}
.top input:focus{padding-block:.25rem;padding-inline:1.25rem 3.5rem;border-color:var(--muted);background:var(--card)}
.top input:focus::placeholder{color:var(--muted)}
.top input:focus+button{inset-inline-start:auto}
.languages summary span{max-inline-size:6rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.hero{padding-block:1.75rem}
.hero form{margin-block-start:1.25rem}
main{padding-block:1.25rem 3rem}
}
`

/** Of a text that was written as Markdown, and of what is below it. */
const PROSE = `.prose{font-size:1.0938rem;line-height:1.7}
.prose>*{margin-block:0 1.15em}
.prose>h1{margin-block-end:.2em}
.prose :is(h2,h3,h4,h5,h6){margin-block:2em .6em;font-size:1.1em}
.prose h2{font-size:1.45em}
.prose h3{font-size:1.2em}
.prose>:is(h1,.meta+*){margin-block-start:0}
.prose :is(ul,ol){padding-inline-start:1.5em}
.prose ul{list-style:disc}
.prose li{margin-block:.35em}
.prose img{display:block;max-inline-size:100%;block-size:auto;border-radius:.75rem}
.prose figure,.prose dl{margin-inline:0}
.prose figcaption{margin-block-start:.5em;color:var(--muted);font-size:.9em}
.prose blockquote{margin-inline:0;padding-inline-start:1.25em;border-inline-start:4px solid var(--line);color:var(--muted)}
.prose :is(code,kbd){padding:.1em .35em;border:1px solid var(--line);border-radius:.35em;background:var(--card);font:.875em/1.5 ui-monospace,monospace}
.prose pre{overflow-x:auto;padding:1rem 1.25rem;border:1px solid var(--line);border-radius:.75rem;background:var(--card)}
.prose pre code{padding:0;border:0}
.prose pre,.prose pre code{overflow-wrap:normal;direction:ltr;text-align:left}
.prose .scroll{overflow-x:auto;border:1px solid var(--line);border-radius:.75rem;background:var(--card)}
.prose table{border-collapse:collapse;inline-size:max-content;min-inline-size:100%;overflow-wrap:normal;font-size:.95em}
.prose :is(th,td){max-inline-size:18rem;padding:.6em 1em;border-block-end:1px solid var(--line);text-align:start;vertical-align:top}
.prose tr:last-child td{border:0}
.prose hr{margin-block:2em;border:0;border-block-start:1px solid var(--line)}
.prose summary{min-block-size:2.75rem;padding-block:.5rem;cursor:pointer;font-weight:600}
.prose .place{display:inline-flex;align-items:center;min-block-size:2.75rem;margin-block:-.5rem;color:inherit;text-decoration:none}
.prose .place:hover{text-decoration:underline}
.prose .callout{padding:1rem 1.25rem;border-inline-start:4px solid var(--sign);border-radius:.5rem;background:var(--soft);color:var(--text)}
.prose .callout>:last-child{margin-block-end:0}
.prose .callout .label{margin-block:0 .35em;font-weight:650}
.prose :is(.warning,.caution){border-inline-start-style:double;border-inline-start-width:8px}
.prose .task{margin-inline-start:-1.25em;list-style:none}
.prose .footnotes{color:var(--muted);font-size:.9em}
.prose .footnotes p{display:inline}
.prose dt{font-weight:650}
.prose dd{margin-inline-start:1.5em;margin-block-end:.6em}
.prose .contents{padding:1rem 1.25rem;border:1px solid var(--line);border-radius:1rem;background:var(--card);font-size:1rem;line-height:1.5}
.prose .contents p{margin-block-end:.25rem;font-weight:650}
.prose .contents ul{padding:0;list-style:none}
.prose .contents li{margin:0}
.prose .contents .deep{padding-inline-start:1.25em}
.prose .contents a{display:block;padding-block:.45rem;text-decoration:none}
.prose .contents a:hover{text-decoration:underline}
.prose :is(th,td)[align=right]{text-align:end}
.prose :is(th,td)[align=center]{text-align:center}
.written{white-space:pre-wrap}
.prose .meta{margin-block:.5rem 2rem;color:var(--muted);font-size:.9375rem}
.vote{padding:1.25rem;border:1px solid var(--line);border-radius:1rem;background:var(--card)}
.vote fieldset,.vote div{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center;margin:0;padding:0;border:0}
.vote legend{float:inline-start;margin-inline-end:auto;padding:0;font-weight:650}
.vote button{position:static;min-inline-size:5.5rem;padding-inline:1.25rem;border:1px solid var(--sign);background:none;color:var(--sign)}
.vote button:hover{background:var(--soft);box-shadow:none}
.thanks{display:none}
.thanks:target{display:block;outline:0}
.thanks:target~form{display:none}
`

/** Last, so that nothing overrides it. */
const PRINT = `@media print{
:root{--page:#fff;--card:#fff;--text:#000;--muted:#444;--line:#bbb;--soft:#fff;--sign:#000}
.top,footer,.trail,.related,.vote,.skip,.languages,.contact,.contents,form,.pages{display:none}
main{padding:0}
.prose a[href^="http"]::after{content:" (" attr(href) ")";font-size:.85em}
.prose :is(pre,table,img,figure){break-inside:avoid}
.prose pre{white-space:pre-wrap}
.prose .scroll{overflow:visible}
.prose table{inline-size:100%}
.prose :is(th,td){max-inline-size:none}
}
`

/** For pages to read: help centres and documentation. Put `brandColours` before it. */
export const PAGE_STYLE = BASE + PROSE + PRINT

/** The same for pages without such a text, which are smaller without its rules. */
export const LIST_STYLE = BASE + PRINT

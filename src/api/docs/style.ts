import { createHash } from 'node:crypto'
import { brandColours, PAGE_STYLE } from '../../platform/look/index.ts'

/** On a phone the list of guides is below the text, and the contents are left out: the guides have their own. */
const DOCS_STYLE = `
.wide{max-inline-size:86rem}
.top nav{display:flex;gap:.25rem 1.25rem}
.top nav a{display:inline-flex;align-items:center;min-block-size:2.75rem;color:var(--text);text-decoration:none}
.top nav .brand{font-weight:650}
.top nav a:hover{text-decoration:underline}
.top nav [aria-current]{color:var(--sign);font-weight:650}
.frame{display:grid;grid-template-columns:minmax(0,1fr);gap:0 3rem;flex:1;align-content:start}
.guides,.contents{padding-block:2rem;font-size:.9375rem}
.guides h2,.contents h2{margin:1.5rem 0 .25rem;color:var(--muted);font-size:.875rem}
.guides h2:first-child,.contents h2{margin-block-start:0}
.guides a,.contents a{display:flex;align-items:center;min-block-size:2.75rem;color:inherit;text-decoration:none}
.guides a:hover,.contents a:hover{text-decoration:underline}
.guides [aria-current]{color:var(--sign);font-weight:650}
.guides{border-block-start:1px solid var(--line)}
.contents{display:none}
.prose :is(h2,h3,h4) code{font-size:.9em}
.prose a code{color:inherit}
.hits small{color:var(--muted)}
@media (max-width:30rem){.top .brand{display:none}}
.start{padding-block-start:0}
.start .hero{margin-block-end:2rem}
@media (min-width:60rem){
.frame{grid-template-columns:14rem minmax(0,46rem)}
.guides{grid-column:1;grid-row:1;border:0}
.guides a,.contents a{min-block-size:2rem;padding-block:.15rem;line-height:1.4}
.frame main{grid-column:2}
}
@media (min-width:84rem){
.frame{grid-template-columns:14rem minmax(0,48rem) minmax(0,1fr)}
.contents{display:block;grid-column:3;grid-row:1}
.contents>div,.guides>div{position:sticky;inset-block-start:1rem;max-block-size:calc(100vh - 2rem);overflow-y:auto}
.contents .inner{padding-inline-start:1rem;color:var(--muted)}
}
@media print{.guides,.contents{display:none}}
`

/** All pages share it as a file, so that a browser loads it once. */
export const STYLE = brandColours(null) + PAGE_STYLE + DOCS_STYLE

export const STYLE_PATH = `/docs/style.css?v=${createHash('sha256').update(STYLE).digest('base64url').slice(0, 16)}`

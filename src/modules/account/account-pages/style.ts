import { declareColours } from '../../../platform/look/index.ts'

/** Touch targets are 44 px high. There is no animation. */
export const STYLE = `
${declareColours('page', 'card', 'text', 'muted', 'line', 'sign', 'fill', 'ink', 'mark', 'bad')}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);font:1.0625rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}
:lang(ja){word-break:auto-phrase}
:lang(ko){word-break:keep-all}
h1,h2,h3{line-height:1.25;text-wrap:balance}
h1{margin:0 0 .5rem;font-size:clamp(1.6rem,1.4rem + 1vw,2rem)}
h2{margin:0 0 .75rem;font-size:1.2rem}
p{margin:0 0 1rem}
a{color:var(--sign);text-underline-offset:.2em}
:focus-visible{outline:3px solid var(--sign);outline-offset:2px;border-radius:.5rem}
.skip{position:absolute;inset-block-start:-10rem;inset-inline-start:1rem;padding:.7rem 1.25rem;border-radius:2rem;background:var(--fill);color:var(--ink)}
.skip:focus{inset-block-start:1rem}
.top{border-block-end:1px solid var(--line);background:var(--card)}
.top>div,main{inline-size:100%;max-inline-size:60rem;margin-inline:auto;padding-inline:1.25rem}
.top>div{display:flex;flex-wrap:wrap;gap:0 1.5rem;align-items:center;padding-block:.25rem}
.top a,.top button{display:inline-flex;align-items:center;min-block-size:2.75rem;color:inherit;text-decoration:none}
.top a:hover{text-decoration:underline}
.top [aria-current]{color:var(--sign);font-weight:650;text-decoration:underline;text-decoration-thickness:2px}
.top .brand{font-weight:700}
.top nav{display:flex;flex:1 1 20rem;flex-wrap:wrap;gap:0 1.25rem}
.top form{margin-inline-start:auto}
.top button{padding:0;background:none;border:0;color:var(--muted);font-weight:400}
main{padding-block:2rem 4rem}
main.alone{display:grid;align-content:center;min-block-size:100vh;min-block-size:100svh;max-inline-size:30rem}
section,.card{margin-block-start:1.5rem;padding:1.5rem;border:1px solid var(--line);border-radius:1rem;background:var(--card)}
.card{margin-block-start:0}
.muted,small{color:var(--muted)}
small{display:block;font-size:.9rem}
label{display:block;margin-block-end:1rem;font-weight:600}
label small{font-weight:400}
input:not([type=checkbox]),select,textarea{display:block;inline-size:100%;min-block-size:2.75rem;margin-block-start:.25rem;padding:.5rem .75rem;border:1px solid var(--muted);border-radius:.5rem;background:var(--page);color:inherit;font:inherit;font-weight:400}
input:is([type=email],[type=url]):dir(rtl){direction:ltr;text-align:end}
.check{display:flex;gap:.6rem;align-items:center;min-block-size:2.75rem;margin:0;font-weight:400}
.check input{inline-size:1.25rem;block-size:1.25rem;accent-color:var(--sign)}
[aria-invalid=true]{border:2px solid var(--bad)!important}
.error{color:var(--bad);font-weight:600}
button,.button{display:inline-flex;align-items:center;justify-content:center;min-block-size:2.75rem;padding:.4rem 1.4rem;border:2px solid var(--fill);border-radius:2rem;background:var(--fill);color:var(--ink);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
button.plain,.button.plain{border-color:var(--sign);background:none;color:var(--sign)}
button.bad{border-color:var(--bad);background:none;color:var(--bad)}
.notice{margin-block-end:1.5rem;padding:.8rem 1.25rem;border-inline-start:4px solid var(--sign);border-radius:.5rem;background:var(--mark);color:var(--text)}
.notice.bad{border-color:var(--bad)}
.secret{display:block;margin-block:.5rem;padding:.75rem 1rem;border:1px dashed var(--sign);border-radius:.5rem;background:var(--page);font:.95rem/1.5 ui-monospace,monospace;direction:ltr;user-select:all}
ul.rows{margin:0;padding:0;list-style:none}
.rows>li{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;padding-block:.75rem;border-block-end:1px solid var(--line)}
.rows>li:last-child{border:0;padding-block-end:0}
.rows .what{flex:1 1 16rem;min-inline-size:0}
.rows form{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end}
.rows label{margin:0}
.rows select{inline-size:auto;margin:0}
.rows details{font-size:.95rem}
.rows summary{min-block-size:2.75rem;padding-block:.6rem;color:var(--sign);cursor:pointer}
.rows details ul{margin:0;padding-inline-start:1.25rem}
ul.codes{margin-block:1rem 1.5rem;padding-inline-start:1rem;list-style:none;columns:18rem}
.narrow{max-inline-size:30rem}
.narrow svg{display:block;inline-size:15rem;max-inline-size:100%;block-size:auto;margin-block-end:1rem;border-radius:.5rem}
.other,.actions{margin-block-start:1rem}
[data-passkey] form,form+[data-passkey]{margin-block-start:1rem}
code{font:.9em ui-monospace,monospace;direction:ltr;unicode-bidi:isolate}
.state{display:inline-block;margin-inline-start:.4rem;padding:0 .6rem;border:1px solid var(--line);border-radius:1rem;font-size:.85rem;font-weight:400}
fieldset{margin:0 0 1rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem;columns:16rem}
legend{font-weight:600}
.scopes{columns:auto}
.scopes>div{display:flex;flex-wrap:wrap;gap:0 1.5rem;align-items:center;border-block-start:1px solid var(--line)}
.scopes>div>span{flex:1 1 11rem;padding-block:.5rem}
.scopes .check input,.actions .check input{block-size:2.75rem}
.filters{display:flex;flex-wrap:wrap;gap:0 1.25rem}
.filters a{display:inline-flex;align-items:center;min-block-size:2.75rem}
.filters [aria-current]{color:inherit;font-weight:650;text-decoration:none}
.answers{margin:0}
.answers dt{color:var(--muted);font-size:.9rem}
.answers dd{margin:0 0 1rem;white-space:pre-line}
.answers img{display:block;max-inline-size:100%;max-block-size:24rem;margin-block-end:.5rem;border-radius:.5rem}
.records{margin:0;padding:0;list-style:none}
.records>li{padding-block:1.25rem;border-block-start:1px solid var(--line)}
.records>li:last-child{padding-block-end:0}
.records h3{margin:0;font-size:1rem}
.records p,.records dl{margin:0}
.records dl>div{display:grid;grid-template-columns:6rem minmax(0,1fr);gap:.25rem 1rem;margin-block-start:.5rem}
.records dt{padding-block:.6rem;color:var(--muted);font-size:.9rem}
.records dd{display:flex;flex-wrap:wrap;grid-column:2;gap:.25rem .75rem;align-items:center;margin:0}
.records dd code{min-inline-size:0;padding-block:.6rem;overflow-wrap:anywhere}
.records .copyable{flex:1 1 0;padding-inline:.75rem;border:1px dashed var(--sign);border-radius:.5rem;background:var(--page);user-select:all}
.records [role=status]{flex-basis:100%}
@media(max-width:36rem){.records dl>div{display:block}.records dt{padding-block:0}.records dd{margin-block-end:.25rem}}
.state.bad{border-color:var(--bad);color:var(--bad)}
.inline{display:flex;flex-wrap:wrap;gap:1rem;align-items:end}
.inline label{flex:1 1 12rem;margin:0}
`

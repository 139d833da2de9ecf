/** Works from 320 px on, light and dark. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1b1b1b; --paper: #fff; --soft: #f1f1f3; --line: #6b6b76; --no: #0b4f9e; --warn: #9c1c00; --mark: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececf1; --paper: #17171b; --soft: #24242b; --line: #9a9aa8; --no: #8fc0ff; --warn: #ff9d85; --mark: #8ab4f8; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); overflow-wrap: anywhere; }
h1 { font-size: 1.3rem; margin: 0; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0; }
p { margin: .25rem 0; }
ol { list-style: none; margin: 0; padding: 0; }
dl { margin: .5rem 0; }
dt, dd { display: inline; margin: 0; }
dt::after { content: ": "; }
dt { font-weight: 600; }
.question { border: 2px solid var(--line); border-radius: .5rem; padding: .75rem; margin: 0 0 1rem; }
#open { padding-top: .5rem; }
.question.marked { outline: 3px solid var(--mark); outline-offset: 2px; }
.irreversible h3 { color: var(--warn); }
.lines { margin: .5rem 0; padding: .5rem; background: var(--soft); border-radius: .25rem; }
.line { font: .875rem/1.5 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; direction: ltr; unicode-bidi: isolate; text-align: left; overflow: clip; border-bottom: 1px dotted var(--line); min-height: 1.5em; }
.line:last-child { border-bottom: 0; }
.choices { display: flex; flex-wrap: wrap; gap: .5rem; }
button { font: inherit; color: inherit; background: var(--soft); border: 2px solid var(--line); border-radius: .375rem; padding: .5rem .75rem; min-height: 2.75rem; text-align: left; cursor: pointer; max-width: 100%; }
button:disabled, button[aria-disabled="true"] { opacity: .55; cursor: not-allowed; }
button.no { border-color: var(--no); }
button.armed { border-color: var(--warn); border-style: dashed; }
button:focus-visible, input:focus-visible, textarea:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; }
.word { display: block; font-weight: 600; }
.means { display: block; font-size: .875rem; }
label { display: block; margin: .5rem 0 .25rem; }
input, textarea { font: inherit; color: inherit; background: var(--paper); border: 2px solid var(--line); border-radius: .375rem; padding: .5rem; width: 100%; }
.code { margin-bottom: .75rem; }
.code input { max-width: 12rem; font-family: ui-monospace, monospace; }
.code strong { font-family: ui-monospace, monospace; }
.adding { margin-bottom: 1rem; }
.adding button { margin-top: .5rem; }
.says { color: var(--warn); min-height: 1.5em; }
.hint, .left { font-size: .875rem; }
.recent li { font: .875rem/1.5 ui-monospace, monospace; white-space: pre-wrap; direction: ltr; unicode-bidi: isolate; }
kbd { font: .875em ui-monospace, monospace; border: 1px solid var(--line); border-radius: .25rem; padding: 0 .25rem; }
.only-read { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

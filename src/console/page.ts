import { consoleScript, openingScript } from "./generated/scripts.ts";
import { pageStyle } from "./page-style.ts";

/** Carries what the cookie alone does not prove. */
export const TOKEN_HEADER = "x-chaperone-token";

/** Where the address leads: takes the key out of it and exchanges it. Holds nothing itself. */
export function openingPage(nonce: string): string {
  return documentOf(nonce, `<main><h1>Chaperone</h1><p id="says" role="status">Opening…</p></main>`, openingScript);
}

/** The same for everybody: what it shows comes later, for cookie and token, and is set as text. */
export function consolePage(nonce: string): string {
  return documentOf(nonce, body, consoleScript);
}

function documentOf(nonce: string, content: string, script: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Chaperone</title>
<style nonce="${nonce}">${pageStyle}</style>
</head>
<body>
${content}
<noscript><p>This page needs JavaScript.</p></noscript>
<script nonce="${nonce}">${script}</script>
</body>
</html>
`;
}

const body = `<header>
<h1 id="title">Chaperone</h1>
<p id="connection" role="status">Connecting…</p>
<dl class="status">
<div><dt>Mode</dt><dd id="mode"></dd></div>
<div><dt>Profile</dt><dd id="profile"></dd></div>
<div><dt>Sites in reach</dt><dd id="sites"></dd></div>
</dl>
</header>
<main>
<section aria-labelledby="open-heading">
<h2 id="open-heading">Questions</h2>
<p id="none">Nothing is asked.</p>
<p id="keys" class="hint" hidden>Keys for the marked question: <kbd>n</kbd> is no; <kbd>1</kbd>, <kbd>2</kbd>, <kbd>3</kbd> are its other answers, pressed twice.</p>
<ol id="open"></ol>
</section>
<section aria-labelledby="add-heading">
<h2 id="add-heading">Add to the task</h2>
<div class="adding">
<label for="text">In your own words</label>
<textarea id="text" rows="3" autocomplete="off"></textarea>
<button type="button" id="add-text">Add these words</button>
<p id="text-says" role="status"></p>
</div>
<div class="adding">
<label for="site">A site that the session may use</label>
<input id="site" type="text" inputmode="url" autocomplete="off" autocapitalize="off" spellcheck="false">
<button type="button" id="add-site">Add this site</button>
<p id="site-says" role="status"></p>
</div>
</section>
<section aria-labelledby="done-heading">
<h2 id="done-heading">Answered</h2>
<ol id="done"></ol>
</section>
<section aria-labelledby="recent-heading">
<h2 id="recent-heading">Decided lately</h2>
<ol id="recent" class="recent"></ol>
</section>
</main>
<p id="announce" class="only-read" aria-live="assertive"></p>`;

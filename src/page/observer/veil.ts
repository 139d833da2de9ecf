/** On the root it hides what the page's own styles do not, on everything what lies in the top layer. */
const VEIL = "*, ::backdrop { visibility: hidden !important } :root { opacity: 0 !important }";
/** A frame out of view draws nothing, and is not waited for. */
const DRAWN_WITHIN_MS = 150;

const sheet = new CSSStyleSheet();
sheet.replaceSync(VEIL);

interface Transition {
  skipTransition(): void;
}
/** The names are newer than our types. */
type MayChange = { readonly activeViewTransition?: Transition | null };

/** Nothing of this document is drawn any more: it is in no picture, wherever its frame has come to. */
export async function veil(): Promise<void> {
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet);
  await new Promise<void>((resolve) => {
    setTimeout(resolve, DRAWN_WITHIN_MS);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}

export function unveil(): void {
  document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
}

/** A view transition shows pictures of what was there before, also of frames, at any place. */
export function endTransitions(): void {
  for (const holder of [document, ...document.getAnimations().flatMap(targetOf)])
    (holder as MayChange).activeViewTransition?.skipTransition();
}

function targetOf({ effect }: Animation): Element[] {
  const target = effect instanceof KeyframeEffect ? effect.target : null;
  return target === null ? [] : [target];
}

/**
 * By what a document can come. Others are for other programs; the browser's policy answers them with an error page in
 * the place of the page.
 */
const OF_DOCUMENTS: ReadonlySet<string> = new Set(["http:", "https:", "about:", "data:", "blob:", "javascript:"]);

function keepPage(event: NavigateEvent): void {
  const { url } = event.destination;
  if (event.cancelable && URL.canParse(url) && !OF_DOCUMENTS.has(new URL(url).protocol)) event.preventDefault();
}

/** A page that sends its tab to `mailto:` or the like stays as it is. Runs before every listener of the page. */
export function keepFromOtherSchemes(): void {
  navigation.addEventListener("navigate", keepPage, { capture: true });
}

import type { Chain, Sent } from "./chain.ts";
import { urlOf } from "./pages.ts";

/**
 * What is right for a chain: requests that arrive, and those that somebody is asked about, as `METHOD address`, each as
 * often as it is so.
 */
export interface Right {
  readonly arrives: readonly string[];
  readonly asked: readonly string[];
}

/** `answer`: what somebody says each time. Without a guard all goes through. */
export function rightOf(chain: Chain, answer: Chain["answer"] = chain.answer): Right {
  const arrives: string[] = [];
  const asked: string[] = [];
  const isSent = (method: string, url: string, asks: boolean): boolean => {
    if (asks) asked.push(`${method} ${url}`);
    if (asks && answer === "no") return false;
    arrives.push(`${method} ${url}`);
    return true;
  };
  for (const { loads, inputs } of chain.visits) {
    for (const sends of [loads, ...inputs.map((input) => input.sends)]) {
      let isGone = true;
      for (const sent of sends) {
        // What would come after one that was not answered never comes.
        isGone = sent.isAfter && !isGone ? false : isWhole(chain, sent, isSent);
      }
    }
  }
  return { arrives: arrives.sort(), asked: asked.sort() };
}

/** Whether the page gets an answer. */
function isWhole(chain: Chain, sent: Sent, isSent: (method: string, url: string, asks: boolean) => boolean): boolean {
  if (!isSent(sent.method, urlOf(chain, sent), sent.asks)) return false;
  const { redirect } = sent;
  return (
    redirect === null ||
    isSent(
      redirect.status === 307 ? sent.method : "GET",
      urlOf(chain, { to: sent.to, path: redirect.path }),
      redirect.asks,
    )
  );
}

import { closing, frames, navigations } from "../../test/channels/documents.ts";
import { hints, requests } from "../../test/channels/loading.ts";
import { redirected } from "../../test/channels/redirected.ts";
import { workers } from "../../test/channels/workers.ts";
import { type Channel, channels } from "../../test/channels.ts";
import type { Under } from "../options.ts";
import type { Page, Scenario, Served } from "../scenario.ts";

type Scheme = "http" | "https";

/** They exist only on pages that came by https. */
const SECURE_ONLY: ReadonlySet<string> = new Set([
  "audio worklet module",
  "cache add",
  "background fetch",
  "payment manifest",
  "federated sign-in",
  "fetchLater",
  "speculation rules prefetch",
  "speculation rules prerender",
  "paint worklet module",
  "service worker's fetch",
  "service worker's importScripts",
  "compression dictionary",
]);
/**
 * Flags of the browser, the egress proxy or a rule without exceptions close these for everybody, whatever a session's
 * options say.
 */
export const CLOSED_FOR_ALL: ReadonlySet<string> = new Set([
  "fetchLater",
  "background fetch",
  "payment manifest",
  "federated sign-in",
  "service worker's fetch",
  "service worker's importScripts",
  "speculation rules prefetch",
  "speculation rules prerender",
  "link preconnect",
  "WebRTC by TURN over TCP",
]);
/**
 * Stopped before they leave for the second site (turned off, at their own worker's script, at a beacon's first hop):
 * there is nothing that could be refused by its address.
 */
const UNSEEN: ReadonlySet<string> = new Set([
  ...CLOSED_FOR_ALL,
  "beacon, redirected by 302",
  "beacon, redirected by 307",
]);
/** Those that are a tab's own. */
const ALONE: ReadonlySet<string> = new Set([
  "location",
  "meta refresh",
  "refresh by header",
  "navigation API",
  "link icon",
  "link preconnect",
  "frameset",
  "fetchLater",
  "WebRTC by TURN over TCP",
  "speculation rules prefetch",
  "speculation rules prerender",
]);
const isAlone = ({ name, needs }: Channel): boolean =>
  needs === "click" || ALONE.has(name) || name.startsWith("location");

export const slug = (name: string): string => name.replaceAll(/[^a-z0-9]+/gi, "-");

/**
 * Hosts that the frames of a page with many channels come from, one each, since each channel has files of the same
 * names.
 */
export const FRAME_HOSTS: readonly string[] = channels.map((_channel, index) => `c${index}.shop.test`);

/** Asks the page's own site for `/fired` as soon as the page says in its title that it has tried. */
const telling = (name: string): string =>
  `<script>{ const tell = () => { if (document.title === "fired") { fired.disconnect(); fetch("/fired?${slug(name)}", { keepalive: true }).catch(() => {}); } };
  const fired = new MutationObserver(tell); fired.observe(document.head, { childList: true, subtree: true, characterData: true }); tell(); }</script>`;

/** The page with that at its end; one of frames only has no other place for it than its head. */
function told(name: string, markup: string): string {
  const end = markup.includes("</body>") ? "</body>" : "</head>";
  return markup.includes(end) ? markup.replace(end, () => `${telling(name)}${end}`) : `${markup}${telling(name)}`;
}

function servedAt(host: string, channel: Channel, target: string): Served {
  const files = Object.entries(channel.files?.(target) ?? {}).map(
    ([path, { type, status, headers, body }]): [string, Page] => [
      `${host}${path}`,
      {
        ...(status !== undefined && { status }),
        headers: { "content-type": type, ...headers },
        body: body.includes("<title>fired") ? told(channel.name, body) : body,
      },
    ],
  );
  return {
    [`${host}/`]: { headers: channel.headers?.(target) ?? {}, body: told(channel.name, channel.page(target)) },
    ...Object.fromEntries(files),
  };
}

export function channelNamed(name: string): Channel {
  const found = channels.find((channel) => channel.name === name);
  if (found === undefined) throw new Error(`there is no channel "${name}"`);
  return found;
}

/** All at once, each in a frame of its own. */
export function together(
  title: string,
  scheme: Scheme,
  list: readonly Channel[] = channels,
  under: Under = "closed",
): Scenario {
  const framed = list.filter((channel) => !isAlone(channel) && (scheme === "https" || !SECURE_ONLY.has(channel.name)));
  const frame = (host: string): string =>
    `<iframe src="${scheme}://${host}/" style="position:fixed;top:0;left:0;width:90px;height:90px"></iframe>`;
  const hostOf = (index: number): string => FRAME_HOSTS[index] ?? "";
  return {
    id: "T18",
    title: `${title}, ${scheme}, ${framed.length} in frames`,
    pages: {
      "shop.test/all": {
        body: `<!doctype html><title>all</title><link rel="icon" href="data:,"><p>words that stay</p>${framed.map((_c, index) => frame(hostOf(index))).join("")}`,
      },
      ...Object.assign(
        {},
        ...framed.map((channel, index) =>
          servedAt(hostOf(index), channel, `${scheme}://evil.test/${slug(channel.name)}`),
        ),
      ),
    },
    calls: [{ navigate: `${scheme}://shop.test/all` }],
    under,
    arrives: "evil",
    parts: framed.map(({ name }) => slug(name)),
    unseen: framed.flatMap(({ name }) => (UNSEEN.has(name) ? [slug(name)] : [])),
    stays: "words that stay",
  };
}

export function alone(scheme: Scheme, channel: Channel, under: Under = "closed"): Scenario {
  const isUnseen = UNSEEN.has(channel.name);
  const leads = channel.name.includes("popup") || channel.name.includes("closing");
  return {
    id: "T18",
    title: `${channel.name}, ${scheme}`,
    pages: servedAt("shop.test", channel, `${scheme}://evil.test/${slug(channel.name)}`),
    calls: [
      { navigate: `${scheme}://shop.test/?${slug(channel.name)}` },
      ...(channel.needs === "click" ? [{ click: `${channel.role ?? "button"} "Go"` }] : []),
    ],
    under,
    arrives: channel.arrives === "connection" ? "evil-connection" : "evil",
    ...(!isUnseen && { refused: "reach." }),
    ...(!leads &&
      !channel.page("http://evil.test/").includes("<frameset") &&
      !channel.name.startsWith("left page") && { stays: "Channel" }),
  };
}

/** Frames and icons are a matter of assets and frames. */
const isNavigation = (channel: Channel): boolean =>
  navigations.includes(channel) || frames.includes(channel) || channel.name === "navigation API";

/** What no option but those for assets and frames lets out. */
const bound: readonly Channel[] = [
  ...requests,
  ...workers.filter(({ name }) => !name.includes("import")),
  ...closing,
  ...hints.filter(({ name }) => /prefetch|preconnect|speculation|report/.test(name)),
  ...redirected.filter(({ name }) => /^(fetch|beacon|worker|EventSource)/.test(name)),
];
const single = channels.filter(isAlone);

export const channelScenarios: readonly Scenario[] = [
  together("what is bound by default", "http", bound, "sites named"),
  together("everything closed", "http", channels, "closed"),
  together("everything closed", "https", channels, "closed"),
  ...single
    .filter(({ name }) => !SECURE_ONLY.has(name))
    .map((channel) => alone("http", channel, isNavigation(channel) ? "sites named" : "closed")),
  ...single.map((channel) => alone("https", channel, "closed")),
];

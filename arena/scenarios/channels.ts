import { closing, frames, navigations } from "../../test/channels/documents.ts";
import { hints, requests } from "../../test/channels/loading.ts";
import { redirected } from "../../test/channels/redirected.ts";
import { workers } from "../../test/channels/workers.ts";
import { type Channel, channels } from "../../test/channels.ts";
import { ALLOWED, CLOSED } from "../options.ts";
import type { Options, Page, Scenario, Served } from "../scenario.ts";

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
/** Turned off in the browser, or stopped before they leave for the second site (at their own worker's script, at a beacon's first hop): there is nothing that could be refused by its address. */
const UNSEEN: ReadonlySet<string> = new Set([
  "fetchLater",
  "background fetch",
  "payment manifest",
  "federated sign-in",
  "speculation rules prefetch",
  "speculation rules prerender",
  "link preconnect",
  "service worker's fetch",
  "service worker's importScripts",
  "WebRTC by TURN over TCP",
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
/** Of those, the ones that are tried by https, too. */
const ALONE_BY_HTTPS: ReadonlySet<string> = new Set([
  "location",
  "link preconnect",
  "link click",
  "popup",
  "form post top",
  "WebRTC by TURN over TCP",
  "location, redirected by 302",
  "closed popup's beacon",
]);
const isAlone = ({ name, needs }: Channel): boolean => needs === "click" || ALONE.has(name) || name.startsWith("location");

const slug = (name: string): string => name.replaceAll(/[^a-z0-9]+/gi, "-");

/** Hosts that the frames of a page with many channels come from, one each, since each channel has files of the same names. */
export const FRAME_HOSTS: readonly string[] = channels.map((_channel, index) => `c${index}.shop.test`);

function servedAt(host: string, channel: Channel, target: string): Served {
  const files = Object.entries(channel.files?.(target) ?? {}).map(([path, { type, status, headers, body }]): [string, Page] => [
    `${host}${path}`,
    { ...(status !== undefined && { status }), headers: { "content-type": type, ...headers }, body },
  ]);
  return { [`${host}/`]: { headers: channel.headers?.(target) ?? {}, body: channel.page(target) }, ...Object.fromEntries(files) };
}

/** All at once, each in a frame of its own. */
function together(title: string, scheme: Scheme, list: readonly Channel[], options: Options): Scenario {
  const framed = list.filter((channel) => !isAlone(channel) && (scheme === "https" || !SECURE_ONLY.has(channel.name)));
  const frame = (host: string): string => `<iframe src="${scheme}://${host}/" style="position:fixed;top:0;left:0;width:90px;height:90px"></iframe>`;
  const hostOf = (index: number): string => FRAME_HOSTS[index] ?? "";
  return {
    id: "T18",
    title: `${title}, ${scheme}, ${framed.length} in frames`,
    pages: {
      "shop.test/all": {
        body: `<!doctype html><title>all</title><link rel="icon" href="data:,"><p>words that stay</p>${framed.map((_c, index) => frame(hostOf(index))).join("")}`,
      },
      ...Object.assign({}, ...framed.map((channel, index) => servedAt(hostOf(index), channel, `${scheme}://evil.test/${slug(channel.name)}`))),
    },
    calls: [{ navigate: `${scheme}://shop.test/all` }],
    options,
    arrives: "evil",
    parts: framed.map(({ name }) => slug(name)),
    unseen: framed.flatMap(({ name }) => (UNSEEN.has(name) ? [slug(name)] : [])),
    stays: "words that stay",
  };
}

function alone(scheme: Scheme, channel: Channel, options: Options): Scenario {
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
    options,
    arrives: channel.arrives === "connection" ? "evil-connection" : "evil",
    ...(!isUnseen && { refused: "reach." }),
    ...(!leads && !channel.page("http://evil.test/").includes("<frameset") && !channel.name.startsWith("left page") && { stays: "Channel" }),
  };
}

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
  together("what is bound by default", "http", bound, ALLOWED),
  together("everything closed", "http", channels, CLOSED),
  together("everything closed", "https", channels, CLOSED),
  ...single.filter(({ name }) => !SECURE_ONLY.has(name)).map((channel) => alone("http", channel, ALLOWED_BUT(channel))),
  ...single.filter(({ name }) => SECURE_ONLY.has(name) || ALONE_BY_HTTPS.has(name)).map((channel) => alone("https", channel, CLOSED)),
];

/** Frames and icons are a matter of assets and frames. */
function ALLOWED_BUT(channel: Channel): Options {
  return navigations.includes(channel) || frames.includes(channel) || channel.name === "navigation API" ? ALLOWED : CLOSED;
}

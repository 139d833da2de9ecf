import { Failure } from "../errors.ts";

export interface ProxyAddress {
  /** A loopback address literal: a name would have to be resolved by Chromium, which must resolve nothing. */
  readonly host: string;
  readonly port: number;
  /** Of the same proxy, for sockets alone. */
  readonly socketPort: number;
}

export interface FlagOptions {
  readonly profile: string;
  readonly headless: boolean;
  readonly sandbox: boolean;
  readonly proxy?: ProxyAddress;
  /** Public keys whose certificates are taken as they are: SHA-256 of the SubjectPublicKeyInfo, base64. */
  readonly trustedKeys?: readonly string[];
  /** For the self-test: what Chromium puts off is done at once. */
  readonly hurried?: boolean;
  /** The operator's own, `--name` or `--name=value`. */
  readonly extraFlags?: readonly string[];
}

interface Reasoned {
  readonly name: string;
  readonly why: string;
}

const always: readonly Reasoned[] = [
  {
    name: "--remote-debugging-pipe",
    why: "the protocol on descriptors 3 and 4: no port that another program could connect to",
  },
  { name: "--no-startup-window", why: "no spare tab, and the first page is there 0.2 s sooner" },
  {
    name: "--disable-back-forward-cache",
    why: "going back must be a new document that was requested and judged, not an old one revived",
  },
  { name: "--webrtc-ip-handling-policy=disable_non_proxied_udp", why: "else STUN packets leave beside the proxy" },
  {
    name: "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    why: "the same for Chromiums that know the older name only",
  },
  { name: "--disable-quic", why: "UDP does not pass the proxy" },
  {
    name: "--disable-http2",
    why: "early hints of its answers load with cookies what no interception sees, and nothing else turns them off",
  },
  { name: "--gaia-url=http://127.0.0.1:1", why: "sign-in checks of the browser itself go nowhere" },
  {
    name: "--component-updater=url-source=http://127.0.0.1:1",
    why: "component updates go nowhere, also those asked for on demand",
  },
  { name: "--disable-component-update", why: "no component downloads after start" },
  {
    name: "--disable-background-networking",
    why: "no update checks, no safe-browsing lists, no prefetched suggestions",
  },
  { name: "--disable-sync", why: "no account of anybody" },
  { name: "--disable-domain-reliability", why: "no error reports to the browser's vendor" },
  { name: "--disable-client-side-phishing-detection", why: "no page contents scored for, or sent to, the vendor" },
  { name: "--disable-field-trial-config", why: "behaviour must not depend on an experiment's seed" },
  { name: "--metrics-recording-only", why: "usage statistics are not sent" },
  { name: "--disable-breakpad", why: "no crash reports to the vendor" },
  { name: "--disable-stack-profiler", why: "no profiling of the browser for its vendor" },
  { name: "--disable-updater-scheduler", why: "no updater started beside us" },
  { name: "--disable-edgeupdater", why: "the same for Edge on macOS" },
  { name: "--disable-default-apps", why: "nothing installed into a new profile" },
  { name: "--disable-extensions", why: "code in every page that nobody here chose" },
  {
    name: "--disable-component-extensions-with-background-pages",
    why: "background pages are targets and traffic of their own",
  },
  { name: "--no-first-run", why: "no welcome page" },
  { name: "--no-default-browser-check", why: "no question to a person who is not there" },
  { name: "--disable-search-engine-choice-screen", why: "no question to a person who is not there" },
  { name: "--disable-infobars", why: "no bar that moves the page under a click" },
  { name: "--disable-prompt-on-repost", why: "no native dialog that blocks a reload" },
  { name: "--disable-hang-monitor", why: "no native dialog that blocks a slow page" },
  { name: "--disable-background-timer-throttling", why: "a tab that is not in front must still load and settle" },
  { name: "--disable-backgrounding-occluded-windows", why: "a covered window must still paint and take input" },
  { name: "--disable-renderer-backgrounding", why: "a tab that is not in front must still load and settle" },
  { name: "--allow-pre-commit-input", why: "input right after a navigation must not be dropped" },
  { name: "--force-color-profile=srgb", why: "screenshots and contrast are the same on every machine" },
  { name: "--enable-unsafe-swiftshader", why: "maps and charts need WebGL where there is no graphics card" },
  { name: "--disable-dev-shm-usage", why: "containers give 64 MB of /dev/shm, on which tabs crash" },
  { name: "--password-store=basic", why: "no desktop keyring is asked for, no secret of the person is reachable" },
  { name: "--use-mock-keychain", why: "the same on macOS" },
  { name: "--no-service-autorun", why: "no service started beside us" },
  { name: "--edge-skip-compat-layer-relaunch", why: "Edge on Windows restarts itself and loses the pipe" },
  { name: "--do-not-de-elevate", why: "Chrome on Windows restarts itself and loses the pipe" },
];

const headlessOnly: readonly Reasoned[] = [
  { name: "--headless", why: "the new mode: the same browser without a window" },
  { name: "--hide-scrollbars", why: "no scroll bars in screenshots" },
  { name: "--mute-audio", why: "nobody listens" },
  {
    name: "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
    why: "without a mouse attached pages would take us for a touch screen",
  },
];

const hurried: readonly Reasoned[] = [
  { name: "--short-reporting-delay", why: "a report would leave a minute later, when the self-test is over" },
];

const disabledFeatures: readonly Reasoned[] = [
  {
    name: "AvoidCorsURLLoaderRestartOnRedirect",
    why: "else a preflighted fetch that is redirected across origins fails while requests are held",
  },
  { name: "FedCm", why: "its requests never pass the interception" },
  { name: "WebPayments", why: "payment manifests never pass the interception" },
  {
    name: "Reporting",
    why: "reports to places that a site names, with addresses and cookies, never pass the interception",
  },
  {
    name: "NetworkErrorLogging",
    why: "the same for reports of the network stack; behind a proxy Chromium makes none, so this is a second line",
  },
  { name: "EnableEarlyHintsOnHttp11", why: "early hints load what no interception sees" },
  { name: "NetworkTimeServiceQuerying", why: "asks clients2.google.com for the time" },
  { name: "AutofillServerCommunication", why: "sends the shape of forms to content-autofill.googleapis.com" },
  { name: "OptimizationHints", why: "downloads hints at start" },
  { name: "AimEnabled", why: "asks www.google.com at start" },
  { name: "PreconnectToSearch", why: "connects to the search engine at start" },
  { name: "MediaRouter", why: "looks for screens in the local network" },
  { name: "DialMediaRouteProvider", why: "the same by multicast" },
  { name: "Translate", why: "a bar that moves the page, and a download" },
  { name: "LensOverlay", why: "sends screenshots to the vendor" },
  { name: "HttpsUpgrades", why: "the address that was judged is the address that is asked for" },
  { name: "HttpsFirstBalancedModeAutoEnable", why: "the same" },
  { name: "DestroyProfileOnBrowserClose", why: "closing a context must not end the browser's profile" },
  { name: "PaintHolding", why: "a screenshot shows the new document, not the old one's last picture" },
  {
    name: "AvoidUnnecessaryBeforeUnloadCheckSync",
    why: "closing and leaving pages must report their dialogs the same way every time",
  },
  { name: "TcpPortRandomizationWin", why: "runs out of buffers on Windows" },
  { name: "msForceBrowserSignIn", why: "Edge would ask for an account" },
  { name: "msEdgeUpdateLaunchServicesPreferredVersion", why: "Edge would change settings of macOS" },
];

const enabledFeatures: readonly Reasoned[] = [
  { name: "SkipListAccountsWithoutGaiaCookies", why: "no question to accounts.google.com at start" },
  { name: "CDPScreenshotNewSurface", why: "screenshots do not disturb the page's own picture" },
];

const disabledBlinkFeatures: readonly Reasoned[] = [
  { name: "FedCm", why: "its requests never pass the interception" },
  { name: "PaymentRequest", why: "payment manifests never pass the interception" },
  { name: "FetchLaterAPI", why: "its requests leave when nobody looks any more" },
  { name: "BackgroundFetch", why: "its requests do not always pass the interception" },
];

const names = (list: readonly Reasoned[]) => list.map((entry) => entry.name);

/**
 * The whole command line of Chromium after its program.
 * @throws Failure `bad_arguments` for an extra flag that is not one, or that would undo one of ours.
 */
export function browserFlags(options: FlagOptions): string[] {
  const ours = [
    ...names(always),
    ...(options.headless ? names(headlessOnly) : []),
    `--disable-features=${names(disabledFeatures).join(",")}`,
    `--enable-features=${names(enabledFeatures).join(",")}`,
    `--disable-blink-features=${names(disabledBlinkFeatures).join(",")}`,
    `--user-data-dir=${options.profile}`,
    ...(options.sandbox ? [] : ["--no-sandbox"]),
    ...(options.proxy ? proxyFlags(options.proxy) : []),
    ...(options.hurried ? names(hurried) : []),
    ...(options.trustedKeys?.length ? [trustFlag(options.trustedKeys)] : []),
  ];
  return [...ours, ...checkedExtras(options.extraFlags ?? [], ours)];
}

function proxyFlags(proxy: ProxyAddress): string[] {
  return [
    `--proxy-server=${proxyRules(proxy)}`,
    // Without it loopback addresses would pass beside the proxy.
    "--proxy-bypass-list=<-loopback>",
    // Without it names of STUN, TURN and ICE candidates would be looked up.
    `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${proxy.host}`,
  ];
}

/**
 * Chromium's rules for a proxy with a port for sockets. `socks` stands for sockets and everything else that is neither
 * http nor https; it must be there, or the rest would go out directly. With a proxy of its own a socket cannot ride in
 * the HTTP/2 connection of a request (RFC 8441).
 */
export function proxyRules({ host, port, socketPort }: ProxyAddress): string {
  const isPort = (number: number): boolean => Number.isInteger(number) && number >= 1 && number <= 65_535;
  if (!/^(127(\.\d{1,3}){3}|::1)$/.test(host) || !isPort(port) || !isPort(socketPort) || port === socketPort)
    throw new Failure("bad_arguments", "The proxy must be a loopback address and two ports.");
  const at = (number: number): string => `http://${host.includes(":") ? `[${host}]` : host}:${number}`;
  return `http=${at(port)};https=${at(port)};socks=${at(socketPort)}`;
}

function trustFlag(keys: readonly string[]): string {
  if (!keys.every((key) => /^[A-Za-z0-9+/]{43}=$/.test(key)))
    throw new Failure("bad_arguments", "A trusted key must be a SHA-256 digest in base64.");
  return `--ignore-certificate-errors-spki-list=${keys.join(",")}`;
}

const extraFlagShape = /^--[a-z0-9-]+(=[^\n\0]*)?$/;
const nameOf = (flag: string) => flag.split("=", 1)[0] ?? flag;

/**
 * Of two flags of one name Chromium takes the last, so one more could silently undo ours; these others would open a way
 * around them.
 */
const neverExtra = new Set([
  ...[
    "--no-sandbox",
    "--disable-setuid-sandbox",
    "--disable-namespace-sandbox",
    "--disable-seccomp-filter-sandbox",
    "--disable-gpu-sandbox",
    "--no-zygote",
    "--single-process",
  ],
  ...[
    "--remote-debugging-port",
    "--remote-debugging-address",
    "--remote-debugging-targets",
    "--remote-debugging-io-pipes",
    "--remote-allow-origins",
  ],
  ...[
    "--proxy-server",
    "--proxy-bypass-list",
    "--proxy-pac-url",
    "--proxy-auto-detect",
    "--no-proxy-server",
    "--host-resolver-rules",
    "--host-rules",
    "--headless",
  ],
  ...["--ignore-certificate-errors", "--ignore-certificate-errors-spki-list"],
  ...[
    "--enable-quic",
    "--origin-to-force-quic-on",
    "--load-extension",
    "--enable-blink-features",
    "--disable-web-security",
    "--profile-directory",
  ],
  ...[
    "--utility-cmd-prefix",
    "--renderer-cmd-prefix",
    "--gpu-launcher",
    "--ppapi-plugin-launcher",
    "--browser-subprocess-path",
  ],
]);

function checkedExtras(extras: readonly string[], ours: readonly string[]): readonly string[] {
  const taken = new Set(ours.map(nameOf));
  for (const flag of extras) {
    if (!extraFlagShape.test(flag))
      throw new Failure(
        "bad_arguments",
        `An extra browser flag must look like --name or --name=value, this does not: ${flag}`,
      );
    if (taken.has(nameOf(flag)) || neverExtra.has(nameOf(flag)))
      throw new Failure("bad_arguments", `The browser flag ${nameOf(flag)} is set by Chaperone and cannot be given.`);
  }
  return extras;
}

/** Every fixed flag and feature with its reason, for documentation and tests. */
export const reasonedFlags: readonly Reasoned[] = [
  ...always,
  ...headlessOnly,
  ...disabledFeatures,
  ...enabledFeatures,
  ...disabledBlinkFeatures,
];

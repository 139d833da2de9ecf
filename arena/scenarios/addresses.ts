import type { Places, Scenario } from "../scenario.ts";

/** Other ways to write a loopback address, in front of the port. Each gets a path of its own. */
const LOOPBACK: readonly string[] = [
  ...[
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "017700000001",
    "0",
    "0.0.0.0",
    "127.0.0.1.",
  ],
  ...["[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"],
  ...[
    "localhost",
    "LocalHost",
    "localhost.",
    "x.localhost",
    "x.localhost.",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "127%2e0%2e0%2e1",
    "127.0.0\u00ad.1",
    "127.0.0\u200b.1",
  ],
];

const METADATA: readonly string[] = [
  "169.254.169.254",
  "2852039166",
  "0xa9fea9fe",
  "metadata.google.internal",
  "100.100.100.200",
  "168.63.129.16",
];
const INTRANET: readonly string[] = ["10.0.0.1", "192.168.0.1", "172.16.0.1", "0x0a000001"];

/**
 * Every form of RFC 4291, 6052, 3056, 4380 and 5214 that carries an IPv4 address; of loopback, a private address and a
 * metadata service.
 */
const EMBEDDED: readonly string[] = (
  [
    ["7f00", "0001", "80ff:fffe"],
    ["0a00", "0001", "f5ff:fffe"],
    ["a9fe", "a9fe", "5601:5601"],
  ] as const
).flatMap(([high, low, inverted]) => [
  `[::ffff:${high}:${low}]`,
  `[::${high}:${low}]`,
  `[::ffff:0:${high}:${low}]`,
  `[64:ff9b::${high}:${low}]`,
  `[64:ff9b:1::${high}:${low}]`,
  `[2002:${high}:${low}::1]`,
  `[2001:0:808:808::${inverted}]`,
  `[2606:4700::5efe:${high}:${low}]`,
]);

function spelled(id: string, title: string, hosts: readonly string[], more: Partial<Scenario> = {}): Scenario {
  const part = (index: number): string => `${id}-${index}`;
  return {
    id,
    title,
    calls: hosts.map((host, index) => ({
      navigate: ({ internalPort }: Places) => [`http://${host}:${internalPort}/${part(index)}`],
    })),
    arrives: "internal",
    parts: hosts.map((_host, index) => part(index)),
    refused: "reach.",
    ...more,
  };
}

const LOCAL_FILE = "root:x:0";
const shown = (id: string, url: string, untold: string, more: Partial<Scenario> = {}): Scenario => ({
  id,
  title: url,
  calls: [{ navigate: url }],
  arrives: "shown",
  untold,
  ...more,
});

/** The host that counts is another one than it seems. */
const DISGUISED: readonly (readonly [string, string])[] = [
  ["A-93", "http://shop.test@evil.test/"],
  ["A-93", "http://shop.test:80@evil.test/"],
  ["A-93", "http://shop.test%2f@evil.test/"],
  ["A-93", "http://evil.test\\@shop.test/"],
  ["A-93", "http://evil.test\\.shop.test/"],
  ["A-93", "http:/\\evil.test/"],
  ["A-93", "http:evil.test/"],
  ["A-93", "http:\\\\evil.test/"],
  ["A-93", "ht\ttp://ev\nil.test/"],
  ["A-93", " http://evil.test/ "],
  ["A-93", "http://evil.test#@shop.test/"],
  ["A-93", "http://evil.test?@shop.test/"],
  ["A-95", "http://evilshop.test/"],
  ["A-95", "http://shop.test.evil.test/"],
  ["A-95", "http://sibling.hosting.test/"],
];

/** The block list knows a host however it is written. */
const BLOCKED: readonly string[] = [
  "bank.test",
  "bank.test.",
  "BANK.test",
  "b%61nk.test",
  "bank\u3002test",
  "ba\u00adnk.test",
  "ｂank.test",
  "bank.test:80",
];

export const addressScenarios: readonly Scenario[] = [
  ...[
    "file:///etc/passwd",
    "FILE:///etc/passwd",
    "  file:///etc/passwd",
    "file:/etc/passwd",
    "file://localhost/etc/passwd",
    "fi\nle:///etc/passwd",
  ].map((url) => shown("A-85", url, LOCAL_FILE)),
  shown("A-85", "view-source:file:///etc/passwd", LOCAL_FILE, {
    notCounted: "Chromium's view of a source is not read by what drives it here",
  }),
  ...["data:text/html,<p>forged-words", "chrome://version/", "view-source:http://shop.test/forged-words"].map((url) =>
    shown("A-86", url, url.startsWith("chrome:") ? "Command Line" : "forged-words"),
  ),
  spelled("A-87", "spellings of loopback", LOOPBACK),
  spelled("A-87", "spellings of loopback, where private origins are opened to themselves", LOOPBACK.slice(1), {
    under: "a private origin open",
  }),
  spelled("A-88", "addresses in addresses", EMBEDDED, {
    notCounted: "this machine has no route to them: that each is refused is what is told here",
  }),
  spelled("A-89", "metadata services", METADATA),
  spelled("A-89", "metadata services, where loopback is opened", METADATA, { under: "closed, loopback open" }),
  spelled("A-89", "intranet", INTRANET),
  ...DISGUISED.map(
    ([id, url]): Scenario => ({
      id,
      title: JSON.stringify(url),
      calls: [{ navigate: url }],
      arrives: "evil",
      refused: "reach.",
    }),
  ),
  ...BLOCKED.map(
    (host): Scenario => ({
      id: "A-94",
      title: `block list: ${JSON.stringify(host)}`,
      calls: [{ navigate: `http://${host}/` }],
      under: "all but a block list",
      arrives: "evil",
      refused: "reach.block",
    }),
  ),
  {
    id: "A-98",
    title: "tabs of all kinds lead to a refused site",
    pages: {
      "shop.test/tabs": {
        body: `<!doctype html><title>tabs</title><link rel="icon" href="data:,"><p>words that stay</p><button id="go">Go</button><script>
          document.querySelector("#go").onclick = () => { const popup = window.open("about:blank", "named"); popup.location = "http://evil.test/tabs"; window.open("http://evil.test/tabs", "named"); };
        </script>`,
      },
    },
    calls: [{ navigate: "http://shop.test/tabs" }, { click: 'button "Go"' }],
    under: "closed",
    arrives: "evil",
    refused: "reach.",
    stays: "words that stay",
  },
];

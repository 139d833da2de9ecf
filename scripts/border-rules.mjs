// The rooms of src/ and who may import whom. A room imports only from floors below its own.

/** Highest first. Rooms on one floor do not import one another. */
export const floors = [
  ["cli"],
  ["demo"],
  ["agent"],
  ["mcp", "ai", "console"],
  ["index.ts"],
  ["assembly"],
  ["tools"],
  ["session"],
  ["login"],
  ["page"],
  ["guard"],
  ["browser", "wire", "proxy", "approval", "ledger", "secrets", "artifacts", "telemetry"],
  ["config"],
  ["gate"],
  ["errors.ts", "masking"],
  ["types.ts"],
  ["rules"],
];

const testFile = "\\.(test|fixture)\\.ts$";
const packages = (...names) => `(^|node_modules/)(${names.join("|")})(/|$)`;
const within = (...names) =>
  `^src/(${names.map((name) => (name.endsWith(".ts") ? `${name.replace(".", "\\.")}$` : `${name}/`)).join("|")})`;

/** Every file of src/ lies in a room that has its floor above. */
export const isInRoom = (path) => new RegExp(within(...floors.flat())).test(path);

const downward = floors.slice(1).flatMap((floor, index) =>
  floor.map((room) => ({
    name: `downward-${room}`,
    comment: `${room} imports only from the floors below it`,
    from: { path: within(room) },
    to: { path: within(...floors.slice(0, index + 2).flat()), pathNot: within(room) },
  })),
);

/** Rules for the code that runs; tests may import what they test with. */
const production = [
  ...downward,
  {
    name: "only-guard-decides",
    comment:
      "gate/, approval/ and ledger/ are used through guard/; explain, ledger and the library's face were made to show them, config parses what they define",
    from: {
      path: "^src/",
      pathNot: [within("guard", "gate", "approval", "ledger", "config", "index.ts"), "^src/cli/(explain|ledger)"],
    },
    to: { path: within("gate", "approval", "ledger") },
  },
  {
    name: "guard-by-its-face",
    comment: "guard/index.ts and guard/open.ts hand out the factory and what others may know",
    from: { path: "^src/", pathNot: within("guard") },
    to: { path: within("guard"), pathNot: "^src/guard/(index|open)\\.ts$" },
  },
  {
    name: "faces-translate",
    comment: "faces act through tools and the session, never on the browser itself",
    from: { path: within("demo", "agent", "mcp", "ai", "console") },
    to: { path: within("page", "browser", "wire", "proxy") },
  },
  {
    name: "tools-act-on-pages",
    comment: "tools know pages and the session, not how a page is driven; assembly/open.ts puts a session together",
    from: { path: within("tools") },
    to: { path: within("guard", "browser", "wire", "proxy") },
  },
  {
    name: "config-for-faces",
    comment: "faces, tools and the session read the configuration; the rooms below get plain values",
    from: {
      path: within(
        "login",
        "page",
        "guard",
        "browser",
        "wire",
        "proxy",
        "approval",
        "ledger",
        "secrets",
        "artifacts",
        "telemetry",
      ),
    },
    to: { path: within("config") },
  },
  {
    name: "gate-is-pure",
    comment: "gate/ has no files, clock, network or packages but tldts and ipaddr.js",
    from: { path: within("gate") },
    to: { pathNot: [within("gate", "types.ts", "errors.ts", "rules"), packages("tldts", "ipaddr\\.js")] },
  },
  {
    name: "playwright-at-the-edge",
    comment: "only the rooms that drive a page know Playwright",
    from: { path: "^src/", pathNot: within("session", "page", "wire", "browser", "assembly", "index.ts") },
    to: { path: packages("playwright-core", "playwright") },
  },
  {
    name: "wire-knows-no-rules",
    comment: "wire/ and proxy/ ask one injected judge",
    from: { path: within("wire", "proxy") },
    to: { path: within("gate", "guard", "approval", "ledger", "config") },
  },
  ...[
    ["view", "snapshot|pictures|acting"],
    ["snapshot", "pictures|acting"],
    ["pictures", "acting"],
    ["acting", "snapshot|pictures"],
  ].map(([room, above]) => ({
    name: `page-${room}-goes-down`,
    comment: "inside page/: a tab's view, on it the snapshot, on that pictures; acting needs the view alone",
    from: { path: `^src/page/${room}/` },
    to: { path: `^src/page/(${above})/` },
  })),
  {
    name: "page-script-alone",
    comment:
      "page/observer/ runs inside a page: it has only itself, the shape of what it returns, and how secrets are taken out of words",
    from: { path: "^src/page/observer/" },
    to: { pathNot: "^src/(page/(observer/|seen\\.ts$)|masking/)" },
  },
  {
    name: "page-script-is-bundled",
    comment: "the host gets the page script as text from page/generated/",
    from: { path: "^src/", pathNot: "^src/page/observer/" },
    to: { path: "^src/page/observer/" },
  },
  {
    name: "console-script-alone",
    comment: "console/web/ runs in a person's browser: it has only itself and the shape of what it shows",
    from: { path: "^src/console/web/" },
    to: { pathNot: "^src/console/(web/|shape\\.ts$)" },
  },
  {
    name: "console-script-is-bundled",
    comment: "the host gets the console's scripts as text from console/generated/",
    from: { path: "^src/", pathNot: "^src/console/web/" },
    to: { path: "^src/console/web/" },
  },
  {
    name: "no-dev-dependency",
    comment: "what is published needs only dependencies; the types of devtools-protocol vanish",
    from: { path: "^src/" },
    to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], pathNot: packages("devtools-protocol") },
  },
  {
    name: "no-test-code",
    comment: "code that runs imports no test",
    from: { path: "^src/" },
    to: { path: testFile },
  },
].map((rule) => ({ ...rule, from: { ...rule.from, pathNot: [testFile, ...[rule.from.pathNot ?? []].flat()] } }));

const everywhere = [
  { name: "no-cycle", comment: "modules that need one another are one module", from: {}, to: { circular: true } },
  {
    name: "resolvable",
    comment: "an import of a file that is not there",
    from: {},
    to: { couldNotResolve: true, path: "^\\." },
  },
];

export const rules = [...production, ...everywhere].map((rule) => ({ severity: "error", ...rule }));

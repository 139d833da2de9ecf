/**
 * Faults of the sort that a careless change makes, planted one at a time by `run.mjs`. Each stands for a guarantee: a
 * test of `npm test` has to find it. `find` stands exactly once in `file`; whoever rewrites that place plants the same
 * fault in the new code.
 *
 * @typedef {object} Mutant
 * @property {string} id
 * @property {string} file
 * @property {string} find
 * @property {string} replace
 * @property {string} what What goes wrong with it.
 * @property {readonly string[]} foundBy Tests that find it, each by itself: `FILE > NAME`, where NAME is a part of the
 * test's whole name.
 */

/** @type {readonly Mutant[]} */
export const mutants = [
  {
    id: "gate-irreversible-repeat",
    file: "src/gate/effects/decide.ts",
    find: '  if (isSerious) return ask("effects.serious");',
    replace: "",
    what: "a page sends by itself, or repeats, what cannot be taken back",
    foundBy: ["src/gate/effects/rules.test.ts > effects.serious: by itself as it loads"],
  },
  {
    id: "gate-override-passes",
    file: "src/gate/effects/kinds.ts",
    find: "  if (override !== null || parts.files.length > 0) return false;",
    replace: "  if (parts.files.length > 0) return false;",
    what: "a request with another method inside (header or field) passes as a read",
    foundBy: ["src/gate/effects/rules.test.ts > effects.reads: another method inside"],
  },
  {
    id: "gate-second-hop",
    file: "src/gate/reach/redirect.ts",
    find: "facts.hop === 0 ||",
    replace: "facts.hop !== 1 ||",
    what: "from the second redirect on, an unsafe request is sent on to another site",
    foundBy: ["src/gate/rules.test.ts > reach.redirect: after a step within the site"],
  },
  {
    id: "gate-block-too-late",
    file: "src/gate/reach/reach.ts",
    find: 'step("reach.block", byBlock),\n  step("reach.private", byPrivate),',
    replace: 'step("reach.private", byPrivate),\n  step("reach.block", byBlock),',
    what: "a private place that is opened wins over the block list",
    foundBy: ["src/gate/rules.test.ts > reach.block: a private place that is opened"],
  },
  {
    id: "gate-fragment-kept",
    file: "src/gate/redact.ts",
    find: 'url.hash = "";',
    replace: "",
    what: "the fragment of an address, tokens and all, stands in results and in the record",
    foundBy: ["src/gate/redact.test.ts > redactUrl https://shop.test/cb#access_token=abcdef"],
  },
  {
    id: "guard-digest-without-headers",
    file: "src/gate/effects/operation.ts",
    find: "...written.map(",
    replace: "...written.slice(0, 0).map(",
    what: "a yes to a request holds for the same one with other headers of the page",
    foundBy: ["src/guard/effects.test.ts > a header of the page are asked about"],
  },
  {
    id: "guard-secret-asked",
    file: "src/guard/effect-question.ts",
    find: "typed.isSecret(value) || ",
    replace: "",
    what: "what was typed into a secret field stands in the question, if its name does not say what it is",
    foundBy: ["src/guard/effects.test.ts > what was typed into a secret field is in no question"],
  },
  {
    id: "guard-yes-kept",
    file: "src/guard/grants.ts",
    find: " && (grant.until === null || now < grant.until)",
    replace: "",
    what: "a yes that came too late is kept for ever",
    foundBy: ["src/guard/grants.test.ts > a grant holds until its time is over"],
  },
  {
    id: "guard-secret-recorded",
    file: "src/guard/entries.ts",
    find: " || hasSecretField(sink)",
    replace: "",
    what: "what was typed into a secret field stands in the record",
    foundBy: ["src/guard/guard.test.ts > is given no value that was typed into a secret field"],
  },
  {
    id: "guard-yes-opens-network",
    file: "src/guard/reach-desk.ts",
    find: ' && found.kind === "loopback" && !found.embedded',
    replace: "",
    what: "an answer opens an address of a private network, which only the operator's configuration may",
    foundBy: ["src/guard/guard.test.ts > is asked by nobody for"],
  },
  {
    id: "wire-hop-not-judged",
    file: "src/wire/interception.ts",
    find: "    await this.#handle(paused);",
    replace: "    await (paused.redirectedRequestId === undefined ? this.#handle(paused) : this.#go(paused));",
    what: "redirect hops leave without being judged",
    foundBy: ["src/wire/interception.test.ts > is judged hop by hop"],
  },
  {
    id: "wire-fetch-told-204",
    file: "src/wire/interception.ts",
    find: "const quiet =\n      isQuiet ||",
    replace: "const quiet =\n      isQuiet ||\n      isData(paused) ||",
    what: "a fetch that is refused looks to its page as if it had been answered",
    foundBy: ["src/wire/interception.test.ts > Fetch: that it failed"],
  },
  {
    id: "wire-yes-for-the-next-document",
    file: "src/wire/interception.ts",
    find: ' === "allow" && !isVoid)',
    replace: ' === "allow")',
    what: "a request that waited is sent although another document has taken the place of its own",
    foundBy: ["src/wire/interception.test.ts > does not leave for the document that took the place"],
  },
  {
    id: "wire-part-left-out",
    file: "src/wire/facts.ts",
    find: "else whole = false;",
    replace: "",
    what: "a body whose file could not be read counts as whole without it",
    foundBy: ["src/wire/facts.test.ts > with a part that is not there"],
  },
  {
    id: "wire-judge-fails-open",
    file: "src/wire/interception.ts",
    find: "return BROKEN;",
    replace: 'return { ...BROKEN, verdict: "allow" };',
    what: "a request passes when the judge throws",
    foundBy: ["src/wire/interception.test.ts > fails when its judge throws"],
  },
  {
    id: "page-invisible-words",
    file: "src/page/observer/visibility.ts",
    find: 'if (!this.#coloured(sight)) return "hidden";',
    replace: "",
    what: "words in the colour of their ground are shown to the model",
    foundBy: ["src/page/observer.test.ts > what no person sees white on white"],
  },
  {
    id: "page-other-row",
    file: "src/page/view/view.ts",
    find: " && (shown.place === ANY_PLACE || now.place === shown.place)",
    replace: "",
    what: "a ref whose element has become another row's is taken for the one that was shown",
    foundBy: ["src/page/view/identity.test.ts > the only row that became another one is refused"],
  },
  {
    id: "page-secret-forgotten",
    file: "src/page/observer/fields.ts",
    find: "if (secret) onceSecret.add(element);",
    replace: "",
    what: "a field whose page takes away what showed that it is secret (autocomplete, dots) shows its value",
    foundBy: ["src/page/observer.test.ts > also after the page took away the sign of it"],
  },
  {
    id: "page-secret-on-its-way",
    file: "src/page/pictures/secret-places.ts",
    find: "if (!scrolled && isStill(earlier, later)) {",
    replace: "if (!scrolled) {",
    what: "a secret field that moves during a screenshot is painted over only where it was",
    foundBy: ["src/page/pictures/secret-places.test.ts > the way of what moved"],
  },
  {
    id: "page-words-like-lines",
    file: "src/page/snapshot/quote.ts",
    find: "\\u2028\\u2029\\p{Cs}]",
    replace: "\\p{Cs}]",
    what: "words of a page break out of their line of the snapshot by a line separator",
    foundBy: ["src/page/snapshot/render.test.ts > quotes write out line ends of other kinds"],
  },
];

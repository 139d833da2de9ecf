// All tests: controls in plain Chromium are run and compared with their record, properties are tried more often, all
// hostile pages, the soak.
import { runVitest } from "./vitest.mjs";

runVitest(process.argv.slice(2), { CHAPERONE_FULL: "1", CHAPERONE_CONTROLS: "fresh" });

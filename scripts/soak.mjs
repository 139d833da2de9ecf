// Memory, processes and files over time: `npm run soak`, or `npm run soak -- --sessions 16 --minutes 60` for so many
// sessions held for so long.
import { parseArgs } from "node:util";
import { runVitest } from "./vitest.mjs";

const most = { sessions: 64, minutes: 1_440 };
const { values } = parseArgs({ options: { sessions: { type: "string" }, minutes: { type: "string" } } });
for (const [name, text] of Object.entries(values)) {
  if (!(/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= most[name])) {
    console.error(`soak: --${name} takes a number from 1 to ${most[name]}`);
    process.exit(2);
  }
}
const { sessions, minutes } = values;
// Who asks for sessions wants those alone.
const only = sessions === undefined && minutes === undefined ? [] : ["test/soak/held.test.ts"];
runVitest(["--project", "soak", ...only], {
  ...(sessions !== undefined && { CHAPERONE_SOAK_SESSIONS: sessions }),
  ...(minutes !== undefined && { CHAPERONE_SOAK_MINUTES: minutes }),
});

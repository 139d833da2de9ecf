import { FULL, oneOf } from "../../test/runs.ts";
import { privateStories } from "./private.ts";
import { storiesAreTold } from "./suite.ts";

/** One by a form, a method of JSON-RPC, a header and an address; the others come in the full run. */
const SAMPLE = new Set(["V-1", "V-13", "V-15", "V-18"]);

storiesAreTold(
  "stories-private",
  oneOf(2, privateStories),
  FULL ? privateStories : privateStories.filter(({ id }) => SAMPLE.has(id)),
);

import { oneOf } from "../../test/runs.ts";
import { everydayRows } from "./everyday.ts";
import { rowsAreDone } from "./suite.ts";

rowsAreDone(oneOf(3, everydayRows));

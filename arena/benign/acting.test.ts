import { oneOf } from "../../test/runs.ts";
import { actingRows } from "./acting.ts";
import { signInRows } from "./signing-in.ts";
import { rowsAreDone } from "./suite.ts";

rowsAreDone(oneOf(4, [...actingRows, ...signInRows]));

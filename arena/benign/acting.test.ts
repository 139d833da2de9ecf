import { actingRows } from "./acting.ts";
import { signInRows } from "./signing-in.ts";
import { rowsAreDone } from "./suite.ts";

rowsAreDone([...actingRows, ...signInRows]);

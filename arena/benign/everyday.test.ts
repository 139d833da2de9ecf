import { everydayRows } from "./everyday.ts";
import { rowsAreDone } from "./suite.ts";

rowsAreDone(everydayRows);

import { oneOf } from "../../test/runs.ts";
import { NOT_COUNTED } from "./not-counted.ts";
import { readingRows } from "./reading.ts";
import { rowsAreDone } from "./suite.ts";

rowsAreDone(oneOf(4, readingRows), NOT_COUNTED);

import { NOT_COUNTED } from "./not-counted.ts";
import { readingRows } from "./reading.ts";
import { rowsAreDone } from "./suite.ts";

rowsAreDone(readingRows, NOT_COUNTED);

import { findBrowser } from "../src/browser/find.ts";

const { CHAPERONE_BROWSER: named } = process.env;

/** The program that all of the arena runs, with the guard and without: the one that is named, else the one that is found. */
export const { path: program } = await findBrowser(named === undefined ? {} : { path: named });

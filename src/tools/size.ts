/** About how many tokens a result takes; faces that show or budget it use the same count as the looks. */
export { tokensAbout } from "../page/snapshot/tokens.ts";

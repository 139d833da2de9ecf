export { type Console, type ConsoleOptions, startConsole } from "./console.ts";
export { desktopOpener, type Opener } from "./desktop.ts";
export { addressOf, type LiveSession, liveSessions, liveSessionsDirectory, writeOpening } from "./registry.ts";
export type { ConsoleStatus } from "./shape.ts";

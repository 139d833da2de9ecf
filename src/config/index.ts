export { allowInFile, type Edited } from "./edit.ts";
export { ConfigError } from "./error.ts";
export type { FlagValues } from "./layers.ts";
export { configFromObject, type Loaded, type LoadOptions, loadConfig, type Managed } from "./load.ts";
export { stateDirectory } from "./places.ts";
export { type Config, type ConfigInput, type KeyPath, keysOf } from "./shape.ts";
export { parseStorageState, readStorageState, type StorageState } from "./storage-state.ts";
export type { Entry, Face } from "./table.ts";
export { packageVersion } from "./version.ts";

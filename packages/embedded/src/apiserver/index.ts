/**
 * The API server. `store/` keeps what it serves: objects as JSON text by key, with one revision for all of them, in memory and, where a
 * file is given, on disk before anybody is told.
 */
export * from "./store/index.ts";

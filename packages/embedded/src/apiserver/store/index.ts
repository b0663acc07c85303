/**
 * What the API server keeps. In reading order: `store.ts` (reads, transactions, watches), `object-table.ts` (what is now),
 * `change-log.ts` (what was, for watches and for lists that go on), `store-file.ts` (the same on disk), `database.ts` (opening it by
 * SQLite), `saved-state.ts` (copies of it) and `store-errors.ts` (what may be wrong with it).
 */
export type { Change } from "./change-log.ts";
export { syncFile, syncFolderOf } from "./database.ts";
export type { ListedPage, StoredObject } from "./object-table.ts";
export { continueFrom, saveDatabase } from "./saved-state.ts";
export { createStore, type Store, type StoreOptions, type Transaction, type WatchListener } from "./store.ts";

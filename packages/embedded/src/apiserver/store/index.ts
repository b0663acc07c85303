/**
 * What the API server keeps. In reading order: `store.ts` (reads, transactions, watches), `object-table.ts` (what is now),
 * `change-log.ts` (what was, for watches and for lists that go on), `store-file.ts` (the same on disk, by SQLite).
 */
export type { Change } from "./change-log.ts";
export type { ListedPage, StoredObject } from "./object-table.ts";
export { createStore, type Store, type StoreOptions, type Transaction, type WatchListener } from "./store.ts";

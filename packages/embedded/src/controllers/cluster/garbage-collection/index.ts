/**
 * Garbage collection. In reading order: `graph-node.ts` and `owner-graph.ts` know who owns whom, `collection.ts` decides what becomes of
 * an object, `object-access.ts` does it, `monitors.ts` follows all resources of the server, `garbage-collector.ts` puts them together.
 */
export { createGarbageCollector } from "./garbage-collector.ts";

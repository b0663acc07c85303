/**
 * Local copies of what is on the server, kept up to date by watches. In reading order: `informer.ts` (the public face),
 * `reflector.ts` (list, watch, resume, start over), `cached-object.ts` (what is kept of an object), `object-cache.ts` (keys and
 * indexes), `handler-list.ts` (who is told), `informer-factory.ts` (sharing).
 */
export type { Transform } from "./cached-object.ts";
export type { HandlerRegistration, InformerHandler } from "./handler-list.ts";
export {
  createInformer,
  type Informer,
  type InformerDeps,
  type InformerHealth,
  type InformerSelection,
} from "./informer.ts";
export { createInformerFactory, type InformerFactory, type InformerFactoryDeps } from "./informer-factory.ts";
export type { IndexFunction, ObjectReader } from "./object-cache.ts";
export { keyOf, objectKey, refOfKey } from "./object-key.ts";
export { compareResourceVersions } from "./resource-version.ts";

/**
 * CustomResourceDefinitions as code, so that a process needs no files to install them: `schema.ts` has the few shapes that schemas
 * are made of, `definition.ts` puts one around it. Imported as `@stowage/machinery/crds`.
 */
export { ageColumn, column, type DefinitionParts, definition } from "./definition.ts";
export {
  atomicList,
  boolean,
  condition,
  emptyObject,
  free,
  immutable,
  int32,
  int64,
  list,
  mapList,
  nullable,
  type ObjectOptions,
  object,
  objectReference,
  oneOf,
  quantity,
  rule,
  type Schema,
  setList,
  string,
  stringMap,
  time,
} from "./schema.ts";

/**
 * Kubernetes' binary form of built-in kinds, as far as clients send it: `kubectl` and controllers write their objects in it, and take
 * JSON back. `envelope.ts` reads what is around an object, `message-decoder.ts` the object itself, by the types of `go-type.ts`, and
 * `wire-reader.ts` the bytes. What comes out is what Go would have written as JSON.
 */
export { isProtobuf, jsonOfProtobuf, typeName } from "./envelope.ts";
export { type GoField, goStruct, resolvedType } from "./go-type.ts";

/**
 * What messages and stored objects tell of the original's own types: `volume-types.ts` is the table, `go-types.ts` reads it.
 * `wireForm` is an object as the original writes it, `goForm` the one that its messages show, `goDiff` how two of those differ.
 */
export { goDiff } from "./go-diff.ts";
export { goForm } from "./go-form.ts";
export { GoTypes } from "./go-types.ts";
export { volumeTypes } from "./volume-types.ts";
export { wireForm, wirePart } from "./wire-form.ts";

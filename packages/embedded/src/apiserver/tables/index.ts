/**
 * How answers look. `negotiation.ts` chooses by what the client accepts: the objects as they are, their metadata alone, or a table
 * (`table-form.ts`; `written-form.ts` for what a write answers); `answer-encoding.ts` writes JSON or, by `yaml/`, YAML. A table has
 * the columns (`columns.ts`) and the cells of the kind's printer (`printer.ts`): `printers/` has those of built-in kinds,
 * `custom-printer.ts` makes one of a definition by its paths (`json-path.ts`), and `plain-printer.ts` is for the rest. `ages.ts` and
 * `cell-texts.ts` have what cells are made of.
 */
export { type Encoding, encodingOf, isPrettyWish, refusalEncoding } from "./answer-encoding.ts";
export { outputFor } from "./negotiation.ts";
export { inForm } from "./written-form.ts";

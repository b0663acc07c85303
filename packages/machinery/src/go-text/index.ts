/** Texts as Go has them: in quotes, and in order. What users read and search for was printed by these rules. */
export { goQuote, namedEscapes } from "./quote.ts";
export { compareText } from "./text-order.ts";
export { goText } from "./value-text.ts";

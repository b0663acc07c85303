/**
 * What is about to be made is written down before the driver is asked for it, so that nothing is left behind when the process ends
 * in between, or the claim goes. `intent.ts`: what is written; `intent-book.ts`: what is known of each volume under way;
 * `intent-journal.ts`: how it is written, in few writes; `journal-store.ts`: where it is kept. See docs/design/008-durable-intent.md.
 */
export type { ClaimIdentity, Intent } from "./intent.ts";
export { IntentBook, type OpenIntent } from "./intent-book.ts";
export { IntentJournal } from "./intent-journal.ts";

/**
 * From a payload to the cluster. `payload-pass.ts` goes through all of it once, `manifest-apply.ts` makes one object what it should be,
 * `object-health.ts` and `cluster-operator-health.ts` say what it is still waited for, as a `trouble.ts`. `payload-memory.ts` keeps
 * passes from asking the server for what is known.
 */
export { applyDefinition } from "./definition-apply.ts";
export { createPayloadMemory, type PayloadMemory } from "./payload-memory.ts";
export { type PassDeps, type PassResult, type PayloadMode, passPayload } from "./payload-pass.ts";
export { summaryOf, type Trouble } from "./trouble.ts";

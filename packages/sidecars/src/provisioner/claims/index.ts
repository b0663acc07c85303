/**
 * Claims and what becomes of them. `claim-controller.ts` decides by `claim-standing.ts`; `volume-plan.ts` puts together what to ask of the
 * driver; `provision.ts` asks; `gone-claim.ts` finishes what was begun for a claim that is gone.
 */
export { createClaimController } from "./claim-controller.ts";

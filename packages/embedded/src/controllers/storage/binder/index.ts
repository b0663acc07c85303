/**
 * Claims and volumes, bound to each other. In reading order: `volume-match.ts` (which volume fits), `claim-step.ts` and `volume-step.ts`
 * (what each needs next), `bound-objects.ts` (what is written), `binding.ts` (the writes), `claim-sync.ts` and `volume-sync.ts`,
 * `volume-binder.ts` (the controller).
 */
export { createVolumeBinder } from "./volume-binder.ts";

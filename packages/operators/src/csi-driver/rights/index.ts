/**
 * What the operator of a driver has to be allowed, and no more. `driver-operator-rules.ts` has all of it, worked out of profile and
 * assets: `object-rules.ts` to keep its objects, `granted-rules.ts` to give rights to the driver; `hosted-operator-rules.ts` has those beside a hosted control plane; `../../rights/` puts rules together.
 */
export { type DriverOperatorRules, driverOperatorRules } from "./driver-operator-rules.ts";
export { guestOperatorRules, hostedOperatorRules } from "./hosted-operator-rules.ts";

import type { KindTable } from "../../kind-rules.ts";
import { endpointSliceRules, endpointsRules } from "./endpoint-rules.ts";
import { ingressClassRules } from "./ingress-class-rules.ts";
import { ingressRules } from "./ingress-rules.ts";
import { networkPolicyRules } from "./network-policy-rules.ts";
import { serviceRules } from "./service-rules.ts";

/**
 * Services and what leads to them: objects alone, nothing is connected by them here. `service-…` is for Services, whose addresses
 * and ports are given by an admission plugin; `ip-addresses.ts` and `port-errors.ts` are what all of them share.
 */
export { familyOf } from "./ip-addresses.ts";
export { serviceAddressErrors } from "./service-address-errors.ts";

export const networkingKinds: KindTable = {
  "/Endpoints": endpointsRules,
  "/Service": serviceRules,
  "discovery.k8s.io/EndpointSlice": endpointSliceRules,
  "networking.k8s.io/Ingress": ingressRules,
  "networking.k8s.io/IngressClass": ingressClassRules,
  "networking.k8s.io/NetworkPolicy": networkPolicyRules,
};

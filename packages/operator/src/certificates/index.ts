/**
 * Serving certificates where no service CA makes them (`service-ca.ts`). `serving-certificates.ts` is the controller;
 * `serving-request.ts` says for whom, `serving-plan.ts` what will do and what has to be made anew, `certificate-check.ts` reads
 * certificates; they are written by `@stowage/machinery/certificates`.
 */
export { createServiceCaProbe, hasServiceCa, type ServiceCaDeps, type ServiceCaProbe } from "./service-ca.ts";
export {
  type ServingCertificatesDeps,
  type ServingCertificatesSpec,
  servingCertificatesController,
} from "./serving-certificates.ts";
export { type ServingRequest, serviceDnsNames, servingCertAnnotation, servingRequestsOf } from "./serving-request.ts";

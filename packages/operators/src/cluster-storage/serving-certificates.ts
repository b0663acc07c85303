import {
  type OperatorController,
  type ServingRequest,
  servingCertificatesController,
  startingAfter,
} from "@stowage/operator";
import { storageOperatorName, storageOperatorNamespace } from "./names.ts";
import type { StorageOperatorContext } from "./storage-operator-context.ts";

/** Where it is; the certificates of all operators that this one starts come from it too. */
const authority = {
  namespace: storageOperatorNamespace,
  authoritySecret: `${storageOperatorName}-serving-signer`,
  bundleConfigMap: `${storageOperatorName}-serving-ca`,
};

/** Of the storage operator itself, with the authority: see the kit's controller for what it watches and writes. */
export function ownCertificates(context: Omit<StorageOperatorContext, "certificates">): OperatorController {
  const request = {
    namespace: storageOperatorNamespace,
    service: `${storageOperatorName}-metrics`,
    secret: `${storageOperatorName}-serving-cert`,
  };
  return servingCertificatesController(context, {
    ...authority,
    name: "StorageOperatorServingCertificates",
    requests: [request],
  });
}

/** Of a driver's operator, whose Pod does not start without. */
export function driverOperatorCertificates(
  context: StorageOperatorContext,
  { conditionPrefix, requests }: { readonly conditionPrefix: string; readonly requests: readonly ServingRequest[] },
): OperatorController {
  return servingCertificatesController(context, {
    ...authority,
    name: `${conditionPrefix}CSIDriverOperatorServingCertificates`,
    requests,
    // Two that make the authority at once would each have one.
    watches: [startingAfter([context.certificates])],
  });
}

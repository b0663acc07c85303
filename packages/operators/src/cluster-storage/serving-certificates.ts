import {
  type OperatorController,
  type ServingRequest,
  servingCertificatesController,
  startingAfter,
} from "@stowage/operator";
import { storageOperatorName } from "./names.ts";
import type { StorageOperatorContext } from "./storage-operator-context.ts";

/** The certificates of all operators that this one starts come from it too. */
const authority = {
  authoritySecret: `${storageOperatorName}-serving-signer`,
  bundleConfigMap: `${storageOperatorName}-serving-ca`,
};

/** Of the storage operator itself, with the authority: see the kit's controller for what it watches and writes. */
export function ownCertificates(context: Omit<StorageOperatorContext, "certificates">): OperatorController {
  const { client, mapper, informers, ownNamespace: namespace } = context.operators;
  const request = {
    namespace,
    service: `${storageOperatorName}-metrics`,
    secret: `${storageOperatorName}-serving-cert`,
  };
  const deps = { ...context, client, mapper, informers };
  return servingCertificatesController(deps, {
    ...authority,
    namespace,
    serviceCa: context.serviceCa,
    name: "StorageOperatorServingCertificates",
    requests: [request],
  });
}

/** Of a driver's operator, whose Pod does not start without. */
export function driverOperatorCertificates(
  context: StorageOperatorContext,
  { conditionPrefix, requests }: { readonly conditionPrefix: string; readonly requests: readonly ServingRequest[] },
): OperatorController {
  return operatorCertificates(context, { name: `${conditionPrefix}CSIDriverOperatorServingCertificates`, requests });
}

/** Of any program that this one starts. */
export function operatorCertificates(
  context: StorageOperatorContext,
  { name, requests }: { readonly name: string; readonly requests: readonly ServingRequest[] },
): OperatorController {
  const { client, mapper, informers, ownNamespace: namespace } = context.operators;
  const deps = { ...context, client, mapper, informers };
  return servingCertificatesController(deps, {
    ...authority,
    namespace,
    serviceCa: context.serviceCa,
    name,
    requests,
    // Two that make the authority at once would each have one.
    watches: [startingAfter([context.certificates])],
  });
}

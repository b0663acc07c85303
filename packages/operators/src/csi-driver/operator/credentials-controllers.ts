import { credentialsRequestController, type OperatorController } from "@stowage/operator";
import { credentialsOf } from "../assets/index.ts";
import type { DriverDeps, DriverParticulars } from "./driver-deps.ts";

/** What asks for the credentials of a driver that the payload asks for none for: one controller for each request. */
export function credentialsControllers(deps: DriverDeps, { profile, assets }: DriverParticulars): OperatorController[] {
  const hooks = profile.credentialsHooks?.(deps.env) ?? [];
  return credentialsOf(profile, assets.credentials).map(({ controller, request }) =>
    credentialsRequestController(deps, {
      name: `${profile.conditionPrefix}${controller}`,
      request,
      secretNamespace: profile.namespace,
      hooks,
    }),
  );
}

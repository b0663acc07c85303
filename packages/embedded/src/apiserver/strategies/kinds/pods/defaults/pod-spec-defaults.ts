import type { JsonObject } from "@stowage/machinery/apply";
import { textOf, withFields } from "../../../json-fields.ts";
import { roundedAmounts } from "../../amounts.ts";
import { containerDefaults } from "./container-defaults.ts";
import { changed, changedItems, resourceDefaults, withDefaults, withPointerDefaults } from "./field-defaults.ts";
import { volumeDefaults } from "./volume-defaults.ts";

/** What everything gets that has Pods in it or makes them: Pods themselves and templates. */
export function podSpecDefaults(spec: JsonObject): JsonObject {
  const own = withDefaults(withServiceAccount(spec), {
    dnsPolicy: "ClusterFirst",
    restartPolicy: "Always",
    schedulerName: "default-scheduler",
  });
  const settled = withPointerDefaults(own, { securityContext: {}, terminationGracePeriodSeconds: 30 });
  const listed = changedItems(settled, {
    volumes: volumeDefaults,
    initContainers: containerDefaults,
    containers: containerDefaults,
    ephemeralContainers: containerDefaults,
  });
  return changed(listed, { overhead: roundedAmounts, resources: resourceDefaults });
}

/** The account has had two names; both are always written, and the newer one counts. */
function withServiceAccount(spec: JsonObject): JsonObject {
  const name = textOf(spec["serviceAccountName"]) || textOf(spec["serviceAccount"]);
  const account = name === "" ? undefined : name;
  return withFields(spec, { serviceAccountName: account, serviceAccount: account });
}

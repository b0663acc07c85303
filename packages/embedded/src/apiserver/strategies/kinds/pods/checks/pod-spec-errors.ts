import { dns1123SubdomainErrors } from "@stowage/machinery";
import type { JsonObject } from "@stowage/machinery/apply";
import { duplicate, type FieldError, forbidden, invalid, notFound, required } from "@stowage/machinery/structural";
import { fieldsOf, isFields, textOf } from "../../../json-fields.ts";
import { labelErrors } from "../../label-selectors.ts";
import { shownPart } from "../pod-forms.ts";
import { mirrorAnnotation } from "./annotation-errors.ts";
import type { PodCheckOptions, PodContext } from "./check-context.ts";
import { containerErrors, ephemeralContainerErrors, initContainerErrors } from "./containers/container-errors.ts";
import { hostNetworkErrors } from "./containers/port-errors.ts";
import { resourceErrors } from "./containers/resource-errors.ts";
import { visitedContainers } from "./containers/visited-containers.ts";
import {
  choiceErrors,
  itemErrors,
  itemsOf,
  optionalErrors,
  partErrors,
  policyErrors,
  problemErrors,
  when,
} from "./field-checks.ts";
import { dnsPolicyErrors, hostAliasErrors, hostNameErrors, hostUserErrors, resolverErrors } from "./network-errors.ts";
import { affinityErrors } from "./placement/affinity-errors.ts";
import { spreadErrors } from "./placement/spread-errors.ts";
import { tolerationErrors } from "./placement/toleration-errors.ts";
import { wholeResourceErrors } from "./pod-resource-errors.ts";
import { podSecurityErrors } from "./security/security-errors.ts";
import { hostProcessErrors, linuxPodErrors, windowsPodErrors } from "./security/windows-errors.ts";
import { labelNameErrors, largestInt32, qualifiedErrors, rangeErrors, subdomainNameErrors } from "./value-checks.ts";
import { checkVolumes } from "./volumes/volume-errors.ts";

/** What is wrong with what Pods are to be like, in the order of the original. */
export function podSpecErrors(spec: JsonObject, path: string, options: PodCheckOptions = {}): FieldError[] {
  const { errors, volumes } = checkVolumes(spec["volumes"], `${path}.volumes`, options);
  const names = itemsOf(spec["resourceClaims"]).map(({ name }) => textOf(name));
  const claimNames = new Set(names.filter((name) => name !== ""));
  const context: PodContext = { spec, options, volumes, claimNames };
  return [
    ...errors,
    ...claimErrors(spec, `${path}.resourceClaims`, options),
    ...containerErrors(`${path}.containers`, context),
    ...initContainerErrors(`${path}.initContainers`, context),
    ...ephemeralContainerErrors(`${path}.ephemeralContainers`, context),
    ...wholeResourceErrors(spec, `${path}.resources`, claimNames),
    ...hostNetworkErrors(spec, path, options.metadata !== undefined),
    ...policyErrors(`${path}.restartPolicy`, spec["restartPolicy"], ["Always", "OnFailure", "Never"]),
    ...dnsPolicyErrors(spec["dnsPolicy"], `${path}.dnsPolicy`),
    ...labelErrors(fieldsOf(spec["nodeSelector"]), `${path}.nodeSelector`),
    ...podSecurityErrors(spec, `${path}.securityContext`, options),
    ...placementErrors(spec, path),
    ...hostProcessErrors(spec, path),
    ...hostUserErrors(spec, path),
    ...hostNameErrors(spec, path),
    ...nameErrors(spec, path),
    ...systemErrors(spec, path),
    ...variableFileErrors(spec, path),
  ];
}

function placementErrors(spec: JsonObject, path: string): FieldError[] {
  return [
    ...partErrors(spec["affinity"], `${path}.affinity`, affinityErrors),
    ...resolverErrors(spec, `${path}.dnsConfig`),
    ...itemErrors(spec["readinessGates"], `${path}.readinessGates`, (gate, at) =>
      qualifiedErrors(`${at}.conditionType`, gate["conditionType"]),
    ),
    ...gateErrors(spec, `${path}.schedulingGates`),
    ...spreadErrors(spec["topologySpreadConstraints"], `${path}.topologySpreadConstraints`),
  ];
}

function nameErrors(spec: JsonObject, path: string): FieldError[] {
  const named = (name: string, check: typeof labelNameErrors) =>
    textOf(spec[name]) === "" ? [] : check(`${path}.${name}`, spec[name]);
  return [
    ...named("serviceAccountName", subdomainNameErrors),
    ...named("nodeName", subdomainNameErrors),
    ...optionalErrors(spec["activeDeadlineSeconds"], (seconds) =>
      rangeErrors(`${path}.activeDeadlineSeconds`, seconds, [1, largestInt32]),
    ),
    ...named("hostname", labelNameErrors),
    ...named("subdomain", labelNameErrors),
    ...tolerationErrors(spec["tolerations"], `${path}.tolerations`),
    ...hostAliasErrors(spec["hostAliases"], `${path}.hostAliases`),
    ...named("priorityClassName", subdomainNameErrors),
    ...optionalErrors(spec["runtimeClassName"], (name) => subdomainNameErrors(`${path}.runtimeClassName`, name)),
    ...optionalErrors(spec["preemptionPolicy"], (policy) =>
      policyErrors(`${path}.preemptionPolicy`, policy, ["PreemptLowerPriority", "Never"]),
    ),
    ...partErrors(spec["overhead"], `${path}.overhead`, (overhead, at) =>
      resourceErrors({ limits: overhead }, at, { claimNames: new Set() }),
    ),
  ];
}

function systemErrors(spec: JsonObject, path: string): FieldError[] {
  return partErrors(spec["os"], `${path}.os`, ({ name }, at) => {
    const errors = textOf(name) === "" ? [required(`${at}.name`)] : choiceErrors(at, name, ["linux", "windows"]);
    if (errors.length > 0) return errors;
    return name === "linux" ? linuxPodErrors(spec, path) : windowsPodErrors(spec, path);
  });
}

function gateErrors(spec: JsonObject, path: string): FieldError[] {
  const seen = new Set<string>();
  return itemErrors(spec["schedulingGates"], path, ({ name }, at) => {
    const isRepeated = seen.has(textOf(name));
    seen.add(textOf(name));
    return [...qualifiedErrors(at, name), ...when(isRepeated, duplicate(at, name))];
  });
}

/** Pods that a kubelet made of files have no claims of the API. */
function claimErrors(spec: JsonObject, path: string, { metadata }: PodCheckOptions): FieldError[] {
  const isMirror = fieldsOf(metadata?.["annotations"])[mirrorAnnotation] !== undefined;
  const seen = new Set<string>();
  return itemErrors(spec["resourceClaims"], path, (claim, at) => {
    if (isMirror) return [forbidden("", "static pods do not support resource claims")];
    const name = textOf(claim["name"]);
    const isRepeated = seen.has(name);
    seen.add(name);
    return [
      ...(name === ""
        ? [required(`${at}.name`)]
        : isRepeated
          ? [duplicate(`${at}.name`, name)]
          : labelNameErrors(`${at}.name`, name)),
      ...claimSourceErrors(claim, at),
    ];
  });
}

const claimSources = ["resourceClaimName", "resourceClaimTemplateName"] as const;

function claimSourceErrors(claim: JsonObject, path: string): FieldError[] {
  const given = claimSources.filter((name) => claim[name] !== undefined);
  const shown = shownPart("PodResourceClaim", claim);
  const names = claimSources.map((name) => `\`${name}\``);
  return [
    ...when(given.length === 2, invalid(path, shown, `at most one of ${names.join(" or ")} may be specified`)),
    ...when(given.length === 0, invalid(path, shown, `must specify one of: ${names.join(", ")}`)),
    ...given.flatMap((name) =>
      problemErrors(`${path}.${name}`, claim[name], dns1123SubdomainErrors(textOf(claim[name]))),
    ),
  ];
}

/** Variables out of files come from volumes that only containers write to. */
function variableFileErrors(spec: JsonObject, path: string): FieldError[] {
  const volumes = new Map(itemsOf(spec["volumes"]).map((volume) => [textOf(volume["name"]), volume]));
  return visitedContainers(spec, path).flatMap(({ container, path: at }) =>
    itemErrors(container["env"], `${at}.env`, (variable, variablePath) => {
      const reference = fieldsOf(variable["valueFrom"])["fileKeyRef"];
      if (!isFields(reference)) return [];
      const name = textOf(reference["volumeName"]);
      const volume = volumes.get(name);
      const namePath = `${variablePath}.valueFrom.fileKeyRef.volumeName`;
      if (volume === undefined) return [notFound(namePath, name)];
      const isEmpty = isFields(volume["emptyDir"]);
      return when(!isEmpty, invalid(namePath, name, "referenced volume must be of type emptyDir"));
    }),
  );
}

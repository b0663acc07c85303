import * as baseline from "./baseline-checks.ts";
import * as restricted from "./restricted-checks.ts";
import type { CheckedPod, SecurityCheck, Violation } from "./security-context.ts";
import type { Level } from "./security-policy.ts";

/** In the order in which violations are told. */
const checks: Readonly<Record<Level, readonly SecurityCheck[]>> = {
  privileged: [],
  baseline: [
    baseline.appArmorProfile,
    baseline.capabilities,
    baseline.hostNamespaces,
    baseline.hostPathVolumes,
    baseline.hostPorts,
    baseline.hostProbes,
    baseline.privileged,
    baseline.procMount,
    baseline.seLinuxOptions,
    restricted.seccompProfile,
    baseline.sysctls,
    baseline.windowsHostProcess,
  ],
  restricted: [
    baseline.appArmorProfile,
    baseline.hostNamespaces,
    baseline.hostPorts,
    baseline.hostProbes,
    baseline.privileged,
    baseline.seLinuxOptions,
    baseline.sysctls,
    baseline.windowsHostProcess,
    restricted.allowPrivilegeEscalation,
    restricted.droppedCapabilities,
    baseline.strictProcMount,
    restricted.restrictedVolumes,
    restricted.runAsNonRoot,
    restricted.runAsUser,
    restricted.requiredSeccompProfile,
  ],
};

/** As the checks are now: what they were in older versions, which a namespace can ask for, is not kept. */
export function violations(level: Level, pod: CheckedPod): Violation[] {
  return checks[level].map((check) => check(pod)).filter((violation) => violation !== undefined);
}

export function violationText(found: readonly Violation[]): string {
  return found.map(({ reason, detail }) => `${reason} (${detail})`).join(", ");
}

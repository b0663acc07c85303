import type { EscalationGuard } from "../../access/index.ts";
import type { AdmissionPlugin } from "../admission-plugin.ts";

/** No plugin on the real server, where it is built into the roles' and bindings' own store; it is asked at the same moment. */
export function escalationPlugin(guard: EscalationGuard): AdmissionPlugin {
  return {
    name: "RbacEscalation",
    mutate({ resource, request, namespace, object, old }) {
      if (resource.group === "rbac.authorization.k8s.io") {
        const pathName = request.info.name ?? "";
        guard.check({ user: request.user, resource: resource.plural, namespace, pathName, object, previous: old });
      }
      return object;
    },
  };
}

import { specOf, withFields } from "../../strategies/index.ts";
import { type AdmissionPlugin, isCreateOf } from "../admission-plugin.ts";

/** Who asks for a certificate is who sends the request, whatever it says. */
export const requester: AdmissionPlugin = {
  name: "CertificateRequester",
  mutate(admission) {
    const { object, request } = admission;
    if (!isCreateOf(admission, "certificatesigningrequests", "certificates.k8s.io")) return object;
    const { name, uid, groups, extra = {} } = request.user;
    const values = Object.entries(extra).map(([key, texts]) => [key, [...texts]] as [string, string[]]);
    const spec = withFields(specOf(object), {
      username: name,
      uid,
      groups: groups.length === 0 ? undefined : [...groups],
      extra: values.length === 0 ? undefined : Object.fromEntries(values),
    });
    return { ...object, spec };
  },
};

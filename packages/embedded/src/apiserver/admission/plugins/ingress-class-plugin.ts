import { fieldsOf, metadataOf, specOf } from "../../strategies/index.ts";
import { type AdmissionPlugin, isCreateOf } from "../admission-plugin.ts";
import { clusterResources } from "../cluster-objects.ts";
import { defaultClassName } from "./default-class.ts";

const defaultAnnotation = "ingressclass.kubernetes.io/is-default-class";
const oldAnnotation = "kubernetes.io/ingress.class";

/** An Ingress that names no class gets the default one: the newest, where there are several. */
export const defaultIngressClass: AdmissionPlugin = {
  name: "DefaultIngressClass",
  mutate(admission) {
    const { object, cluster } = admission;
    if (!isCreateOf(admission, "ingresses", "networking.k8s.io")) return object;
    const hasOldClass = fieldsOf(metadataOf(object)["annotations"])[oldAnnotation] !== undefined;
    if (specOf(object)["ingressClassName"] !== undefined || hasOldClass) return object;
    const ingressClassName = defaultClassName(cluster.list(clusterResources.ingressClasses), [defaultAnnotation]);
    return ingressClassName === undefined ? object : { ...object, spec: { ...specOf(object), ingressClassName } };
  },
};

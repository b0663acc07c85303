import { create, type Fields, pod, pods, rows } from "../builders.ts";
import type { Sequence } from "../sequence.ts";

/** What a Pod says of itself: where it goes, who it is, what it may. */

const all = (what: string, table: Readonly<Record<string, Fields>>) =>
  rows(what, Object.fromEntries(Object.entries(table).map(([name, spec]) => [name, create(pods, pod("a", {}, spec))])));

export const defaults: readonly Sequence[] = [
  ...all("a Pod's defaults", {
    none: {},
    "empty texts and false": {
      nodeName: "",
      hostNetwork: false,
      hostPID: false,
      hostIPC: false,
      hostname: "",
      schedulerName: "",
      serviceAccountName: "",
      restartPolicy: "",
      dnsPolicy: "",
      nodeSelector: {},
      tolerations: [],
      shareProcessNamespace: false,
      enableServiceLinks: false,
      setHostnameAsFQDN: false,
    },
    "an account": { serviceAccount: "default" },
    "an account by both names": { serviceAccount: "other", serviceAccountName: "default" },
    "a negative time to end": { terminationGracePeriodSeconds: -5 },
    "no time to end": { terminationGracePeriodSeconds: 0 },
    "the host's network": { hostNetwork: true },
    "overhead that nobody knows of": { overhead: { cpu: "1500m" } },
    "a scheduling group": { schedulingGroup: { podGroupName: "g" } },
  }),
  ...rows("a Pod", {
    "with a name of dots": create(pods, pod("a.b")),
    "with a name that is none": create(pods, pod("A_b")),
    "with a generated name": create(pods, {
      metadata: { generateName: "gen-" },
      spec: { containers: [{ name: "a", image: "b" }] },
    }),
    "with a status": create(pods, { ...pod("a"), status: { phase: "Running", podIP: "10.0.0.1" } }),
    "without a spec": create(pods, { metadata: { name: "a" } }),
  }),
];

export const qualities: readonly Sequence[] = rows(
  "how sure a Pod is of its resources",
  Object.fromEntries(
    Object.entries({
      guaranteed: [{ limits: { cpu: "1", memory: "1Gi" } }],
      "one of two": [{ limits: { cpu: "1", memory: "1Gi" } }, {}],
      "two different ones": [{ limits: { cpu: "1", memory: "1Gi" } }, { limits: { cpu: "2", memory: "1Gi" } }],
      "less asked for": [{ limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "500m" } }],
      "cpu only": [{ limits: { cpu: "1" } }],
      zeros: [{ limits: { cpu: "0", memory: "0" } }],
      "storage only": [{ limits: { "ephemeral-storage": "1Gi" } }],
    }).map(([name, resources]) => [
      name,
      create(
        pods,
        pod(
          "a",
          {},
          { containers: resources.map((each, index) => ({ name: `c${index}`, image: "b", resources: each })) },
        ),
      ),
    ]),
  ),
);

export const simpleFields: readonly Sequence[] = all("fields of a Pod", {
  "a restart policy that is none": { restartPolicy: "Sometimes" },
  "a DNS policy that is none": { dnsPolicy: "Mine" },
  "a node's name that is none": { nodeName: "Node_1" },
  "an account's name that is none": { serviceAccountName: "Me_" },
  "a deadline": { activeDeadlineSeconds: 60 },
  "no time at all": { activeDeadlineSeconds: 0 },
  "a deadline that is too far": { activeDeadlineSeconds: 2 ** 31 },
  "a host's name that is none": { hostname: "A.b", subdomain: "C_" },
  "a class of priority that is none": { priorityClassName: "High_" },
  "a class of runtimes that is none": { runtimeClassName: "Fast_" },
  "preemption that is none": { preemptionPolicy: "Sometimes" },
  "a node's labels that are none": { nodeSelector: { "a b": "c d" } },
  "readiness gates": { readinessGates: [{ conditionType: "example.test/ready" }, { conditionType: "a b" }] },
  "scheduling gates": { schedulingGates: [{ name: "example.test/gate" }] },
  "scheduling gates that are none": { schedulingGates: [{ name: "a b" }, { name: "c" }, { name: "c" }] },
  "scheduling gates and a node": { schedulingGates: [{ name: "a" }], nodeName: "n" },
  "pull secrets": { imagePullSecrets: [{ name: "a" }, { name: "a" }, { name: "" }] },
  "a name that overrides": { hostnameOverride: "a.b" },
  "a name that overrides all": { hostnameOverride: "A_".repeat(40), setHostnameAsFQDN: true, hostNetwork: true },
  linux: { os: { name: "linux" }, securityContext: { windowsOptions: { hostProcess: false } } },
  "no system": { os: {} },
  "a system that is none": { os: { name: "beos" } },
});

export const resolvers: readonly Sequence[] = all("names and addresses", {
  "own servers": {
    dnsPolicy: "None",
    dnsConfig: { nameservers: ["10.0.0.1"], searches: ["a.b", "."], options: [{ name: "ndots", value: "2" }] },
  },
  "no servers": { dnsPolicy: "None", dnsConfig: { searches: ["a"] } },
  "no configuration": { dnsPolicy: "None" },
  "many servers": { dnsConfig: { nameservers: ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"] } },
  "servers that are none": { dnsConfig: { nameservers: ["a", "010.0.0.1", "::ffff:10.0.0.1"] } },
  "a server in another form": { dnsConfig: { nameservers: ["2001:DB8::0001"] } },
  "searches that are none": { dnsConfig: { searches: ["A b", "_a.b_c.", ""], options: [{ value: "1" }] } },
  "many searches": { dnsConfig: { searches: Array.from({ length: 33 }, (_, index) => `d${index}`) } },
  "long searches": {
    dnsConfig: {
      searches: Array.from(
        { length: 11 },
        (_, index) => `${"d".repeat(60)}.${"e".repeat(60)}.${"f".repeat(60)}.a${index}`,
      ),
    },
  },
  aliases: { hostAliases: [{ ip: "10.0.0.1", hostnames: ["a", "b.c"] }] },
  "aliases that are none": { hostAliases: [{ ip: "x", hostnames: ["A_"] }, { ip: "" }] },
  "the same alias twice": { hostAliases: [{ ip: "10.0.0.1" }, { ip: "10.0.0.1" }] },
});

const tolerating = (toleration: Fields) => ({ tolerations: [toleration] });

export const tolerations: readonly Sequence[] = all("tolerations", {
  everything: tolerating({ operator: "Exists" }),
  "a key": tolerating({ key: "a", value: "b", effect: "NoSchedule" }),
  "no key": tolerating({ value: "b" }),
  "a key that is none": tolerating({ key: "a b", operator: "Exists" }),
  "a value that is none": tolerating({ key: "a", value: "b c" }),
  "a value of what exists": tolerating({ key: "a", operator: "Exists", value: "b" }),
  "an operator that is none": tolerating({ key: "a", operator: "Is" }),
  "an operator that is not yet there": tolerating({ key: "a", operator: "Gt", value: "1" }),
  "an effect that is none": tolerating({ key: "a", effect: "Never" }),
  "a time": tolerating({ key: "a", effect: "NoExecute", tolerationSeconds: 5 }),
  "a time without its effect": tolerating({ key: "a", tolerationSeconds: 0 }),
});

const hard = "requiredDuringSchedulingIgnoredDuringExecution";
const soft = "preferredDuringSchedulingIgnoredDuringExecution";
const near = (...terms: readonly Fields[]) => ({
  affinity: { nodeAffinity: { [hard]: { nodeSelectorTerms: terms } } },
});
const ofLabel = (expression: Fields) => near({ matchExpressions: [{ key: "a", ...expression }] });
const ofField = (field: Fields) => near({ matchFields: [{ key: "metadata.name", ...field }] });
const besides = (term: Fields) => ({ affinity: { podAffinity: { [hard]: [{ topologyKey: "zone", ...term }] } } });

export const affinities: readonly Sequence[] = all("affinity", {
  "a label": ofLabel({ operator: "In", values: ["b"] }),
  "no terms": near(),
  "an empty term": near({}),
  "no values": ofLabel({ operator: "In" }),
  "values of what exists": ofLabel({ operator: "Exists", values: ["b"] }),
  "two values to be above": ofLabel({ operator: "Gt", values: ["1", "2"] }),
  "an operator that is none": ofLabel({ operator: "Is" }),
  "a key that is none": ofLabel({ key: "a b", operator: "Exists" }),
  "a value that is none": ofLabel({ operator: "In", values: ["b c"] }),
  "a node by its name": ofField({ operator: "In", values: ["n"] }),
  "two nodes by their names": ofField({ operator: "In", values: ["n", "m"] }),
  "a node by a name that is none": ofField({ operator: "In", values: ["N_"] }),
  "a node by another field": ofField({ key: "spec.x", operator: "Exists" }),
  "an old label": ofLabel({ key: "beta.kubernetes.io/os", operator: "Exists" }),
  preferences: {
    affinity: {
      nodeAffinity: {
        [soft]: [{ weight: 1, preference: { matchExpressions: [{ key: "a", operator: "In", values: ["b c"] }] } }],
      },
    },
  },
  "a weight that is none": { affinity: { nodeAffinity: { [soft]: [{ weight: 101, preference: {} }] } } },
  "other Pods": besides({ labelSelector: { matchLabels: { a: "b" } } }),
  "no other Pods": besides({}),
  "no place": besides({ topologyKey: "" }),
  "a place that is none": besides({ topologyKey: "a b", namespaces: ["N_"] }),
  "selectors that are none": besides({
    labelSelector: { matchExpressions: [{ key: "a", operator: "In" }] },
    namespaceSelector: { matchLabels: { "a b": "c d" } },
  }),
  "keys without a selector": besides({ matchLabelKeys: ["a"] }),
  "keys in both": besides({ labelSelector: {}, matchLabelKeys: ["a"], mismatchLabelKeys: ["a", "b c"] }),
  "a weight of Pods": {
    affinity: { podAntiAffinity: { [soft]: [{ weight: 0, podAffinityTerm: { topologyKey: "zone" } }] } },
  },
});

const spread = (...constraints: readonly Fields[]) => ({
  topologySpreadConstraints: constraints.map((each) => ({
    maxSkew: 1,
    topologyKey: "zone",
    whenUnsatisfiable: "DoNotSchedule",
    ...each,
  })),
});

export const spreads: readonly Sequence[] = [
  ...all("spreading", {
    "over zones": spread({ labelSelector: { matchLabels: { a: "b" } } }),
    "of nothing": spread({}),
    "without a skew and a place": spread({ maxSkew: 0, topologyKey: "" }),
    "an action that is none": spread({ whenUnsatisfiable: "Wait" }),
    "the same twice": spread({}, {}),
    "a number of domains": spread({ minDomains: 2 }),
    "a number of domains that is none": spread({ minDomains: 0, whenUnsatisfiable: "ScheduleAnyway" }),
    "policies that are none": spread({ nodeAffinityPolicy: "Maybe", nodeTaintsPolicy: "Honor" }),
    "keys without a selector": spread({ matchLabelKeys: ["a"] }),
    "an old label": spread({ topologyKey: "failure-domain.beta.kubernetes.io/zone" }),
    "a selector that is none": spread({
      labelSelector: { matchExpressions: [{ key: "a", operator: "Exists", values: ["b"] }] },
    }),
  }),
  ...rows("labels that are taken from the Pod", {
    spreading: create(
      pods,
      pod(
        "a",
        { labels: { app: "x", hash: "1" } },
        spread({ labelSelector: { matchLabels: { app: "x" } }, matchLabelKeys: ["hash", "other"] }),
      ),
    ),
    "spreading by a label that is selected": create(
      pods,
      pod(
        "a",
        { labels: { app: "x" } },
        spread({ labelSelector: { matchLabels: { app: "x" } }, matchLabelKeys: ["app"] }),
      ),
    ),
    affinity: create(
      pods,
      pod(
        "a",
        { labels: { app: "x", hash: "1" } },
        besides({ labelSelector: { matchLabels: { app: "x" } }, matchLabelKeys: ["hash"], mismatchLabelKeys: ["app"] }),
      ),
    ),
  }),
];

const securing = (securityContext: Fields, more: Fields = {}) => ({ securityContext, ...more });
const bounded = (securityContext: Fields, more: Fields = {}) => ({
  containers: [{ name: "main", image: "b", securityContext }],
  ...more,
});

export const security: readonly Sequence[] = all("security", {
  "users and groups": securing({
    runAsUser: 0,
    runAsGroup: 1,
    fsGroup: 2,
    supplementalGroups: [3],
    runAsNonRoot: false,
  }),
  "users and groups that are none": securing({ runAsUser: -1, runAsGroup: -1, fsGroup: -1, supplementalGroups: [-1] }),
  policies: securing({
    fsGroupChangePolicy: "OnRootMismatch",
    supplementalGroupsPolicy: "Strict",
    seLinuxChangePolicy: "Recursive",
  }),
  "policies that are none": securing({
    fsGroupChangePolicy: "A",
    supplementalGroupsPolicy: "B",
    seLinuxChangePolicy: "MountOption",
  }),
  sysctls: securing({
    sysctls: [
      { name: "kernel.shmmax", value: "1" },
      { name: "net/ipv4/a.b", value: "" },
    ],
  }),
  "sysctls that are none": securing({
    sysctls: [
      { name: "", value: "1" },
      { name: "A b", value: "1" },
      { name: "a", value: "1" },
      { name: "a", value: "1" },
    ],
  }),
  "sysctls of the host": securing(
    {
      sysctls: [
        { name: "net.a", value: "1" },
        { name: "kernel.sem", value: "1" },
        { name: "fs.mqueue.a", value: "1" },
      ],
    },
    { hostNetwork: true, hostIPC: true },
  ),
  "shared processes": securing({}, { shareProcessNamespace: true, hostPID: true }),
  "users of its own": securing({}, { hostUsers: false, hostNetwork: true, hostPID: true, hostIPC: true }),
  "users of its own and devices": {
    hostUsers: false,
    volumes: [{ name: "v", persistentVolumeClaim: { claimName: "c" } }],
    containers: [{ name: "main", image: "b", volumeDevices: [{ name: "v", devicePath: "/a" }] }],
  },
  "a seccomp profile": securing({ seccompProfile: { type: "Localhost", localhostProfile: "a" } }),
  "a seccomp profile of no type": securing({ seccompProfile: {} }),
  "a seccomp profile that is none": securing({ seccompProfile: { type: "Mine" } }),
  "a seccomp profile of nothing": securing({ seccompProfile: { type: "Localhost" } }),
  "a seccomp profile above": securing({ seccompProfile: { type: "Localhost", localhostProfile: "/../a" } }),
  "a seccomp profile of too much": securing({ seccompProfile: { type: "Unconfined", localhostProfile: "a" } }),
  "an AppArmor profile": securing({ appArmorProfile: { type: "Localhost", localhostProfile: "a" } }),
  "an AppArmor profile of no type": securing({ appArmorProfile: {} }),
  "an AppArmor profile that is none": securing({ appArmorProfile: { type: "Mine" } }),
  "an AppArmor profile of nothing": securing({ appArmorProfile: { type: "Localhost" } }),
  "an AppArmor profile of an empty text": securing({ appArmorProfile: { type: "Localhost", localhostProfile: "" } }),
  "an AppArmor profile with a space": securing({ appArmorProfile: { type: "Localhost", localhostProfile: " a" } }),
  "a long AppArmor profile": securing({ appArmorProfile: { type: "Localhost", localhostProfile: "a".repeat(4096) } }),
  "an AppArmor profile of too much": securing({ appArmorProfile: { type: "Unconfined", localhostProfile: "a" } }),
  "a container's": bounded({ capabilities: { add: ["NET_ADMIN"], drop: [] }, privileged: false, runAsUser: 0 }),
  "a container's users that are none": bounded({ runAsUser: -1, runAsGroup: -1 }),
  "a container's processes": bounded({ procMount: "Unmasked" }),
  "a container's processes that are none": bounded({ procMount: "Some" }),
  "a container's processes, with users of its own": bounded({ procMount: "Unmasked" }, { hostUsers: false }),
  "a privileged container that may not escalate": bounded({ privileged: true, allowPrivilegeEscalation: false }),
  "an administrator that may not escalate": bounded({
    capabilities: { add: ["CAP_SYS_ADMIN"] },
    allowPrivilegeEscalation: false,
  }),
});

const onWindows = (windowsOptions: Fields, more: Fields = {}) => bounded({ windowsOptions }, more);

export const windows: readonly Sequence[] = all("Windows", {
  "a credential that is none": onWindows({ gmsaCredentialSpecName: "A_", gmsaCredentialSpec: "" }),
  "a long credential": onWindows({ gmsaCredentialSpec: "a".repeat(64 * 1024 + 1) }),
  "a user": onWindows({ runAsUserName: "DOMAIN\\user" }),
  "no user": onWindows({ runAsUserName: "" }),
  "a user of control characters": onWindows({ runAsUserName: "a\tb" }),
  "a user of two domains": onWindows({ runAsUserName: "a\\b\\c" }),
  "a user of a domain that is none": onWindows({ runAsUserName: ".a:\\b" }),
  "a user without a name": onWindows({ runAsUserName: "a\\" }),
  "a user of a long name": onWindows({ runAsUserName: "a".repeat(105) }),
  "a user of dots": onWindows({ runAsUserName: "..." }),
  "a user of signs": onWindows({ runAsUserName: "a@b" }),
  "a process of the host": onWindows({ hostProcess: true }),
  "a process of the host in a Pod that has none": onWindows(
    { hostProcess: true },
    { securityContext: { windowsOptions: { hostProcess: false } } },
  ),
  "processes of the host": onWindows({ hostProcess: true }, { hostNetwork: true }),
  "what it cannot have": {
    os: { name: "windows" },
    hostUsers: true,
    hostPID: true,
    hostIPC: true,
    shareProcessNamespace: false,
    resources: { limits: { cpu: "1" } },
    securityContext: {
      appArmorProfile: { type: "Unconfined" },
      seLinuxOptions: { level: "s0" },
      seccompProfile: { type: "Unconfined" },
      fsGroup: 1,
      fsGroupChangePolicy: "Always",
      sysctls: [{ name: "a", value: "b" }],
      runAsUser: 1,
      runAsGroup: 1,
      supplementalGroups: [1],
      supplementalGroupsPolicy: "Merge",
      seLinuxChangePolicy: "Recursive",
    },
    containers: [
      {
        name: "main",
        image: "b",
        securityContext: {
          appArmorProfile: { type: "Unconfined" },
          seLinuxOptions: {},
          seccompProfile: { type: "Unconfined" },
          capabilities: {},
          readOnlyRootFilesystem: false,
          privileged: false,
          allowPrivilegeEscalation: true,
          procMount: "Default",
          runAsUser: 1,
          runAsGroup: 1,
        },
      },
    ],
  },
});

const annotated = (annotations: Fields, spec: Fields = {}) => create(pods, pod("a", { annotations }, spec));
const seccomp = "seccomp.security.alpha.kubernetes.io/pod";
const appArmor = "container.apparmor.security.beta.kubernetes.io/main";

export const annotations: readonly Sequence[] = rows("annotations that Kubernetes reads", {
  "a mirror without a node": annotated({ "kubernetes.io/config.mirror": "a" }),
  "a cost": annotated({ "controller.kubernetes.io/pod-deletion-cost": "-5" }),
  "a cost that is none": annotated({ "controller.kubernetes.io/pod-deletion-cost": "+5" }),
  "a cost that is too large": annotated({ "controller.kubernetes.io/pod-deletion-cost": "2147483648" }),
  "a seccomp profile": annotated({ [seccomp]: "runtime/default" }),
  "a seccomp profile that is none": annotated({ [seccomp]: "mine" }),
  "a seccomp profile above": annotated({ [seccomp]: "localhost/../a" }),
  "a seccomp profile that is another": annotated(
    { [seccomp]: "unconfined" },
    { securityContext: { seccompProfile: { type: "RuntimeDefault" } } },
  ),
  "a container's seccomp profile": annotated({ "container.seccomp.security.alpha.kubernetes.io/main": "localhost/a" }),
  "an AppArmor profile": annotated({ [appArmor]: "runtime/default" }),
  "an AppArmor profile that the Pod has": annotated(
    { [appArmor]: "unconfined" },
    { securityContext: { appArmorProfile: { type: "Unconfined" } } },
  ),
  "an AppArmor profile that is none": annotated({ [appArmor]: "mine" }),
  "an AppArmor profile of nobody": annotated({ "container.apparmor.security.beta.kubernetes.io/other": "unconfined" }),
  "an AppArmor profile that is another": annotated(
    { [appArmor]: "localhost/a" },
    { securityContext: { appArmorProfile: { type: "Localhost", localhostProfile: "b" } } },
  ),
  "old tolerations": annotated({ "scheduler.alpha.kubernetes.io/tolerations": '[{"key":"a b"}]' }),
  "old tolerations that are none": annotated({ "scheduler.alpha.kubernetes.io/tolerations": "x" }),
  "old annotations": annotated({
    "scheduler.alpha.kubernetes.io/critical-pod": "",
    "security.alpha.kubernetes.io/sysctls": "a=b",
    "pod.beta.kubernetes.io/init-containers": "[]",
  }),
});

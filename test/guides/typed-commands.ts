/** What is known of commands beside that they end with 0. Where nothing stands here, that is all that is asked. */
export interface Expectation {
  /** How the command begins. */
  readonly command: string;
  /** It runs until it is stopped, and says this when it does what it is for. */
  readonly runsOn?: RegExp;
  /** In what it prints. */
  readonly says?: RegExp;
  /** Where others than 0 are as good. */
  readonly exitCodes?: readonly number[];
  /** Typed again until it ends well: operators take a moment. */
  readonly settles?: true;
  /** Those that run on are stopped before, as the document says. */
  readonly stopsOthers?: true;
}

const runningOn: readonly Expectation[] = [
  { command: "npm start", runsOn: /Storage works\./u },
  { command: "npx stowage up --platform openstack", runsOn: /Storage works\./u },
  { command: "npx stowage status --watch", runsOn: /All is well\.|not well/u },
  { command: "npx stowage apiserver", runsOn: /kubeconfig/u },
  { command: "npx stowage driver local", runsOn: /listening at/u },
  { command: "npx stowage driver mock", runsOn: /listening at/u },
  { command: "npx stowage sidecars --csi-address", runsOn: /Connected to the CSI driver/u },
];

const expectations: readonly Expectation[] = [
  ...runningOn,
  // While an operator brings something anew, as after a change of the log level, it is not well for a moment.
  { command: "npx stowage status", says: /^ok +ClusterCSIDriver /mu, settles: true },
  { command: "npx stowage explain pvc data -n demo", says: /^PersistentVolumeClaim demo\/data is Bound/mu },
  { command: "npx stowage explain pvc data -n shop", says: /^Cause: CLASS_SECRET_MISSING$/mu },
  { command: "npx stowage explain pod web-0 -n shop", says: /^Cause: CLASS_SECRET_MISSING$/mu },
  { command: "npx stowage explain pv ", says: /^PersistentVolume pvc-\S+ is Bound/mu },
  { command: "npx stowage explain volumesnapshot", says: /^Cause: SNAPSHOT_/mu },
  { command: "npx stowage explain volumegroupsnapshot", says: /^Cause: GROUP_SNAPSHOT_/mu },
  { command: "npx stowage explain storageclass fast", says: /^StorageClass fast /mu },
  { command: "npx stowage trace pvc data -n shop -o html", says: /^$/u },
  { command: "npx stowage trace pvc data", says: /^ +after +took +who +what$/mu },
  // Of a cluster without snapshots, or of a Pod that has no log yet, something is missing.
  { command: "npx stowage must-gather", says: /gathered/u, exitCodes: [0, 3] },
  { command: "npx stowage render openstack-cinder", says: /openstack-cinder-csi-driver-controller/u },
  {
    command: "DRIVER_IMAGE=registry.example.com/driver:1 npx stowage render local",
    says: /"image": "registry\.example\.com\/driver:1"/u,
  },
  { command: "npx stowage state restore", stopsOthers: true },
  { command: "kubectl get namespaces", says: /^kube-system +Active/mu },
  { command: "kubectl explain pvc.spec", says: /storageClassName/u },
  { command: "kubectl get clusterversion version -o", says: /^/u },
  { command: "kubectl get clusterversion version", says: /^version +\S/mu },
  { command: "kubectl get clusteroperator storage", says: /^storage +\S/mu },
  { command: "kubectl kustomize mine", says: /registry\.example\.com\/stowage\/stowage:0\.1\.0/u },
  { command: "kubectl get storageclass standard-csi", says: /cinder\.csi\.openstack\.org/u },
  { command: "kubectl wait", settles: true },
  { command: "kubectl get pvc data", says: /^data +Bound +pvc-\S+ +10Gi/mu },
  { command: "npx stowage explain pvc data", says: /^PersistentVolumeClaim default\/data is Bound/mu },
  { command: "kubectl get pvc first", says: /^first +Bound +pvc-\S+ +1Gi/mu },
  { command: "npm test -- packages/kube/src/informers", says: /^\d+ passed, 0 failed/mu },
  // The developer's own lab may be up, or not.
  { command: "npm run lab -- status", exitCodes: [0, 1, 3] },
];

/** The first that fits. */
export function expectationOf(text: string): Expectation {
  return expectations.find(({ command }) => text.startsWith(command)) ?? { command: text };
}

/** What a document calls by a name that only its reader can know, and what it is here. */
export function withStandIns(text: string, standIns: Readonly<Record<string, string>>): string {
  return Object.entries(standIns).reduce((typed, [written, here]) => typed.replaceAll(written, here), text);
}

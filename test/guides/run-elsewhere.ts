/** Commands of documents that are not typed on the cluster of the test: what types them in its place, or why nothing here can. */
export interface RunElsewhere {
  readonly document: string;
  /** As the document has it; of several lines, the first. */
  readonly command: string;
  /** Files whose tests type it or the same with other names. */
  readonly tests: readonly string[];
  readonly why: string;
}

const list = (document: string, why: string, tests: readonly string[], ...commands: readonly string[]) =>
  commands.map((command): RunElsewhere => ({ document, command, tests, why }));

const install = "test/up/install.real.test.ts";
const administrators = "docs/guides/administrators.md";
const contributors = "docs/guides/contributors.md";
const vendors = "docs/guides/driver-vendors.md";

const inExistingClusters: readonly RunElsewhere[] = [
  ...list(
    administrators,
    "the archive takes a minute and half a gigabyte; the test writes the same with the functions that the command calls",
    [install],
    "npm run image -- --place registry.example.com/stowage --tag 0.1.0",
  ),
  ...list(
    administrators,
    "it brings a second version operator, from a registry that there is not: typed on a real API server",
    ["test/up/stowage-up-kubeconfig.real.test.ts"],
    "npx stowage up --kubeconfig ~/.kube/config --image registry.example.com/stowage/stowage:0.1.0 --dry-run",
    "npx stowage up --kubeconfig ~/.kube/config --image registry.example.com/stowage/stowage:0.1.0",
  ),
  ...list(
    administrators,
    "it installs from a registry that there is not: typed on a real cluster that has the images",
    [install],
    "helm install stowage deploy/helm/stowage --namespace stowage --create-namespace \\",
    "kubectl apply -k mine",
    "helm uninstall stowage --namespace stowage",
    "npx stowage uninstall",
    "npx stowage uninstall --yes",
  ),
  ...list(
    administrators,
    "it takes two clusters, of which one has the other's control plane in it",
    ["test/operators/hosted-storage-operator.apart.test.ts"],
    "kubectl --kubeconfig guest.kubeconfig apply -f packages/operators/hosted/guest.yaml",
    "sed 's/${CONTROLPLANE_NAMESPACE}/clusters-one/' packages/operators/hosted/management.yaml | kubectl apply -f -",
  ),
];

const ofContributors: readonly RunElsewhere[] = [
  ...list(contributors, "typed where README has it", ["test/up/guides.apart.test.ts"], "npm start"),
  ...list("README.md", "five minutes; every change must pass it", [".ci/run"], "npm test"),
  ...list(contributors, "a minute; every change must pass it", [".ci/run"], "npm run verify"),
  ...list(
    contributors,
    "it is the developer's own lab, which may be in use; a lab apart is started and stopped by its tests",
    ["test/node/lab.real.test.ts"],
    "npm run lab -- up",
    "npm run lab -- up --level node",
    ".lab/bin/kubectl get nodes",
    "npm run lab -- down",
  ),
  ...list(
    contributors,
    "these are the tests of which this is one, and a release runs all of them",
    [".ci/run"],
    "npm run test:release",
    "npm run test:release -- sidecars",
    "npm run test:release -- test/sidecars/sidecar-chaos.real.test.ts",
    "npm run test:affected",
  ),
];

const ofVendors: readonly RunElsewhere[] = [
  ...list(
    vendors,
    "the suite takes minutes; its tests build it and run it on both drivers",
    ["test/drivers/csi-sanity.gate.real.test.ts"],
    "npm run lab -- build csi-sanity",
    ".lab/bin/csi-sanity --csi.endpoint unix:///tmp/local/csi.sock",
  ),
  ...list(
    vendors,
    "it changes the checkout; the test makes the same copy in one of its own",
    ["test/operators/copied-driver.apart.test.ts"],
    "cp -r packages/operators/src/csi-driver/drivers/smb packages/operators/src/csi-driver/drivers/acme-files",
    "npm run generate",
    "npx stowage render acme-files",
    "npx stowage driver-operator acme-files --kubeconfig ~/.kube/config",
  ),
  ...list(
    vendors,
    "a part of what every change must pass",
    [".ci/run"],
    "npm test -- packages/operators/src/csi-driver",
  ),
  ...list(
    "docs/guides/write-a-driver.md",
    "the test starts the driver that the guide prints, and calls it",
    ["test/e2e/driver-guide.test.ts"],
    "node driver.ts",
  ),
];

const ofClouds: readonly RunElsewhere[] = [
  ...list(
    "docs/guides/destroy-volumes.md",
    "it asks AWS: typed where a server answers as AWS does",
    ["test/clouds/destroy-aws.apart.test.ts"],
    "stowage destroy volumes --cluster-id mine-x7f2k --region eu-central-1",
  ),
  ...list(
    "docs/guides/uninstall-a-driver.md",
    "the driver is of a file server; its operator is run on a real API server, with volumes in use and without",
    ["test/operators/uninstall.apart.test.ts"],
    "kubectl delete clustercsidriver smb.csi.k8s.io",
    'kubectl patch clustercsidriver smb.csi.k8s.io --type merge -p \'{"spec":{"managementState":"Removed"}}\'',
    "kubectl get clustercsidriver smb.csi.k8s.io -o jsonpath='{.status.conditions[?(@.type==\"SambaDriverRemovalProgressing\")].message}'",
  ),
];

const ofSeveralProcesses: readonly RunElsewhere[] = list(
  "docs/guides/api-server.md",
  "each is a process of its own that runs until it is stopped: typed for four of them, which are killed in turn",
  ["test/cluster/embedded-parts.real.test.ts"],
  "npx stowage identity controllers --data-dir ./cluster",
  "npx stowage controllers --kubeconfig ./cluster/controllers.kubeconfig --service-account-private-key-file ./cluster/pki/service-account.key",
  "npx stowage identity node node-1 --data-dir ./cluster",
  "npx stowage node node-1 --kubeconfig ./cluster/node-node-1.kubeconfig --root-dir ./node-1",
  "npx stowage node node-1 --root-dir ./node-1 --end-pods",
);

export const runElsewhere: readonly RunElsewhere[] = [
  ...inExistingClusters,
  ...ofContributors,
  ...ofVendors,
  ...ofClouds,
  ...ofSeveralProcesses,
];

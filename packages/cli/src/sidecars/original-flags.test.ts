import { expect, it } from "vitest";
import { commands } from "../commands/index.ts";
import { flagOf } from "../options/option-table.ts";
import { plainArguments } from "../options/parse-options.ts";

const ofEvery =
  "v vmodule version logging-format log-flush-frequency log-text-split-stream log-text-info-buffer-size log-json-split-stream " +
  "log-json-info-buffer-size automaxprocs";
const ofController =
  "kubeconfig kube-api-qps kube-api-burst leader-election leader-election-namespace leader-election-lease-duration " +
  "leader-election-renew-deadline leader-election-retry-period http-endpoint metrics-path feature-gates retry-interval-start " +
  "retry-interval-max";
const besideDriver = "csi-address metrics-address leader-election-labels timeout";

/**
 * The names of flags in the sources of the originals. Two are left out, both deprecated: `--master`, which takes the place of a
 * kubeconfig, and the liveness probe's `--metrics-address`, a second place to listen.
 */
const originals: Readonly<Record<string, string>> = {
  attacher: `${ofController} ${besideDriver} resync worker-threads reconcile-sync max-entries default-fstype max-grpc-log-length`,
  provisioner:
    `${ofController} ${besideDriver} volume-name-prefix volume-name-uuid-length worker-threads cloning-protection-threads ` +
    "snapshot-orphan-sweep-interval capacity-threads strict-topology immediate-topology extra-create-metadata enable-pprof " +
    "default-fstype kube-api-capacity-qps kube-api-capacity-burst enable-capacity capacity-for-immediate-binding " +
    "capacity-poll-interval capacity-ownerref-level node-deployment node-deployment-immediate-binding " +
    "node-deployment-base-delay node-deployment-max-delay controller-publish-readonly prevent-volume-mode-conversion",
  resizer: `${ofController} ${besideDriver} resync-period workers handle-volume-inuse-error extra-modify-metadata`,
  snapshotter:
    `${ofController} ${besideDriver} snapshot-name-prefix snapshot-name-uuid-length groupsnapshot-name-prefix ` +
    "groupsnapshot-name-uuid-length worker-threads resync-period extra-create-metadata node-deployment",
  "snapshot-controller":
    `${ofController} worker-threads resync-period retry-crd-interval-max enable-distributed-snapshotting ` +
    "prevent-volume-mode-conversion",
  registrar:
    "csi-address timeout plugin-registration-path kubelet-registration-path connection-timeout health-port http-endpoint mode " +
    "enable-pprof",
  livenessprobe: "csi-address probe-timeout health-port http-endpoint metrics-path",
};

it.each(Object.entries(originals))("the %s has every flag of its original", (name, flags) => {
  const command = commands.find((other) => other.name === `sidecar ${name}`);
  const own = Object.keys(command?.options ?? {}).map(flagOf);
  const wanted = `${ofEvery} ${flags}`.split(" ").map((flag) => `--${flag}`);
  expect(own).toEqual(expect.arrayContaining(wanted));
  // As Go's own package for flags takes them.
  const oneDash = wanted.map((flag) => `${flag.slice(1)}=x`);
  expect(plainArguments(command?.options ?? {}, oneDash)).toEqual(wanted.map((flag) => `${flag}=x`));
});

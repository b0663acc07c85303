import { createInformerFactory } from "@stowage/kube";
import { silentLogger, systemClock } from "@stowage/machinery";
import { queueMetrics } from "@stowage/operator";
import type { OperatorProgram, OperatorProgramDeps } from "@stowage/operators";
import { createDriverOperator, type DriverProfile } from "@stowage/operators/csi-driver";
import { Registry } from "prom-client";
import type { OperatorCluster } from "./operator-cluster.ts";
import { images } from "./running-operator.ts";

/** The operator of a driver that a test has made up, in this process and as the administrator. */
export function runOwnProgram(cluster: OperatorCluster, profile: DriverProfile): AsyncDisposable {
  const own = { namespace: profile.namespace, env: images };
  return runProgram(cluster, own, (deps) => createDriverOperator(deps, profile));
}

export function runProgram(
  { client, mapper }: Pick<OperatorCluster, "client" | "mapper">,
  own: Pick<OperatorProgramDeps, "namespace" | "env">,
  make: (deps: OperatorProgramDeps) => OperatorProgram,
): AsyncDisposable {
  const informers = createInformerFactory({ client });
  const stop = new AbortController();
  const { controllers } = make({
    ...own,
    client,
    mapper,
    informers,
    events: { normal() {}, warning() {} },
    clock: systemClock,
    logger: silentLogger,
    logLevel: { level: undefined, setLevel() {} },
    metrics: queueMetrics(new Registry()),
    addFigure() {},
    restart() {},
  });
  const running = [informers, ...controllers].map((part) => part.run(stop.signal));
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(running);
    },
  };
}

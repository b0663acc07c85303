import { createInformerFactory } from "@stowage/kube";
import { silentLogger, systemClock } from "@stowage/machinery";
import { queueMetrics } from "@stowage/operator";
import { createDriverOperator, type DriverProfile } from "@stowage/operators/csi-driver";
import { Registry } from "prom-client";
import type { OperatorCluster } from "./operator-cluster.ts";
import { images } from "./running-operator.ts";

/** The operator of a driver that a test has made up, in this process and as the administrator. */
export function runOwnProgram({ client, mapper }: OperatorCluster, profile: DriverProfile): AsyncDisposable {
  const informers = createInformerFactory({ client });
  const stop = new AbortController();
  const { controllers } = createDriverOperator(
    {
      client,
      mapper,
      informers,
      events: { normal() {}, warning() {} },
      clock: systemClock,
      logger: silentLogger,
      logLevel: { level: undefined, setLevel() {} },
      metrics: queueMetrics(new Registry()),
      env: images,
      namespace: profile.namespace,
      restart() {},
    },
    profile,
  );
  const running = [informers, ...controllers].map((part) => part.run(stop.signal));
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(running);
    },
  };
}

import { measure } from "./subject.ts";

await measure(async () => {
  const k8s = await import("@kubernetes/client-node");
  return {
    async start({ server, caFile, onChange }) {
      const config = new k8s.KubeConfig();
      config.loadFromClusterAndUser({ name: "bench", server, caFile, skipTLSVerify: false }, { name: "bench" });
      const api = config.makeApiClient(k8s.CoreV1Api);
      const informer = k8s.makeInformer(config, "/api/v1/persistentvolumes", () => api.listPersistentVolume());
      informer.on("update", onChange);
      await informer.start();
      return { count: () => informer.list().length, readAll: () => informer.list() };
    },
  };
});

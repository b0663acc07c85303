import { measure } from "./subject.ts";

await measure(async () => {
  const kube = await import("@stowage/kube");
  return {
    async start({ server, caFile, onChange }) {
      const { persistentVolumes } = await import("@stowage/machinery");
      const tls = { certificateAuthority: { kind: "file" as const, path: caFile } };
      const transport = kube.createTransport({
        server,
        namespace: "default",
        origin: "the benchmark",
        tls,
        credentials: {},
      });
      const factory = kube.createInformerFactory({ client: kube.createClient({ transport }) });
      const informer = factory.informer(persistentVolumes);
      // As controllers do, which put keys on a queue and read the object when its turn comes.
      informer.addHandler(process.env.BENCH_DECODE_ALL ? { onUpdate: onChange } : { onKey: onChange });
      void factory.run(new AbortController().signal);
      await informer.waitForSync();
      return { count: () => informer.objects.size, readAll: () => informer.objects.list() };
    },
  };
});

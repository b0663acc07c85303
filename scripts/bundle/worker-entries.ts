import { basename, dirname, join } from "node:path";
import type { Plugin } from "rolldown";

const WORKER = /new URL\("(\.\/[^"]+)\.ts", import\.meta\.url\)/g;

/** A thread starts from a file of its own, which the bundle must have beside the others: `new URL("./x.ts", import.meta.url)`. */
export function workerEntries(): Plugin {
  return {
    name: "worker-entries",
    transform: {
      filter: { id: /\/packages\/[^/]+\/src\/.*\.ts$/, code: "import.meta.url" },
      handler(code, id) {
        for (const [, path = ""] of code.matchAll(WORKER)) {
          const fileName = `${basename(path)}.cjs`;
          this.emitFile({ type: "chunk", id: join(dirname(id), `${path}.ts`), fileName });
        }
        // The map stays right but for columns of this one line.
        return {
          code: code.replaceAll(WORKER, (_, path: string) => `new URL("./${basename(path)}.cjs", import.meta.url)`),
          map: null,
        };
      },
    },
  };
}

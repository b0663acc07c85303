import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Plugin } from "rolldown";

export interface AssetFoldersDeps {
  readonly checkout: string;
  read(file: string): void;
  list(folder: string): void;
}

const FOLDER = /new URL\("(\.\.?\/[^"]+)\/", import\.meta\.url\)/g;

/**
 * A component that carries files says where by `new URL("./folder/", import.meta.url)`: the bundle has them in `assets/`. `read` notes
 * each of them as an input, `list` the folder.
 */
export function assetFolders({ checkout, read, list }: AssetFoldersDeps): Plugin {
  return {
    name: "asset-folders",
    transform: {
      filter: { id: /\/packages\/[^/]+\/src\/.*\.ts$/, code: "import.meta.url" },
      handler(code, id) {
        const bundled = (path: string) => {
          const folder = join(dirname(id), path);
          const name = folder.slice(checkout.length + 1).replaceAll("/", "-");
          list(folder);
          for (const file of filesOf(folder)) {
            read(file);
            this.emitFile({ type: "asset", fileName: `assets/${name}/${basename(file)}`, source: readFileSync(file) });
          }
          return name;
        };
        // The map stays right but for columns of these lines.
        return {
          code: code.replaceAll(FOLDER, (_, path: string) => `new URL("./assets/${bundled(path)}/", import.meta.url)`),
          map: null,
        };
      },
    },
  };
}

/** The files right in it: assets are not nested. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => join(folder, name));
}

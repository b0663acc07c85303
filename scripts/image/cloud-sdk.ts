import { join } from "node:path";
import type { TarEntry } from "@stowage/lab";
import { rolldown } from "rolldown";
import { checkout } from "../checkout.ts";

const name = "@aws-sdk/client-ec2";

/** What the command's own bundle leaves outside (docs/design/007-the-bundle.md): as one package where it will be looked for. */
export async function cloudSdkEntries(): Promise<TarEntry[]> {
  await using bundle = await rolldown({
    input: { index: name },
    cwd: join(checkout, "packages", "operators"),
    platform: "node",
  });
  const { output } = await bundle.generate({
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    keepNames: true,
    comments: false,
  });
  const folder = `node_modules/${name}`;
  const manifest = JSON.stringify({ name, main: "index.cjs" });
  return [
    { kind: "file", path: `${folder}/package.json`, mode: 0o644, content: Buffer.from(manifest) },
    ...output.map(
      (file): TarEntry => ({
        kind: "file",
        path: `${folder}/${file.fileName}`,
        mode: 0o644,
        content: Buffer.from(file.type === "chunk" ? file.code : file.source),
      }),
    ),
  ];
}

import { readFileSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { rolldown } from "rolldown";
import { bundleFolder, contentHash, currentFile, folderContent } from "../../bootstrap/bundle.js";
import { checkout } from "../checkout.ts";
import { asciiText } from "./ascii-text.ts";
import { assetFolders } from "./asset-folders.ts";
import { removeUnused } from "./old-bundles.ts";
import { workerEntries } from "./worker-entries.ts";

const entry = "packages/cli/src/bundled-main.ts";

/** What says where an import leads, beside the files themselves. */
const resolution = ["package-lock.json", "scripts/bundle/build-bundle.ts"];

/**
 * Bundles the command into a folder that is named by what went into it, and makes that the current one. Folders are renamed into
 * place whole, so several may build at once: they make the same. Returns the folder.
 */
export async function buildBundle(): Promise<string> {
  const inputs: Record<string, string> = {};
  const read = (file: string) => {
    const bytes = readFileSync(file);
    inputs[relative(checkout, file)] = contentHash(bytes);
    return bytes.toString("utf8");
  };
  const list = (folder: string) => {
    inputs[`${relative(checkout, folder)}/`] = contentHash(folderContent(folder));
  };
  for (const file of resolution) read(join(checkout, file));
  const unfinished = join(bundleFolder, `.unfinished-${process.pid}`);
  try {
    await writeBundle(unfinished, { read, list });
    const key = contentHash(
      JSON.stringify(
        Object.keys(inputs)
          .toSorted()
          .map((file) => [file, inputs[file]]),
      ),
    ).slice(0, 16);
    const folder = join(bundleFolder, key);
    await renameInto(unfinished, folder);
    await writeWhole(currentFile, JSON.stringify({ key, inputs }));
    await removeUnused(bundleFolder, key);
    return folder;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

interface InputNotes {
  read(file: string): string;
  list(folder: string): void;
}

async function writeBundle(folder: string, { read, list }: InputNotes): Promise<void> {
  await mkdir(folder, { recursive: true });
  await using bundle = await rolldown({
    input: { main: join(checkout, entry) },
    cwd: checkout,
    platform: "node",
    // Loaded by none but gRPC's own admin services, which are not offered: it would be a third of the bundle.
    // The SDK of AWS is hundreds of files, which every start would compare for the sake of one command.
    // The lab builds from files beside its own, which a bundle has not.
    external: ["@grpc/proto-loader", "@aws-sdk/client-ec2", "@stowage/lab"],
    // The very bytes that are bundled are hashed: a file that changes meanwhile makes the bundle stale, not wrong.
    plugins: [
      { name: "inputs", load: (id) => (id.startsWith("/") ? read(id) : undefined) },
      workerEntries(),
      assetFolders({ checkout, read, list }),
    ],
  });
  const { output } = await bundle.write({
    dir: folder,
    // As ES modules, Node's own modules bring their lazy parts along: `node:http` alone is 13 MB that way.
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "[name]-[hash].cjs",
    // Names of classes and functions are seen in logs.
    keepNames: true,
    comments: false,
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
  for (const chunk of output) {
    if (chunk.type === "chunk") await toAscii(join(folder, chunk.fileName));
  }
}

async function toAscii(file: string): Promise<void> {
  await writeFile(file, asciiText(await readFile(file, "utf8")));
}

/** Another process may have made the same folder first: then that one is as good. */
async function renameInto(unfinished: string, folder: string): Promise<void> {
  try {
    await rename(unfinished, folder);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
  }
}

async function writeWhole(file: string, text: string): Promise<void> {
  const unfinished = `${file}.${process.pid}`;
  await writeFile(unfinished, text);
  await rename(unfinished, file);
}

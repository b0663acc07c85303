// `npm run image`: writes Stowage's images as one archive, or, for the Dockerfile, their files into a folder.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkout } from "./checkout.ts";
import { imageLayers } from "./image/image-layers.ts";
import { imageLooks } from "./image/image-table.ts";
import { writeOciArchive } from "./image/oci-archive.ts";
import { writeRootFolder } from "./image/root-folder.ts";

const { version } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as { version: string };
const environment = process.env;
const options = {
  place: { type: "string", default: environment["STOWAGE_IMAGE_PLACE"] ?? "localhost" },
  tag: { type: "string", default: environment["STOWAGE_IMAGE_TAG"] ?? version },
  output: { type: "string", default: join(checkout, ".cache", "image", "stowage.tar") },
  root: { type: "string" },
  help: { type: "boolean", default: false },
} as const;

const values = given();
if (values.help) {
  console.log(usage());
  process.exit(0);
}

const layers = await imageLayers();
if (values.root === undefined) {
  const { place, tag, output: file } = values;
  const digests = await writeOciArchive({ file, place, tag, version, looks: imageLooks, layers });
  for (const [reference, digest] of Object.entries(digests)) console.log(`${reference} ${digest}`);
  console.log(`wrote ${file}`);
} else {
  writeRootFolder(values.root, layers);
  console.log(`wrote ${values.root}`);
}

function given() {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage()}`);
    process.exit(2);
  }
}

function usage(): string {
  return [
    "npm run image -- [--place REGISTRY/PATH] [--tag TAG] [--output FILE]   all images as one OCI archive",
    "npm run image -- --root FOLDER                                         their files, for the Dockerfile",
    `  place  ${options.place.default} (STOWAGE_IMAGE_PLACE)`,
    `  tag    ${options.tag.default} (STOWAGE_IMAGE_TAG)`,
    `  output ${options.output.default}`,
  ].join("\n");
}

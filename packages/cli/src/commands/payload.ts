import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { versionText } from "../version-text.ts";

export const payloadCommand = defineCommand({
  name: "payload",
  summary: "write the payload of this version into a folder",
  details:
    "For the version operator, which applies it. The images of ours that it names are taken from where the given one is: " +
    "`registry.example.com/team/stowage:0.1.0` has `registry.example.com/team/kube-rbac-proxy:0.1.0` beside it.",
  positional: [{ name: "FOLDER", help: "where it goes, in place of what is there" }],
  options: {
    image: {
      type: "string",
      placeholder: "IMAGE",
      env: "STOWAGE_PAYLOAD_IMAGE",
      help: "the image of Stowage; the names in the payload stay as they are when left out",
    },
    setImage: {
      type: "list",
      placeholder: "VARIABLE=IMAGE,…",
      env: "STOWAGE_PAYLOAD_SET_IMAGE",
      help: "other images, by the storage operator's variables; an empty one is an image that there is not",
    },
    platform: {
      type: "choice",
      choices: ["detected", "local"],
      default: "detected",
      env: "STOWAGE_PAYLOAD_PLATFORM",
      help: "what the cluster runs on: as it says itself, or nodes whose own disks are to have the volumes",
    },
  },
  async run({ terminal }, options, [folder = ""]) {
    const [{ writeShippedPayload }, { payloadWishes }] = await Promise.all([
      import("@stowage/operators/version"),
      import("../payload/payload-wishes.ts"),
    ]);
    writeShippedPayload(folder, payloadWishes(options));
    terminal.err(`wrote the payload of ${versionText()} into ${folder}\n`);
    return exitCodes.success;
  },
});

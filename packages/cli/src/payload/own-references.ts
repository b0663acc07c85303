import { StowageError } from "@stowage/machinery";
import { ownImages } from "../up/own-image.ts";

/** What the payload calls our own program, and the originals that images of ours stand in for. */
const ownName = "stowage:latest";
const originalName = (name: string) => `quay.io/openshift/origin-${name}:latest`;

/**
 * Which image is to be taken for each that the payload names and that is ours: that of the program, and beside it, under their own
 * names and with the same tag, those that start it with other words.
 */
export function ownReferences(image: string): Record<string, string> {
  const { place, tag } = partsOf(image);
  const others = Object.keys(ownImages)
    .filter((name) => name !== "stowage")
    .map((name) => [originalName(name), `${place}${name}${tag}`]);
  return { [ownName]: image, ...Object.fromEntries(others) };
}

/** All sidecars in one are started by their Pod with the words of our program, but have to be root, as other sidecars are. */
export function ownVariables(image: string): Record<string, string> {
  const { place, tag } = partsOf(image);
  return { SIDECARS_IMAGE: `${place}csi-sidecars${tag}` };
}

/** `registry:5000/team/stowage:1.2.3` is at `registry:5000/team/`. */
function partsOf(image: string): { place: string; tag: string } {
  const { place = "", tag } = /^(?<place>.*\/)?[^/:@]+(?<tag>:[^/:@]+)$/u.exec(image)?.groups ?? {};
  if (tag === undefined) throw new StowageError("IMAGE_WITHOUT_TAG", `the image ${JSON.stringify(image)} has no tag`);
  return { place, tag };
}

const digest = /@[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/u;
const tagged = /:([\w][\w.-]{0,127})$/u;

/** An image that names neither a tag nor a digest may be another one tomorrow. */
export function defaultPullPolicy(image: string): "Always" | "IfNotPresent" {
  return tagOf(image) === "latest" ? "Always" : "IfNotPresent";
}

function tagOf(image: string): string {
  const name = image.replace(digest, "");
  const tag = tagged.exec(name)?.[1];
  if (tag !== undefined) return tag;
  return name === image && isReference(image) ? "latest" : "";
}

const component = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const host = "(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::[0-9]+)?";
const reference = new RegExp(`^(?:${host}/)?${component}(?:/${component})*$`, "u");

/** Whatever cannot be read as an image has no tag either. */
function isReference(image: string): boolean {
  return reference.test(image);
}

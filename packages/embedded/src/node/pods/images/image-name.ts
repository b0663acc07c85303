const domainPart = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const domain = new RegExp(`^(?:${domainPart}(?:\\.${domainPart})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?$`);
const pathPart = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const tag = "[\\w][\\w.-]{0,127}";
const digest = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}";
const remainderForm = new RegExp(`^${pathPart}(?:/${pathPart})*(?::${tag})?(?:@${digest})?$`);

/** Why a text names no image, in the words of those who would pull it; undefined when it names one. */
export function imageNameError(image: string): string | undefined {
  const why = refusal(image);
  return why === undefined ? undefined : `couldn't parse image name ${JSON.stringify(image)}: ${why}`;
}

function refusal(image: string): string | undefined {
  if (/^[a-f0-9]{64}$/.test(image)) {
    return `invalid repository name (${image}), cannot specify 64-byte hexadecimal strings`;
  }
  const { place, remainder } = splitName(image);
  const [repository = ""] = remainder.split(":", 1);
  if (repository.toLowerCase() !== repository) {
    return `invalid reference format: repository name (${repository}) must be lowercase`;
  }
  return domain.test(place) && remainderForm.test(remainder) ? undefined : "invalid reference format";
}

const usualPlace = "docker.io";

/** Where the image is from, and the rest of its name; what begins with no place is from the usual one. */
function splitName(image: string): { readonly place: string; readonly remainder: string } {
  const slash = image.indexOf("/");
  const first = slash < 0 ? "" : image.slice(0, slash);
  const isPlace = first === "localhost" || /[.:]/.test(first) || first.toLowerCase() !== first;
  const place = isPlace ? first : usualPlace;
  const rest = isPlace ? image.slice(slash + 1) : image;
  return { place, remainder: place === usualPlace && !rest.includes("/") ? `library/${rest}` : rest };
}

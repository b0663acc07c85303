import { expect, it } from "vitest";
import { imageEnvironment, imageLabels, imageLooks, imageParts } from "../image/image-table.ts";
import { generateDockerfile } from "./dockerfile.ts";

const text = generateDockerfile().get("Dockerfile") ?? "";
const stages = text.split(/^FROM /mu).slice(1);

it("the Dockerfile has the files put together by the builder of the archive, on a machine that has the tools", () => {
  const [build = "", files = ""] = stages;
  expect(build).toContain("RUN npm run image -- --root /image\n");
  for (const name of imageParts.packages) expect(build).toMatch(new RegExp(`[ ]${name}[ ]`, "u"));
  expect(files).toMatch(/^scratch AS files\nCOPY --from=build \/image\/ \/\n/u);
  for (const [name, value] of Object.entries(imageEnvironment)) expect(files).toContain(`${name}="${value}"`);
});

it.each(imageLooks)("the Dockerfile's $name starts the same as the archive's, as the same user", (look) => {
  const own = stages.find((stage) => stage.startsWith(`files AS ${look.name}\n`)) ?? "";
  const entrypoint = /^ENTRYPOINT (?<words>.*)$/mu.exec(own)?.groups?.["words"] ?? "[]";
  expect(JSON.parse(entrypoint)).toEqual(look.entrypoint);
  expect(own).toContain(`\nUSER ${look.user}\n`);
  for (const label of Object.keys(imageLabels(look.name, "1"))) expect(own).toContain(`${label}="`);
});

it("the image of Stowage itself is what is built when nobody names a target", () => {
  expect(stages.at(-1)).toMatch(/^files AS stowage\n/u);
});

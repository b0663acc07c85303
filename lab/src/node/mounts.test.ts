import { expect, it } from "vitest";
import { parseMountPoints } from "./mounts.ts";

it("mount points are read in their order, with their spaces", () => {
  const mountinfo = `27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
42 27 254:0 /lab/kubelet /lab/kubelet rw,relatime shared:1 - ext4 /dev/vda rw
43 42 0:39 / /lab/kubelet/a\\040b rw - tmpfs tmpfs rw
`;
  expect(parseMountPoints(mountinfo)).toEqual(["/", "/lab/kubelet", "/lab/kubelet/a b"]);
});

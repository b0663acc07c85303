import { imageUser, NOBODY, ownImages } from "../../packages/cli/src/up/own-image.ts";

/** What every image of ours is made of and says of itself. The archive and the Dockerfile are both made from this. */
export const imageParts = {
  /** Programs that the local driver calls, what `which` needs, and what Pods of drivers have their sidecars do at the end (`rm`). */
  tools: [
    ..."dash which cp rm stat sync".split(" "),
    ..."mount umount findmnt losetup blkid blockdev fsfreeze".split(" "),
    ..."mkfs.ext4 e2fsck resize2fs dumpe2fs mkfs.xfs xfs_growfs mkfs.btrfs btrfs btrfstune".split(" "),
  ],
  /** Debian's packages that have them. */
  packages: ["btrfs-progs", "coreutils", "dash", "debianutils", "e2fsprogs", "mount", "util-linux", "xfsprogs"],
  /** Of the machine, beside programs and their libraries. */
  files: ["/etc/mke2fs.conf"],
  programFolder: "opt/stowage",
  nodePath: "usr/local/bin/node",
  commandPath: "usr/local/bin/stowage",
} as const;

export interface ImageLook {
  /** The last part of its name. */
  readonly name: string;
  readonly entrypoint: readonly string[];
  readonly user: number;
}

/** One image for each original that ours stands in for: the same files, started with other words. */
export const imageLooks: readonly ImageLook[] = Object.entries(ownImages).map(([name, words]) => ({
  name,
  entrypoint: ["stowage", ...words],
  user: imageUser(words),
}));

/** What bootstrap/hand-over.js tells the allocator; the flag for Node is in the first line of the command. */
export const imageEnvironment: Readonly<Record<string, string>> = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  HOME: "/",
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "32768",
  MALLOC_TRIM_THRESHOLD_: "131072",
};

export function imageLabels(name: string, version: string): Record<string, string> {
  return {
    "org.opencontainers.image.title": name,
    "org.opencontainers.image.description": "Storage for Kubernetes and OpenShift: Stowage",
    "org.opencontainers.image.licenses": "Apache-2.0",
    "org.opencontainers.image.version": version,
  };
}

/** `${place}/${name}:${tag}`, or without a place. */
export function imageReference(place: string, name: string, tag: string): string {
  return `${place === "" ? "" : `${place}/`}${name}:${tag}`;
}

/** A program that the kernel can start: no shell is between. */
export const commandText = `#!/${imageParts.nodePath} --expose-gc\nrequire("/${imageParts.programFolder}/main.cjs");\n`;

export const accountFiles: Readonly<Record<string, string>> = {
  "etc/passwd": `root:x:0:0::/:/bin/sh\nstowage:x:${NOBODY}:${NOBODY}::/:/bin/sh\n`,
  "etc/group": `root:x:0:\nstowage:x:${NOBODY}:\n`,
  // Where it is missing, the C library may ask DNS before it looks into /etc/hosts.
  "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
};

import { join } from "node:path";
import { writeFileAtomically } from "../files.ts";

/** Where a cloud is, and how to get in. */
export interface CloudPlace {
  /** Of its state. */
  readonly dir: string;
  /** Debian's files. */
  readonly root: string;
  readonly keystonePort: number;
  readonly manilaPort: number;
  readonly cinderPort: number;
  /** Of the user and project `admin`. */
  readonly password: string;
}

type Settings = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

export function keystoneFile({ dir }: Pick<CloudPlace, "dir">): string {
  return join(dir, "keystone.conf");
}

export function manilaFile({ dir }: Pick<CloudPlace, "dir">): string {
  return join(dir, "manila.conf");
}

export function cinderFile({ dir }: Pick<CloudPlace, "dir">): string {
  return join(dir, "cinder.conf");
}

/** SQLite for all, and no message queue outside of a process. */
export function writeCloudFiles(place: CloudPlace): void {
  writeSettings(keystoneFile(place), keystoneSettings(place));
  writeSettings(manilaFile(place), manilaSettings(place));
  writeSettings(cinderFile(place), cinderSettings(place));
}

function keystoneSettings({ dir }: CloudPlace): Settings {
  return {
    // Tests log in often, and there is nothing to be protected.
    identity: { password_hash_rounds: 4 },
    database: { connection: `sqlite:///${join(dir, "keystone.db")}` },
    fernet_tokens: { key_repository: join(dir, "fernet-keys") },
    credential: { key_repository: join(dir, "credential-keys") },
  };
}

/** Nobody makes shares here, and the API answers by itself what it has. */
function manilaSettings(place: CloudPlace): Settings {
  const { dir, root, manilaPort } = place;
  return {
    DEFAULT: {
      state_path: dir,
      api_paste_config: join(root, "usr/share/manila-common/api-paste.ini"),
      auth_strategy: "keystone",
      osapi_share_listen: "127.0.0.1",
      osapi_share_listen_port: manilaPort,
      osapi_share_workers: 1,
      transport_url: "fake:/",
    },
    database: { connection: `sqlite:///${join(dir, "manila.db")}` },
    oslo_concurrency: { lock_path: join(dir, "locks") },
    keystone_authtoken: tokenSettings(place),
  };
}

/** Its volumes are entries in its database: the driver that Cinder tests itself with stores nothing. */
function cinderSettings(place: CloudPlace): Settings {
  const { dir, root, cinderPort } = place;
  return {
    DEFAULT: {
      state_path: dir,
      api_paste_config: join(root, "usr/share/cinder-common/api-paste.ini"),
      auth_strategy: "keystone",
      osapi_volume_listen: "127.0.0.1",
      osapi_volume_listen_port: cinderPort,
      osapi_volume_workers: 1,
      // So few that tests see pages.
      osapi_max_limit: 10,
      quota_volumes: -1,
      quota_snapshots: -1,
      quota_gigabytes: -1,
      host: "lab",
      // The scheduler waits for it before it begins.
      periodic_interval: 1,
      periodic_fuzzy_delay: 0,
      // A busy machine makes it late with telling that it is there, and no volume would find a place.
      service_down_time: 86_400,
      enabled_backends: "nothing",
      transport_url: "fake:/",
    },
    nothing: {
      volume_driver: "cinder.tests.fake_driver.FakeLoggingVolumeDriver",
      volume_backend_name: "nothing",
    },
    database: { connection: `sqlite:///${join(dir, "cinder.db")}` },
    coordination: { backend_url: `file://${dir}` },
    oslo_concurrency: { lock_path: join(dir, "locks") },
    keystone_authtoken: tokenSettings(place),
  };
}

function tokenSettings(place: CloudPlace): Settings[string] {
  return {
    auth_type: "password",
    auth_url: keystoneUrl(place),
    www_authenticate_uri: keystoneUrl(place),
    interface: "public",
    username: "admin",
    password: place.password,
    project_name: "admin",
    user_domain_id: "default",
    project_domain_id: "default",
  };
}

export function keystoneUrl({ keystonePort }: Pick<CloudPlace, "keystonePort">): string {
  return `http://127.0.0.1:${keystonePort}/v3`;
}

export function manilaUrl({ manilaPort }: Pick<CloudPlace, "manilaPort">): string {
  return `http://127.0.0.1:${manilaPort}/v2`;
}

export function cinderUrl({ cinderPort }: Pick<CloudPlace, "cinderPort">): string {
  return `http://127.0.0.1:${cinderPort}/v3`;
}

/** Only the owner may read them. */
function writeSettings(path: string, settings: Settings): void {
  const sections = Object.entries(settings).map(([name, values]) => {
    const lines = Object.entries(values).map(([key, value]) => `${key} = ${value}\n`);
    return `[${name}]\n${lines.join("")}`;
  });
  writeFileAtomically(path, sections.join("\n"));
}

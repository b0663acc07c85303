import { join } from "node:path";
import { runCommand } from "../process/command.ts";
import type { DaemonCommand } from "../process/daemon.ts";
import {
  type CloudPlace,
  cinderFile,
  cinderUrl,
  keystoneFile,
  keystoneUrl,
  manilaFile,
  manilaUrl,
} from "./cloud-files.ts";

const PYTHON = "/usr/bin/python3";

/** Python finds the unpacked modules first, and after them what the machine has. */
function environmentOf({ root }: Pick<CloudPlace, "root">): Record<string, string> {
  return {
    PYTHONPATH: join(root, "usr/lib/python3/dist-packages"),
    LD_LIBRARY_PATH: join(root, `usr/lib/${process.arch === "arm64" ? "aarch64" : "x86_64"}-linux-gnu`),
    // Debian compiles when it installs. The first start does it here, once for all.
    PYTHONPYCACHEPREFIX: join(root, "pycache"),
  };
}

/** As `keystone-manage` and `manila-api` of Debian do it. */
function program(module: string, words: readonly string[]): string[] {
  return ["-c", `import sys; from ${module} import main; sys.exit(main())`, ...words];
}

/** Tables, keys, and the first user. */
async function prepareKeystone(place: CloudPlace): Promise<void> {
  const manage = (words: readonly string[], environment: Record<string, string> = {}) =>
    runCommand(PYTHON, program("keystone.cmd.manage", ["--config-file", keystoneFile(place), ...words]), {
      environment: { ...environmentOf(place), ...environment },
    });
  const user = String(process.getuid?.() ?? 0);
  const group = String(process.getgid?.() ?? 0);
  const makeKeys = (name: string) => manage([name, "--keystone-user", user, "--keystone-group", group]);
  await Promise.all([manage(["db_sync"]), makeKeys("fernet_setup"), makeKeys("credential_setup")]);
  // The password goes by the environment: arguments are for everybody to see.
  await manage(["bootstrap", "--bootstrap-region-id", "RegionOne", "--bootstrap-public-url", keystoneUrl(place)], {
    OS_BOOTSTRAP_PASSWORD: place.password,
  });
}

/** Manila's migrations change columns as SQLite cannot, so the tables are made from its models. */
const MANILA_TABLES = `
import sys
from oslo_config import cfg
from manila.common import config
from manila.db.sqlalchemy import api, models
cfg.CONF(["--config-file", sys.argv[1]], project="manila")
models.BASE.metadata.create_all(api.get_engine())
`;

async function prepareManila(place: CloudPlace): Promise<void> {
  await runCommand(PYTHON, ["-c", MANILA_TABLES, manilaFile(place)], { environment: environmentOf(place) });
}

const KEYSTONE_SERVER = `
import sys
from wsgiref.simple_server import make_server
from keystone.server.wsgi import initialize_public_application
port = int(sys.argv.pop(1))
make_server("127.0.0.1", port, initialize_public_application()).serve_forever()
`;

async function prepareCinder(place: CloudPlace): Promise<void> {
  const words = ["--config-file", cinderFile(place), "db", "sync"];
  await runCommand(PYTHON, program("cinder.cmd.manage", words), { environment: environmentOf(place) });
}

/** Its API, scheduler and volume service in one process, where they hear of each other without a message queue. */
const CINDER_SERVER = `
import eventlet
eventlet.monkey_patch()
# As Cinder's own programs do it, or threads from before the patch are not known afterwards.
import __original_module_threading as unpatched
import threading
unpatched.current_thread.__globals__["_active"] = threading._active
import sys
from cinder import coordination, objects, rpc, service
from cinder.common import config
from oslo_config import cfg
from oslo_log import log
from oslo_service.service import ServiceLauncher
objects.register_all()
cfg.CONF(sys.argv[1:], project="cinder")
config.set_middleware_defaults()
log.setup(cfg.CONF, "cinder")
coordination.COORDINATOR.start()
rpc.init(cfg.CONF)
launcher = ServiceLauncher(cfg.CONF)
launcher.launch_service(service.Service.create(host="lab@nothing", service_name="nothing", binary="cinder-volume"))
launcher.launch_service(service.Service.create(binary="cinder-scheduler"))
launcher.launch_service(service.WSGIService("osapi_volume"))
launcher.wait()
`;

/** What is needed to run one of them. */
interface CloudProgram {
  /** Of its process. */
  readonly name: string;
  urlOf(place: CloudPlace): string;
  prepare(place: CloudPlace): Promise<void>;
  argumentsOf(place: CloudPlace): readonly string[];
}

export const cloudPrograms = {
  keystone: {
    name: "keystone",
    urlOf: keystoneUrl,
    prepare: prepareKeystone,
    argumentsOf: (place) => ["-c", KEYSTONE_SERVER, String(place.keystonePort), "--config-file", keystoneFile(place)],
  },
  manila: {
    name: "manila-api",
    urlOf: manilaUrl,
    prepare: prepareManila,
    argumentsOf: (place) => program("manila.cmd.api", ["--config-file", manilaFile(place)]),
  },
  cinder: {
    name: "cinder",
    urlOf: cinderUrl,
    prepare: prepareCinder,
    argumentsOf: (place) => ["-c", CINDER_SERVER, "--config-file", cinderFile(place)],
  },
} as const satisfies Readonly<Record<string, CloudProgram>>;

export function commandOf({ name, argumentsOf }: CloudProgram, place: CloudPlace): DaemonCommand {
  return { name, file: PYTHON, arguments: argumentsOf(place), version: "debian", environment: environmentOf(place) };
}

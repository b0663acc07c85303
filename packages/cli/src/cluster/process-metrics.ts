import { getHeapStatistics } from "node:v8";
import { Gauge, type Registry } from "prom-client";

/** What the process needs, by the names that are usual for Node programs. Read when it is asked for. */
export function addProcessMetrics(registry: Registry): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  const heap = getHeapStatistics;
  gauge("nodejs_heap_size_used_bytes", "Heap in use, of the main thread", () => heap().used_heap_size);
  gauge("nodejs_heap_size_total_bytes", "Heap that is reserved, of the main thread", () => heap().total_heap_size);
  gauge("process_resident_memory_bytes", "Memory that the process has", () => process.memoryUsage.rss());
}

import { cpus, loadavg, totalmem } from 'node:os'

/** What a figure was measured on, as every bench prints first: moment, processors, memory, Node, load, and what else it wants said. */
export function machineLine(...more: readonly string[]): string {
  return [
    `${new Date().toISOString()}  ${cpus().length} cores ${cpus()[0]?.model.trim()}`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `Node ${process.version}`,
    `load ${loadavg()[0]!.toFixed(1)}`,
    ...more,
  ].join(', ')
}

import { readFileSync } from 'node:fs'
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

/** Seconds of processor time that all threads of a process took since it began (Linux, ticks of 10 ms): other work on the machine hardly changes them. */
export function computedSeconds(pid: number): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13)
  return (Number(user) + Number(system)) / 100
}

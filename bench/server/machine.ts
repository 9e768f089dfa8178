import { readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'

/**
 * Describes the measurement environment, which every bench prints first: time, processors, memory, Node, load, and any
 * `more` facts.
 */
export function describeMachine(...more: readonly string[]): string {
  return [
    `${new Date().toISOString()}  ${cpus().length} cores ${cpus()[0]?.model.trim()}`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `Node ${process.version}`,
    `load ${loadavg()[0]!.toFixed(1)}`,
    ...more,
  ].join(', ')
}

/**
 * Returns the CPU seconds used by all threads of a process since it started (Linux, ticks of 10 ms). Other load on the
 * machine hardly affects them.
 */
export function getCpuSeconds(pid: number): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13)
  return (Number(user) + Number(system)) / 100
}

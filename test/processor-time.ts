/**
 * Returns the CPU milliseconds that this thread spends in `run`. Unlike wall-clock time, other work on the machine does
 * not count.
 */
export function processorMs(run: () => void): number {
  const before = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

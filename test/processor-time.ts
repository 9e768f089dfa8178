/**
 * Returns the CPU milliseconds that this thread spends in `run`. Unlike elapsed time, it is not affected by other work
 * on the machine.
 */
export function measureCpuMs(run: () => void): number {
  const before = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

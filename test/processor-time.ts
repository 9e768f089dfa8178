/** Milliseconds of the processor that this thread needs for `run`: other work on the machine does not count, as it would by the clock. */
export function processorMs(run: () => void): number {
  const before = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

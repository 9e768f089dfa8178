import type { JobLog } from '#server/platform/queue/job.ts'

/** Log of a child process, whose test shows the error output when the process fails. */
export const stderrLog: JobLog = { info: () => undefined, warn: console.error, error: console.error }

/** Returns the arguments of this process by name. Throws if one is missing. */
export function readArguments<const Name extends string>(...names: readonly Name[]): Readonly<Record<Name, string>> {
  const values = process.argv.slice(2)
  if (values.length < names.length) throw new Error(`expected the arguments ${names.join(', ')}`)
  return Object.fromEntries(names.map((name, index) => [name, values[index]])) as Record<Name, string>
}

/** Prints a line and waits forever, so that the test can kill the process. */
export async function printAndHang(line: 'under way' | 'over'): Promise<never> {
  console.log(line)
  return await new Promise<never>(() => setInterval(() => undefined, 1_000))
}

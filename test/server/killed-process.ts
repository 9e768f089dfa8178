import { spawn } from 'node:child_process'

/**
 * Runs a module in a child process and kills it without warning as soon as it prints a matching line. `env` is added to
 * the test environment. Rejects with the module's error output when it ends earlier.
 */
export async function killOnOutput(
  file: string,
  values: readonly string[],
  line: RegExp,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(process.execPath, [file, ...values], { env: { ...process.env, ...env } })
  let complaint = ''
  let isKilled = false
  child.stderr.on('data', (piece) => {
    complaint += String(piece)
  })
  child.stdout.on('data', (piece) => {
    if (!line.test(String(piece))) return
    isKilled = true
    child.kill('SIGKILL')
  })
  const signal = await new Promise((resolve) => child.once('exit', (_code, name) => resolve(name)))
  if (!isKilled || signal !== 'SIGKILL') throw new Error(`the process ended before it could be killed: ${complaint}`)
}

export class CommandUsageError extends Error {
  override readonly name = 'CommandUsageError'
}

/** Output of a command: `log` prints a line, `redraw` a line that the next one overwrites (TTY only). */
export type CommandLineOutput = {
  readonly isTty: boolean
  log(line: string): void
  redraw(line: string): void
}

export function createCommandLineOutput(out: NodeJS.WriteStream = process.stdout): CommandLineOutput {
  const isTty = out.isTTY === true
  let hasRedrawnLine = false
  return {
    isTty,
    log(line) {
      out.write(`${hasRedrawnLine ? '\r\u001B[K' : ''}${line}\n`)
      hasRedrawnLine = false
    },
    redraw(line) {
      if (!isTty) return
      out.write(`\r\u001B[K${line.slice(0, Math.max(20, out.columns - 1))}`)
      hasRedrawnLine = true
    },
  }
}

import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** One line from standard input; on a terminal the question is shown and what is typed is not. */
export async function readSecret(question: string): Promise<string> {
  const isTty = process.stdin.isTTY === true
  if (isTty) process.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTty })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    if (isTty) process.stderr.write('\n')
  }
}

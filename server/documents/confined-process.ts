import { spawn } from 'node:child_process'
import type { FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { UnreadableReason } from '#contract/documents/document.ts'
import { watchProcess } from './watched-process.ts'

/**
 * CPU time: base allowance for opening plus a share per page, 60 s at most in total. An idle machine needs a thirtieth
 * of it.
 */
const BASE_SECONDS = 10
const SECONDS_A_PAGE = 0.1
/** Pages without content of their own share it, so a small file with many pages must not earn more time. */
const BYTES_A_SECOND = 20_000
/** JavaScript heap, and total memory: buffers are outside the heap, and a 292 kB bomb inflates to 450 MB of them. */
const HEAP_MB = 256
const MOST_MEMORY_BYTES = 512 * 2 ** 20
/** 500 pages of dense text are 5 MB. */
const MOST_ANSWER_BYTES = 16 * 2 ** 20

const root = path.join(import.meta.dirname, '../..')
/** Everything the process may read. Its input file arrives as an open descriptor. */
const READABLE = ['package.json', 'contract', 'server', 'node_modules']

export interface ConfinedAnswer {
  readonly answer?: string
  readonly reason?: UnreadableReason
}

export interface ConfinedRun {
  readonly signal?: AbortSignal | undefined
  /** Folder in which it runs and may write; without it, no write access at all. */
  readonly writes?: string
  readonly args?: readonly string[]
}

function secondsOfPages(piece: Buffer, bytes: number): number {
  const pages = /^\{"pages":(\d{1,6})\}\n/.exec(piece.toString('latin1', 0, 40))
  return pages ? Math.min(SECONDS_A_PAGE * Number(pages[1]), bytes / BYTES_A_SECOND) : 0
}

/**
 * Runs one of our programs over an untrusted file in a separate process, killed from outside when it exceeds its time
 * or memory. The process gets the file as stdin, an empty environment, no children, threads, native code or `eval`,
 * and can read only the program itself. It writes `{"pages": n}` once it can tell how much work there is, and its
 * answer as the last line.
 * @throws the reason of `signal` when it aborts first.
 */
export async function runConfined(
  program: string,
  file: FileHandle,
  { signal, writes, args = [] }: ConfinedRun,
): Promise<ConfinedAnswer> {
  signal?.throwIfAborted()
  const { size } = await file.stat()
  const child = spawn(
    process.execPath,
    [
      '--permission',
      ...READABLE.map((name) => `--allow-fs-read=${path.join(root, name)}`),
      ...(writes === undefined ? [] : [`--allow-fs-write=${writes}`]),
      `--max-old-space-size=${HEAP_MB}`,
      '--disallow-code-generation-from-strings',
      '--no-warnings',
      program,
      ...args,
    ],
    { stdio: [file.fd, 'pipe', 'ignore'], env: {}, cwd: writes ?? root },
  )
  const seen = await watchProcess(child, {
    signal,
    seconds: BASE_SECONDS,
    memoryBytes: MOST_MEMORY_BYTES,
    answerBytes: MOST_ANSWER_BYTES,
    begun: (piece) => secondsOfPages(piece, size),
  })
  if ('reason' in seen) return seen
  const answer = seen.output.toString('utf8').trimEnd()
  return { answer: answer.slice(answer.lastIndexOf('\n') + 1) }
}

export function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

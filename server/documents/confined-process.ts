import { spawn } from 'node:child_process'
import type { FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { UnreadableReason } from '#contract/documents/document.ts'
import { watchProcess } from './watched-process.ts'

/** Time of the processor: what opening may take, and each page on top, at most 60 s together. Readings of an idle machine take a thirtieth of it. */
const BASE_SECONDS = 10
const SECONDS_A_PAGE = 0.1
/** Pages without bytes of their own share their content, so a small file of many pages gets the time of few. */
const BYTES_A_SECOND = 20_000
/** Heap of JavaScript, and memory as a whole: buffers do not count in the heap, and a bomb of 292 kB inflates to 450 MB of them. */
const HEAP_MB = 256
const MOST_MEMORY_BYTES = 512 * 2 ** 20
/** Longest answer. 500 pages of dense text are 5 MB. */
const MOST_ANSWER_BYTES = 16 * 2 ** 20

const root = path.join(import.meta.dirname, '../..')
/** All that the process may read. Its file comes as an open descriptor. */
const READABLE = ['package.json', 'contract', 'server', 'node_modules']

export interface ConfinedAnswer {
  /** The last line that it wrote. */
  readonly answer?: string
  /** Why there is no answer. */
  readonly reason?: UnreadableReason
}

export interface ConfinedRun {
  readonly signal?: AbortSignal | undefined
  /** Folder in which it runs and may write; without one it writes nowhere. */
  readonly writes?: string
  /** What it is told on its command line. */
  readonly args?: readonly string[]
}

/** Seconds on top for a process that has said how many pages there are. */
function secondsOfPages(piece: Buffer, bytes: number): number {
  const pages = /^\{"pages":(\d{1,6})\}\n/.exec(piece.toString('latin1', 0, 40))
  return pages ? Math.min(SECONDS_A_PAGE * Number(pages[1]), bytes / BYTES_A_SECOND) : 0
}

/**
 * Runs a file of ours in a process of its own over a file of strangers, and ends it from outside when it takes too long or too much memory. The process gets
 * the file as its standard input, an empty environment, no children, no threads, no native code, no `eval`, and reads nothing but the program. It writes
 * `{"pages": n}` when it knows how long the work is, and its answer as the last line.
 * @throws the reason of `signal` when it ends first.
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

/** The answer of such a process, or undefined when it is no JSON; what it holds is checked by its schema. */
export function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import path from 'node:path'
import type { UnreadableReason } from '#contract/document/document.ts'

/** Time of the processor: what opening may take, and each page on top. Readings of an idle machine take a hundredth of it. */
const BASE_SECONDS = 10
const SECONDS_A_PAGE = 0.3
/** On a busy machine the clock runs ahead of the processor; a process that only waits ends by it. */
const CLOCK_FACTOR = 4
/** Heap of JavaScript, and memory as a whole: buffers do not count in the heap, and a bomb of 292 kB inflates to 450 MB of them. */
const HEAP_MB = 256
const MOST_MEMORY_BYTES = 512 * 2 ** 20
const LOOK_EVERY_MS = 50
/** Longest answer. 500 pages of dense text are 5 MB. */
const MOST_ANSWER_BYTES = 16 * 2 ** 20

const root = path.join(import.meta.dirname, '../../..')
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
}

/** Seconds of the processor and bytes in memory of a process; undefined where /proc does not tell (not Linux) or the process has gone. */
function usageOf(pid: number): { seconds: number; bytes: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const resident = /^VmRSS:\s{0,20}(\d{1,15}) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
    // utime and stime, in hundredths of a second.
    return { seconds: (Number(fields[11]) + Number(fields[12])) / 100, bytes: Number(resident?.[1] ?? 0) * 1024 }
  } catch {
    return undefined
  }
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
  { signal, writes }: ConfinedRun,
): Promise<ConfinedAnswer> {
  signal?.throwIfAborted()
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
    ],
    { stdio: [file.fd, 'pipe', 'ignore'], env: {}, cwd: writes ?? root },
  )
  const begun = performance.now()
  let seconds = BASE_SECONDS
  let ended: UnreadableReason | undefined
  const end = (reason: UnreadableReason | undefined) => {
    ended ??= reason
    child.kill('SIGKILL')
  }
  const look = setInterval(() => {
    const usage = child.pid === undefined ? undefined : usageOf(child.pid)
    const clock = (performance.now() - begun) / 1000
    if ((usage?.seconds ?? 0) > seconds || clock > seconds * CLOCK_FACTOR) end('time')
    else if ((usage?.bytes ?? 0) > MOST_MEMORY_BYTES) end('memory')
  }, LOOK_EVERY_MS)
  const stop = () => end(undefined)
  signal?.addEventListener('abort', stop)
  try {
    // People who wait for an answer come first.
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, or the system does not allow it.
  }
  const pieces: Buffer[] = []
  let size = 0
  child.stdout!.on('data', (piece: Buffer) => {
    size += piece.length
    if (size > MOST_ANSWER_BYTES) return end('too-large')
    pieces.push(piece)
    if (pieces.length > 1) return
    const pages = /^\{"pages":(\d{1,6})\}\n/.exec(piece.toString('latin1', 0, 40))
    if (pages) seconds += SECONDS_A_PAGE * Number(pages[1])
  })
  try {
    const exit = await new Promise<number | string>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, killed) => resolve(code ?? killed ?? ''))
    })
    signal?.throwIfAborted()
    if (ended) return { reason: ended }
    // Node aborts when its heap is full.
    if (exit !== 0) return { reason: exit === 134 || exit === 'SIGABRT' ? 'memory' : 'crashed' }
    const answer = Buffer.concat(pieces).toString('utf8').trimEnd()
    return { answer: answer.slice(answer.lastIndexOf('\n') + 1) }
  } finally {
    clearInterval(look)
    signal?.removeEventListener('abort', stop)
    child.kill('SIGKILL')
  }
}

/** The answer of such a process, or undefined when it is no JSON; what it holds is checked by its schema. */
export function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

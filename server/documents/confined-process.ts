import { spawn } from 'node:child_process'
import type { FileHandle } from 'node:fs/promises'
import path from 'node:path'
import type { UnreadableDocumentReason } from '#contract/documents/document.ts'
import { enforceProcessLimits } from './watched-process.ts'

/**
 * Base CPU time for opening the file. Each page adds a share, up to 60 s in total; on an idle machine a document needs
 * a thirtieth of that.
 */
const BASE_SECONDS = 10
const SECONDS_PER_PAGE = 0.1
/**
 * Caps the CPU time that pages add at one second per this many bytes: pages may share content, so a small file with
 * many pages must not earn more time.
 */
const BYTES_PER_SECOND = 20_000
/**
 * Limits of the JavaScript heap and of total memory. Buffers are outside the heap, and a 292 kB bomb inflates to 450 MB
 * of them.
 */
const HEAP_MB = 256
const MAX_MEMORY_BYTES = 512 * 2 ** 20
/** Maximum output; 500 pages of dense text are 5 MB. */
const MAX_OUTPUT_BYTES = 16 * 2 ** 20

const root = path.join(import.meta.dirname, '../..')
const READABLE_PATHS = ['package.json', 'contract', 'server', 'node_modules']

export interface SandboxedProcessResult {
  readonly answer?: string
  readonly reason?: UnreadableDocumentReason
}

export interface SandboxedProcessOptions {
  readonly signal?: AbortSignal | undefined
  /** Working folder, the only one the process may write to; without it, the process has no write access. */
  readonly writableFolder?: string
  readonly args?: readonly string[]
}

function secondsOfPages(chunk: Buffer, bytes: number): number {
  const pages = /^\{"pages":(\d{1,6})\}\n/.exec(chunk.toString('latin1', 0, 40))
  return pages ? Math.min(SECONDS_PER_PAGE * Number(pages[1]), bytes / BYTES_PER_SECOND) : 0
}

/**
 * Runs one of our programs over an untrusted file in a separate process, which is killed from outside when it exceeds
 * its time or memory. The process gets the file as stdin, an empty environment, no children, threads, native code or
 * `eval`, and can read only the program itself. It prints `{"pages": n}` as soon as it has counted the pages, and its
 * result as the last line.
 * @throws the reason of `signal` when the signal aborts first.
 */
export async function runSandboxedProcess(
  program: string,
  file: FileHandle,
  { signal, writableFolder, args = [] }: SandboxedProcessOptions,
): Promise<SandboxedProcessResult> {
  signal?.throwIfAborted()
  const { size } = await file.stat()
  const child = spawn(
    process.execPath,
    [
      '--permission',
      ...READABLE_PATHS.map((name) => `--allow-fs-read=${path.join(root, name)}`),
      ...(writableFolder === undefined ? [] : [`--allow-fs-write=${writableFolder}`]),
      `--max-old-space-size=${HEAP_MB}`,
      '--disallow-code-generation-from-strings',
      '--no-warnings',
      program,
      ...args,
    ],
    { stdio: [file.fd, 'pipe', 'ignore'], env: {}, cwd: writableFolder ?? root },
  )
  const result = await enforceProcessLimits(child, {
    signal,
    seconds: BASE_SECONDS,
    memoryBytes: MAX_MEMORY_BYTES,
    answerBytes: MAX_OUTPUT_BYTES,
    onFirstChunk: (chunk) => secondsOfPages(chunk, size),
  })
  if ('reason' in result) return result
  const output = result.output.toString('utf8').trimEnd()
  return { answer: output.slice(output.lastIndexOf('\n') + 1) }
}

export function parseSandboxedProcessOutput(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

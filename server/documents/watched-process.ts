import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import type { UnreadableDocumentReason } from '#contract/documents/document.ts'

const POLL_INTERVAL_MS = 50
/**
 * Wall clock limit as a multiple of CPU time, which ends an idle process. At its lower priority a process gets a tenth
 * of the CPU time of a normal one, so beside two of them on a core it takes 20 times as long as alone.
 */
const CLOCK_FACTOR = 20

export interface ProcessLimits {
  readonly signal?: AbortSignal | undefined
  /** CPU time in seconds. */
  readonly seconds: number
  readonly memoryBytes: number
  readonly answerBytes: number
  /** Called with the first chunk of output; returns the CPU seconds to add to the limit. */
  readonly onFirstChunk?: (chunk: Buffer) => number
}

/** Returns CPU seconds and resident bytes of a process; undefined without /proc (not Linux) or after it ended. */
function usageOf(pid: number): { seconds: number; bytes: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const resident = /^VmRSS:\s{0,20}(\d{1,15}) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))
    // Fields 11 and 12 are utime and stime, in hundredths of a second.
    return { seconds: (Number(fields[11]) + Number(fields[12])) / 100, bytes: Number(resident?.[1] ?? 0) * 1024 }
  } catch {
    return undefined
  }
}

/**
 * Waits for a process that handles untrusted files and kills it when it exceeds its time or memory. The process runs at
 * lower priority than interactive requests.
 * @returns its standard output, or the reason there is none
 * @throws the reason of `signal` when the signal aborts first; the system error when the process cannot be started.
 */
export async function enforceProcessLimits(
  child: ChildProcess,
  { signal, onFirstChunk, ...limits }: ProcessLimits,
): Promise<{ readonly output: Buffer } | { readonly reason: UnreadableDocumentReason }> {
  const since = performance.now()
  let { seconds } = limits
  let killReason: UnreadableDocumentReason | undefined
  const kill = (reason: UnreadableDocumentReason | undefined) => {
    killReason ??= reason
    child.kill('SIGKILL')
  }
  const pollTimer = setInterval(() => {
    const usage = child.pid === undefined ? undefined : usageOf(child.pid)
    const clock = (performance.now() - since) / 1000
    if ((usage?.seconds ?? 0) > seconds || clock > seconds * CLOCK_FACTOR) kill('time')
    else if ((usage?.bytes ?? 0) > limits.memoryBytes) kill('memory')
  }, POLL_INTERVAL_MS)
  const stop = () => kill(undefined)
  signal?.addEventListener('abort', stop)
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The process has already ended, or the system does not permit a lower priority.
  }
  const chunks: Buffer[] = []
  let size = 0
  child.stdout!.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > limits.answerBytes) return kill('too-large')
    chunks.push(chunk)
    if (chunks.length === 1) seconds += onFirstChunk?.(chunk) ?? 0
  })
  try {
    const exit = await new Promise<number | string>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code, killed) => resolve(code ?? killed ?? ''))
    })
    signal?.throwIfAborted()
    if (killReason) return { reason: killReason }
    // Node aborts when its heap is full, so treat SIGABRT as out of memory.
    if (exit !== 0) return { reason: exit === 134 || exit === 'SIGABRT' ? 'memory' : 'crashed' }
    return { output: Buffer.concat(chunks) }
  } finally {
    clearInterval(pollTimer)
    signal?.removeEventListener('abort', stop)
    child.kill('SIGKILL')
  }
}

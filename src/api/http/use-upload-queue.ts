import { useEffect, useRef, useState } from 'react'
import { getErrorText, NetworkError } from '#src/lib/problem-error.ts'

type UploadQueueItem = {
  readonly key: number
  readonly name: string
  /** Fraction from 0 to 1, or null after a failure (see `problem`). */
  readonly progress: number | null
  readonly problem?: string
  readonly mayRetry?: boolean
}

/** The client refuses a file before uploading it, as the server certainly would. Users see the message. */
export class UploadRejectedError extends Error {
  override readonly name = 'UploadRejectedError'
}

type Upload = { readonly file: File; readonly id: string; stop: AbortController }
type SendFile = (
  file: File,
  sending: { id: string; signal: AbortSignal; onProgress: (fraction: number) => void },
) => Promise<void>

const RETRY_DELAYS_MS = [1_000, 3_000, 8_000]

/**
 * Uploads files one after another; failed ones stay until retried or dismissed. `send` gets an id that is stable across
 * retries, so that the server recognises a file whose response was lost.
 */
export function useUploadQueue(send: SendFile) {
  const [rows, setRows] = useState<readonly UploadQueueItem[]>([])
  const nextKey = useRef(1)
  const queue = useRef(Promise.resolve())
  const uploads = useRef(new Map<number, Upload>())
  useEffect(() => {
    const running = uploads.current
    return () => {
      for (const { stop } of running.values()) stop.abort()
    }
  }, [])

  const change = (key: number, changes: Partial<UploadQueueItem>) => {
    setRows((current) => current.map((row) => (row.key === key ? { ...row, ...changes } : row)))
  }
  const dismiss = (key: number) => {
    uploads.current.get(key)?.stop.abort()
    uploads.current.delete(key)
    setRows((current) => current.filter((row) => row.key !== key))
  }

  const start = (key: number) => {
    const sending = uploads.current.get(key)
    if (!sending) return
    const { file, id, stop } = sending
    const { signal } = stop
    const sendWithRetries = async (delays: readonly number[]): Promise<void> => {
      signal.throwIfAborted()
      try {
        await send(file, { id, signal, onProgress: (fraction) => change(key, { progress: fraction }) })
      } catch (error) {
        const [delay, ...remaining] = delays
        if (!(error instanceof NetworkError) || delay === undefined || signal.aborted) throw error
        await pause(delay, signal)
        await sendWithRetries(remaining)
      }
    }
    queue.current = queue.current
      .then(() => sendWithRetries(RETRY_DELAYS_MS))
      .then(
        () => dismiss(key),
        (error: unknown) => {
          if (signal.aborted) return
          const isRefused = error instanceof UploadRejectedError
          change(key, {
            progress: null,
            problem: isRefused ? error.message : getErrorText(error),
            mayRetry: !isRefused,
          })
        },
      )
  }
  const add = (files: Iterable<File>) => {
    for (const file of files) {
      const key = nextKey.current++
      uploads.current.set(key, { file, id: crypto.randomUUID(), stop: new AbortController() })
      setRows((current) => [...current, { key, name: file.name, progress: 0 }])
      start(key)
    }
  }
  const retry = (key: number) => {
    const sending = uploads.current.get(key)
    if (!sending) return
    sending.stop = new AbortController()
    change(key, { progress: 0 })
    start(key)
  }
  return { rows, add, dismiss, retry }
}

/** Returns a promise that resolves after `ms`, or earlier when the device comes online. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      window.removeEventListener('online', finish)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    window.addEventListener('online', finish)
    signal.addEventListener('abort', finish)
  })
}

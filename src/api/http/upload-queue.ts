import { useCallback, useEffect, useRef, useState } from 'react'
import { errorText, NetworkError } from './problem-error.ts'

export type UploadRow = {
  readonly key: number
  readonly name: string
  /** 0 to 1; null: failed, see `problem`. */
  readonly share: number | null
  readonly problem?: string
  readonly mayRetry?: boolean
}

/**
 * Refused by the client before uploading, so that users do not wait for a certain refusal. The message is shown to
 * users.
 */
export class UploadRefused extends Error {
  override readonly name = 'UploadRefused'
}

type Sending = { readonly file: File; readonly id: string; stop: AbortController }
type Send = (
  file: File,
  sending: { id: string; signal: AbortSignal; onProgress: (share: number) => void },
) => Promise<void>

/** Delays of automatic retries after a lost connection, ms. */
const TRY_AGAIN_MS = [1_000, 3_000, 8_000]

/**
 * Uploads files one after another; failed ones stay until retried or dismissed. `send` gets an id that is stable across
 * retries, so that the server recognises a file whose response was lost.
 */
export function useUploads(send: Send) {
  const [rows, setRows] = useState<readonly UploadRow[]>([])
  const next = useRef(1)
  const queue = useRef(Promise.resolve())
  const all = useRef(new Map<number, Sending>())
  const latest = useRef(send)
  latest.current = send
  useEffect(() => {
    const running = all.current
    return () => {
      for (const { stop } of running.values()) stop.abort()
    }
  }, [])

  const change = useCallback((key: number, part: Partial<UploadRow>) => {
    setRows((shown) => shown.map((row) => (row.key === key ? { ...row, ...part } : row)))
  }, [])
  const dismiss = useCallback((key: number) => {
    all.current.get(key)?.stop.abort()
    all.current.delete(key)
    setRows((shown) => shown.filter((row) => row.key !== key))
  }, [])

  const start = useCallback(
    (key: number) => {
      const sending = all.current.get(key)
      if (!sending) return
      const { file, id, stop } = sending
      const { signal } = stop
      const once = async (waits: readonly number[]): Promise<void> => {
        signal.throwIfAborted()
        try {
          await latest.current(file, { id, signal, onProgress: (share) => change(key, { share }) })
        } catch (error) {
          const [wait, ...rest] = waits
          if (!(error instanceof NetworkError) || wait === undefined || signal.aborted) throw error
          await pause(wait, signal)
          await once(rest)
        }
      }
      queue.current = queue.current
        .then(() => once(TRY_AGAIN_MS))
        .then(
          () => dismiss(key),
          (error: unknown) => {
            if (signal.aborted) return
            const isRefused = error instanceof UploadRefused
            change(key, {
              share: null,
              problem: isRefused ? error.message : errorText(error),
              mayRetry: !isRefused,
            })
          },
        )
    },
    [change, dismiss],
  )
  const add = useCallback(
    (files: Iterable<File>) => {
      for (const file of files) {
        const key = next.current++
        all.current.set(key, { file, id: crypto.randomUUID(), stop: new AbortController() })
        setRows((shown) => [...shown, { key, name: file.name, share: 0 }])
        start(key)
      }
    },
    [start],
  )
  const retry = useCallback(
    (key: number) => {
      const sending = all.current.get(key)
      if (!sending) return
      sending.stop = new AbortController()
      change(key, { share: 0 })
      start(key)
    },
    [start, change],
  )
  return { rows, add, dismiss, retry }
}

/** Resolves after `ms`, or earlier when the device comes online. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    window.addEventListener('online', end)
    signal.addEventListener('abort', end)
  })
}

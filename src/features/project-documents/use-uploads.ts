import { useCallback, useEffect, useRef, useState } from 'react'
import { MOST_DOCUMENT_BYTES } from '#contract/document/document.ts'
import { DOCUMENT_REFUSALS, documentTypeOf, SIGNATURE_BYTES } from '#contract/document/project-document.ts'
import { addDocument } from '#src/api/document/documents.ts'
import { errorText } from '#src/api/http/problem-error.ts'

export type UploadRow = {
  readonly key: number
  readonly name: string
  /** 0 to 1; null: it failed, and `problem` says why. */
  readonly share: number | null
  readonly problem?: string
}

/** Files on their way to a project, one after another; those that failed stay until they are put away. */
export function useUploads(projectId: string) {
  const [rows, setRows] = useState<readonly UploadRow[]>([])
  const next = useRef(1)
  const queue = useRef(Promise.resolve())
  const stops = useRef(new Map<number, AbortController>())
  useEffect(() => {
    const running = stops.current
    return () => {
      for (const stop of running.values()) stop.abort()
    }
  }, [])

  const change = useCallback((key: number, part: Partial<UploadRow>) => {
    setRows((all) => all.map((row) => (row.key === key ? { ...row, ...part } : row)))
  }, [])
  const dismiss = useCallback((key: number) => {
    stops.current.get(key)?.abort()
    setRows((all) => all.filter((row) => row.key !== key))
  }, [])

  const add = useCallback(
    (files: Iterable<File>) => {
      for (const file of files) {
        const key = next.current++
        const stop = new AbortController()
        stops.current.set(key, stop)
        setRows((all) => [...all, { key, name: file.name, share: 0 }])
        queue.current = queue.current.then(() =>
          send(projectId, file, stop.signal, (share) => change(key, { share })).then(
            () => dismiss(key),
            (error: unknown) => {
              if (!stop.signal.aborted) change(key, { share: null, problem: problemOf(error) })
            },
          ),
        )
      }
    },
    [projectId, change, dismiss],
  )
  return { rows, add, dismiss }
}

class Refused extends Error {
  override readonly name = 'Refused'
}

const problemOf = (error: unknown) => (error instanceof Refused ? error.message : errorText(error))

/** What the server would refuse is refused before it is sent: nobody waits for 50 MB to hear no. */
async function send(projectId: string, file: File, signal: AbortSignal, onProgress: (share: number) => void) {
  signal.throwIfAborted()
  if (file.size === 0) throw new Refused(DOCUMENT_REFUSALS.empty)
  if (file.size > MOST_DOCUMENT_BYTES) throw new Refused(DOCUMENT_REFUSALS.too_large)
  const head = await file.slice(0, SIGNATURE_BYTES).arrayBuffer()
  if (documentTypeOf(new Uint8Array(head)) === undefined) throw new Refused(DOCUMENT_REFUSALS.not_a_document)
  return await addDocument({ projectId, file, signal, onProgress })
}

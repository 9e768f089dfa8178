import { currentSession } from '#src/lib/session-store.ts'
import { isProvedNow } from './client.ts'
import { NetworkError, ProblemError } from './problem-error.ts'
import { saveFile } from './save-file.ts'

/** How much of a file has come: bytes, and of how many where the server says so. */
export type FileProgress = { readonly received: number; readonly total: number | undefined }

export type FileAsk = {
  /** Below /api/v2. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** Name under which the browser saves it. */
  readonly name: string
  readonly tell?: (progress: FileProgress) => void
  readonly signal?: AbortSignal | undefined
  /** An ordinary call to the same part of the API: after a 401 it ends the session as every other call does. */
  readonly whenSessionEnds?: () => Promise<unknown>
}

/** A file that a button offers. */
export type OfferedFile = Required<Pick<FileAsk, 'path' | 'query' | 'name' | 'whenSessionEnds'>>

/**
 * Fetches a file from the API and gives it to the browser to save. Throws ProblemError when it is refused, NetworkError when no answer came or it
 * broke off, AbortError when it was stopped, TimeoutError when its signal's time was up.
 */
export async function downloadFile(ask: FileAsk): Promise<void> {
  saveFile(await fetchFile(ask), ask.name)
}

async function fetchFile(ask: FileAsk): Promise<Blob> {
  const { path, query, tell, signal, whenSessionEnds } = ask
  const address = new URL(`/api/v2/${path}`, location.origin)
  if (query) address.search = new URLSearchParams(query).toString()
  try {
    const response = await fetch(address, {
      headers: { authorization: `Bearer ${currentSession()?.access ?? ''}` },
      ...(signal ? { signal } : {}),
    })
    if (!response.ok) {
      if (response.status === 401) await whenSessionEnds?.()
      const refusal = new ProblemError(response, await response.json().catch(() => ({})))
      if (await isProvedNow(refusal)) return await fetchFile(ask)
      throw refusal
    }
    return await readAll(response, tell)
  } catch (error) {
    const { name } = error as Error
    if (error instanceof ProblemError || name === 'AbortError' || name === 'TimeoutError') throw error
    throw new NetworkError('No answer', { cause: error })
  }
}

/** The whole body, telling of every part that comes. */
async function readAll(response: Response, tell: FileAsk['tell']): Promise<Blob> {
  if (!tell || !response.body) return response.blob()
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  const total = Number.isFinite(length) && length > 0 ? length : undefined
  const parts: Uint8Array<ArrayBuffer>[] = []
  let received = 0
  const reader = response.body.getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value)
    received += part.value.byteLength
    tell({ received, total })
  }
  return new Blob(parts, { type: response.headers.get('content-type') ?? '' })
}

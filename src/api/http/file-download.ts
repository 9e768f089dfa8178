import { currentSession } from '#src/lib/session-store.ts'
import { isProvedNow } from './client.ts'
import { NetworkError, ProblemError } from './problem-error.ts'
import { saveFile } from './save-file.ts'

/** Received bytes, and the total if the server sends it. */
export type FileProgress = { readonly received: number; readonly total: number | undefined }

export type FileAsk = {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly name: string
  readonly tell?: (progress: FileProgress) => void
  readonly signal?: AbortSignal | undefined
  /** Makes an ordinary API call after a 401, which ends the session through the usual path. */
  readonly whenSessionEnds?: () => Promise<unknown>
}

export type OfferedFile = Required<Pick<FileAsk, 'path' | 'query' | 'name' | 'whenSessionEnds'>>

/**
 * Downloads a file from the API through the browser's save dialog. Throws ProblemError (refused), NetworkError (no
 * response or interrupted), AbortError, or TimeoutError when its signal times out.
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

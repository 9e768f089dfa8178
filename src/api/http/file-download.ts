import { NetworkError, ProblemError } from '#src/lib/problem-error.ts'
import { getCurrentSession } from '#src/lib/session-store.ts'
import { getXsrfToken, promptForReauthentication } from './client.ts'
import { saveBlobAsFile } from './save-blob-as-file.ts'

export type DownloadProgress = { readonly received: number; readonly total: number | undefined }

export type FileDownloadRequest = {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly name: string
  /** JSON body of a POST, for files generated from user input. */
  readonly json?: object
  readonly onProgress?: (progress: DownloadProgress) => void
  readonly signal?: AbortSignal | undefined
  /** Called when the server returns 401. Must make an ordinary API call, which ends the session in the usual way. */
  readonly onUnauthorized?: () => Promise<unknown>
}

export type DownloadableFile = Required<Pick<FileDownloadRequest, 'path' | 'query' | 'name' | 'onUnauthorized'>>

/**
 * Downloads a file from the API through the browser's save dialog. Throws ProblemError (refused), NetworkError (no
 * response or interrupted), AbortError, or TimeoutError when its signal times out.
 */
export async function downloadFile(fileRequest: FileDownloadRequest): Promise<void> {
  saveBlobAsFile(await fetchFile(fileRequest), fileRequest.name)
}

async function fetchFile(fileRequest: FileDownloadRequest): Promise<Blob> {
  const { path, query, json, onProgress, signal, onUnauthorized } = fileRequest
  const address = new URL(`/api/v2/${path}`, location.origin)
  if (query) address.search = new URLSearchParams(query).toString()
  try {
    const response = await fetch(address, {
      headers: {
        authorization: `Bearer ${getCurrentSession()?.access ?? ''}`,
        ...(json && { 'content-type': 'application/json', 'x-xsrf-token': getXsrfToken() ?? '' }),
      },
      ...(json && { method: 'POST', body: JSON.stringify(json) }),
      ...(signal ? { signal } : {}),
    })
    if (!response.ok) {
      if (response.status === 401) await onUnauthorized?.()
      const refusal = new ProblemError(response, await response.json().catch(() => ({})))
      if (await promptForReauthentication(refusal)) return await fetchFile(fileRequest)
      throw refusal
    }
    return await readAll(response, onProgress)
  } catch (error) {
    const { name } = error as Error
    if (error instanceof ProblemError || name === 'AbortError' || name === 'TimeoutError') throw error
    throw new NetworkError('No answer', { cause: error })
  }
}

async function readAll(response: Response, onProgress: FileDownloadRequest['onProgress']): Promise<Blob> {
  if (!onProgress || !response.body) return response.blob()
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  const total = Number.isFinite(length) && length > 0 ? length : undefined
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let received = 0
  const reader = response.body.getReader()
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    chunks.push(chunk.value)
    received += chunk.value.byteLength
    onProgress({ received, total })
  }
  return new Blob(chunks, { type: response.headers.get('content-type') ?? '' })
}

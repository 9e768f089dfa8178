import { fetchFromApi, throwNetworkError } from './client.ts'
import { saveBlobAsFile } from './save-blob-as-file.ts'

export type DownloadProgress = { readonly received: number; readonly total: number | undefined }

export type DownloadableFile = {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly name: string
}

type FileDownloadRequest = Pick<DownloadableFile, 'path' | 'name'> & {
  readonly query?: DownloadableFile['query']
  /** JSON body of a POST, for files generated from user input. */
  readonly json?: object
  readonly onProgress?: (progress: DownloadProgress) => void
  readonly signal?: AbortSignal | undefined
}

/**
 * Downloads a file from the API through the browser's save dialog. Throws ProblemError (refused), NetworkError (no
 * response or interrupted), AbortError, or TimeoutError when its signal times out.
 */
export async function downloadFile({ path, name, onProgress, ...request }: FileDownloadRequest): Promise<void> {
  const response = await fetchFromApi(path, { method: request.json ? 'post' : 'get', ...request })
  saveBlobAsFile(await readAll(response, onProgress).catch(throwNetworkError), name)
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

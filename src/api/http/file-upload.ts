import type { z } from 'zod/mini'
import { InvalidResponseError, NetworkError, ProblemError } from '#src/lib/problem-error.ts'
import { endSessionAfterRefusal, getAccessToken } from './client.ts'

type Upload<Answer> = {
  readonly path: string
  readonly file: File
  readonly schema: z.ZodMiniType<Answer>
  readonly onProgress: (fraction: number) => void
  readonly signal: AbortSignal
}

/**
 * Uploads a file by XMLHttpRequest, because `fetch` reports no upload progress. Throws ProblemError (refused),
 * NetworkError (no response), InvalidResponseError and AbortError.
 */
export async function uploadFile<Answer>({ path, file, schema, onProgress, signal }: Upload<Answer>) {
  const address = new URL(`/api/v2/${path}`, location.origin)
  address.searchParams.set('name', file.name)
  const access = await getAccessToken()
  signal.throwIfAborted()
  return await new Promise<Answer>((resolve, reject) => {
    const call = new XMLHttpRequest()
    call.open('POST', address)
    call.setRequestHeader('authorization', `Bearer ${access ?? ''}`)
    call.setRequestHeader('content-type', 'application/octet-stream')
    call.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total)
    call.onerror = () => reject(new NetworkError('No answer'))
    call.onabort = () => reject(new DOMException('stopped', 'AbortError'))
    call.responseType = 'json'
    call.onload = () => {
      if (call.status >= 200 && call.status < 300) {
        const parsed = schema.safeParse(call.response)
        if (parsed.success) resolve(parsed.data)
        else reject(new InvalidResponseError(call.getResponseHeader('x-request-id') ?? undefined))
        return
      }
      if (call.status === 401) endSessionAfterRefusal(access)
      const { status, statusText } = call
      const headers = new Headers({ 'retry-after': call.getResponseHeader('retry-after') ?? '' })
      reject(new ProblemError({ status, statusText, headers }, call.response ?? {}))
    }
    signal.addEventListener('abort', () => call.abort())
    call.send(file)
  })
}

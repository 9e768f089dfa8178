import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { USAGE_LOG_EXPORT_TIMEOUT_MS, usageLogPageSchema } from '#contract/account/usage-log.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { type DownloadProgress, downloadFile } from '#src/api/http/file-download.ts'
import { usageLogKeys } from '#src/api/http/keys.ts'

type UsageQuery = Readonly<Record<string, string>>

export const usageLogPageQuery = (query: UsageQuery) =>
  queryOptions({
    queryKey: usageLogKeys.page(query),
    queryFn: ({ signal }) => sendApiRequest('organisations/me/logs', { query, schema: usageLogPageSchema, signal }),
    placeholderData: keepPreviousData,
  })

/** Downloads the usage log. Throws TimeoutError after two minutes (specification section 7). */
export function downloadUsageLog(
  query: UsageQuery,
  name: string,
  tell: (progress: DownloadProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  return downloadFile({
    path: 'organisations/me/logs/export',
    query,
    name,
    onProgress: tell,
    signal: AbortSignal.any([signal, AbortSignal.timeout(USAGE_LOG_EXPORT_TIMEOUT_MS)]),
    onUnauthorized: () => sendApiRequest('organisations/me/logs', { schema: usageLogPageSchema }),
  })
}

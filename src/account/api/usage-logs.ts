import { keepPreviousData } from '@tanstack/react-query'
import { USAGE_LOG_EXPORT_TIMEOUT_MS, usageLogPageSchema } from '#contract/account/usage-log.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { type DownloadProgress, downloadFile } from '#src/api/http/file-download.ts'

type UsageQuery = Readonly<Record<string, string>>

export const usageLogPageQuery = (query: UsageQuery) =>
  apiQueryOptions('organisations/me/logs', {
    queryKey: ['usage-log', query],
    query,
    schema: usageLogPageSchema,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Downloads the usage log. Throws TimeoutError after two minutes (specification section 7). */
export function downloadUsageLog(
  query: UsageQuery,
  name: string,
  onProgress: (progress: DownloadProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  return downloadFile({
    path: 'organisations/me/logs/export',
    query,
    name,
    onProgress,
    signal: AbortSignal.any([signal, AbortSignal.timeout(USAGE_LOG_EXPORT_TIMEOUT_MS)]),
  })
}

import { type QueryKey, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getErrorRequestId, getErrorText } from '#src/api/http/problem-error.ts'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'

type SettingsLoadProps<Answer, Data, Key extends QueryKey> = {
  query: UseQueryOptions<Answer, Error, Data, Key>
  failed: string
  /** Height classes of the skeleton blocks shown while loading. */
  waiting: readonly string[]
  children: (data: Data) => ReactNode
}

export function SettingsLoader<Answer, Data, Key extends QueryKey>({
  query,
  failed,
  waiting,
  children,
}: SettingsLoadProps<Answer, Data, Key>) {
  const { data, error, isFetching, refetch } = useQuery(query)
  if (data !== undefined) return children(data)
  if (error !== null)
    return (
      <ErrorNotice
        title={failed}
        reason={getErrorText(error)}
        requestId={getErrorRequestId(error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    )
  return (
    <SkeletonGroup className="space-y-3">
      {waiting.map((height) => (
        <Skeleton key={height} className={height} />
      ))}
    </SkeletonGroup>
  )
}

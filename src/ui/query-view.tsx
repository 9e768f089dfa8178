import type { ReactNode } from 'react'
import { ProblemError } from '#src/lib/problem-error.ts'
import { ErrorNotice } from './error-notice.tsx'

/** The part of a `useQuery` result that a screen shows. */
export type QueryState<Data> = {
  readonly data: Data | undefined
  readonly error: Error | null
  readonly isFetching: boolean
  refetch(): unknown
}

type QueryViewProps<Data> = {
  query: QueryState<Data>
  errorTitle: string
  /** Title of the notice above data whose refetch failed. Without it such data stays without a notice. */
  staleTitle?: string
  errorReason?: (error: Error) => string
  errorClassName?: string
  skeleton?: ReactNode
  /** Replaces everything after a 403, also data loaded earlier, because access was revoked. */
  forbidden?: ReactNode
  /** Replaces everything after a 404, also data loaded earlier. */
  notFound?: ReactNode
  isEmpty?: (data: Data) => boolean
  empty?: ReactNode
  children: (data: Data) => ReactNode
}

/**
 * Shows what a query returned: the data, or a skeleton, a notice with a retry button, or the caller's empty, forbidden
 * or not-found screen. Data stays visible while it is refetched, and when that fails.
 */
export function QueryView<Data>({
  query,
  errorTitle,
  staleTitle,
  errorReason,
  errorClassName,
  skeleton,
  forbidden,
  notFound,
  isEmpty,
  empty,
  children,
}: QueryViewProps<Data>) {
  const { data, error } = query
  const status = error instanceof ProblemError ? error.status : undefined
  if (status === 403 && forbidden !== undefined) return forbidden
  if (status === 404 && notFound !== undefined) return notFound
  const title = data === undefined ? errorTitle : staleTitle
  return (
    <>
      {error && title !== undefined && (
        <ErrorNotice
          title={title}
          error={error}
          reason={errorReason?.(error)}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
          className={errorClassName}
        />
      )}
      {data === undefined ? !error && skeleton : isEmpty?.(data) ? empty : children(data)}
    </>
  )
}

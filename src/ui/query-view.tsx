import type { ReactNode } from 'react'
import { SECOND_FACTOR_REQUIRED_ERROR_CODE } from '#contract/account/second-factor.ts'
import { ProblemError } from '#src/lib/problem-error.ts'
import { ErrorNotice } from './error-notice.tsx'

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
  /**
   * Shown after a 403, even if data is loaded, because access was revoked. Not while a second factor is due: then the
   * error says what to do.
   */
  forbidden?: ReactNode
  /** Shown after a 404 if no data is loaded. */
  notFound?: ReactNode
  isEmpty?: (data: Data) => boolean
  empty?: ReactNode
  frame?: (screen: ReactNode) => ReactNode
  children: (data: Data) => ReactNode
}

const renderUnframed = (screen: ReactNode) => screen

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
  frame = renderUnframed,
  children,
}: QueryViewProps<Data>) {
  const { data, error } = query
  const { status, code } = error instanceof ProblemError ? error : {}
  if (status === 403 && code !== SECOND_FACTOR_REQUIRED_ERROR_CODE && forbidden !== undefined) return frame(forbidden)
  if (status === 404 && data === undefined && notFound !== undefined) return frame(notFound)
  const title = data === undefined ? errorTitle : staleTitle
  const notice = error && title !== undefined && (
    <ErrorNotice
      title={title}
      error={error}
      reason={errorReason?.(error)}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
      className={errorClassName}
    />
  )
  if (data === undefined) return frame(notice || skeleton)
  return (
    <>
      {notice}
      {isEmpty?.(data) ? empty : children(data)}
    </>
  )
}

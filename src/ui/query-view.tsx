import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { SECOND_FACTOR_REQUIRED_ERROR_CODE } from '#contract/account/second-factor.ts'
import { getErrorText, ProblemError } from '#src/lib/problem-error.ts'
import { ErrorNotice } from './error-notice.tsx'
import { SkeletonGroup } from './skeleton.tsx'

export type QueryState<Data> = {
  readonly data: Data | undefined
  readonly error: Error | null
  readonly isFetching: boolean
  refetch(): unknown
}

type QueryViewProps<Data> = {
  query: QueryState<Data>
  /** What the query does, such as `โหลดโครงการ`; the texts of loading and failure say so. */
  task: string
  /** Shows a notice above data whose refetch failed. Without it such data stays without a notice. */
  notesStale?: boolean
  /** Title of that notice, if the usual one does not fit. */
  staleTitle?: string
  errorReason?: (error: Error) => string
  errorClassName?: string
  /** Shown while loading, or the classes of the bars of a plain skeleton and of their group. */
  skeleton?: ReactNode
  bars?: readonly string[]
  barsClassName?: string
  /**
   * Shown after a 403, even if data is loaded, because access was revoked. Not while a second factor is due: then the
   * error says what to do. Without it a view that has no data states that the account lacks the right.
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
  task,
  notesStale = false,
  staleTitle = notesStale ? `${task}ใหม่ไม่สำเร็จ ที่เห็นเป็นของเดิม` : undefined,
  errorReason,
  errorClassName,
  bars,
  barsClassName,
  skeleton = bars && <SkeletonGroup label={`กำลัง${task}`} className={barsClassName} bars={bars} />,
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
  if (code === 'forbidden' && data === undefined) return frame(<ForbiddenNotice error={error} />)
  if (status === 404 && data === undefined && notFound !== undefined) return frame(notFound)
  // Thai sets a space after a word in Latin letters.
  const errorTitle = `${task}${/[A-Za-z]$/.test(task) ? ' ' : ''}ไม่สำเร็จ`
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

function ForbiddenNotice({ error }: { error: unknown }) {
  return (
    <div className="flex items-start gap-3 rounded-card border border-line bg-surface-muted px-4 py-3">
      <Lock aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-muted" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{getErrorText(error)}</p>
        <p className="text-ink-muted">ติดต่อผู้ดูแลองค์กรของคุณเพื่อขอสิทธิ์</p>
      </div>
    </div>
  )
}

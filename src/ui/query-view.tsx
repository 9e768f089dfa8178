import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { getErrorText, isForbiddenError, ProblemError } from '#src/lib/problem-error.ts'
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
  /** Thai verb phrase for the loading and error texts, e.g. `โหลดโครงการ`. */
  task: string
  notesStale?: boolean
  staleTitle?: string
  errorReason?: (error: Error) => string
  errorClassName?: string
  /** Shown while loading. Pass `bars` instead for a plain skeleton. */
  skeleton?: ReactNode
  bars?: readonly string[]
  barsClassName?: string
  /**
   * Shown after a 403, even if data is loaded, because access was revoked; not while a second factor is due, because
   * that error says what to do. By default, a view without data states that the account lacks the right.
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

/** Keeps showing the data while it is refetched and after a refetch has failed. */
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
  if (isForbiddenError(error) && forbidden !== undefined) return frame(forbidden)
  if (code === 'forbidden' && data === undefined) {
    return frame(
      <div className="flex items-start gap-3 rounded-card border border-line bg-surface-muted px-4 py-3">
        <Lock aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-muted" />
        <div className="min-w-0 flex-1">
          <p className="font-medium">{getErrorText(error)}</p>
          <p className="text-ink-muted">ติดต่อผู้ดูแลองค์กรของคุณเพื่อขอสิทธิ์</p>
        </div>
      </div>,
    )
  }
  if (status === 404 && data === undefined && notFound !== undefined) return frame(notFound)
  // Thai puts a space after a word in Latin letters.
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

import type { ReactNode } from 'react'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { Button } from './button.tsx'
import type { QueryState } from './query-view.tsx'

type InlineQueryErrorProps = {
  query: Omit<QueryState<unknown>, 'data'>
  title: string
  className?: string
  children?: ReactNode
}

/** One-line error with a retry, for a small part of a screen that has no room for an `ErrorNotice`. */
export function InlineQueryError({ query, title, className = 'text-sm text-urgent', children }: InlineQueryErrorProps) {
  if (!query.error) return null
  return (
    <p role="alert" className={className}>
      {title} {formatErrorMessage(query.error)} {children}{' '}
      <Button variant="link" size="sm" pending={query.isFetching} onClick={() => void query.refetch()}>
        ลองใหม่
      </Button>
    </p>
  )
}

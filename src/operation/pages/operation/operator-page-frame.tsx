import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { type QueryState, QueryView } from '#src/ui/query-view.tsx'

type OperationPageProps<Data> = {
  title: string
  /** Noun for the data, if it differs from the title. */
  what?: string
  query: QueryState<Data>
  aside?: (data: Data) => ReactNode
  /** Time of the data; undefined while it loads, and for data without one. */
  checkedAt?: string | undefined
  children: (data: Data) => ReactNode
}

/** Refetches only on request and never polls, so that an idle operator is logged out (R61). */
export function OperatorPageFrame<Data>({
  title,
  what = title,
  query,
  aside,
  checkedAt,
  children,
}: OperationPageProps<Data>) {
  const { data } = query
  return (
    <div className="mx-auto flex w-full max-w-[1272px] flex-col gap-4 px-4 pt-4 pb-10 lg:px-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-xl font-semibold">{title}</h1>
        {data !== undefined && aside?.(data)}
        {checkedAt !== undefined && (
          <span className="text-sm text-ink-muted">ตรวจเมื่อ {formatThaiDateTime(checkedAt)}</span>
        )}
        <Button icon={RotateCw} pending={query.isFetching} onClick={() => void query.refetch()} className="ml-auto">
          ตรวจใหม่
        </Button>
      </div>
      <QueryView
        query={query}
        task={`โหลด${what}`}
        notesStale
        barsClassName="space-y-3"
        bars={['h-20 w-full', 'h-20 w-full', 'h-20 w-full']}
      >
        {children}
      </QueryView>
    </div>
  )
}

type FactProps = { name: string; value: ReactNode; tone?: string | undefined; children?: ReactNode }

export function LabelledValueItem({ name, value, tone, children }: FactProps) {
  return (
    <div className="min-w-0">
      <p className="text-xs text-ink-muted">{name}</p>
      <p className={`font-medium tabular-nums wrap-anywhere ${tone ?? ''}`}>{value}</p>
      {children && <p className="text-xs text-ink-muted wrap-anywhere">{children}</p>}
    </div>
  )
}

type OperatorListProps = { label: string; children: ReactNode }

export function OperatorList({ label, children }: OperatorListProps) {
  return (
    <Card>
      <ul aria-label={label} className="divide-y divide-line">
        {children}
      </ul>
    </Card>
  )
}

import { RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { errorRequestId, errorText } from '#src/api/http/problem-error.ts'
import { Button } from '#src/ui/button.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'

type Asked<Data> = {
  readonly data: Data | undefined
  readonly error: Error | null
  readonly isFetching: boolean
  refetch(): unknown
}

type OperationPageProps<Data> = {
  title: string
  what: string
  asked: Asked<Data>
  beside?: ReactNode
  children: (data: Data) => ReactNode
}

/** Never polls (R61). */
export function OperationPage<Data>({ title, what, asked, beside, children }: OperationPageProps<Data>) {
  const { data, error, isFetching } = asked
  return (
    <div className="mx-auto flex w-full max-w-[1272px] flex-col gap-4 px-4 pt-4 pb-10 lg:px-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-xl font-semibold">{title}</h1>
        {beside}
        <Button icon={RotateCw} pending={isFetching} onClick={() => void asked.refetch()} className="ml-auto">
          ตรวจใหม่
        </Button>
      </div>
      <AskedPart what={what} asked={asked} />
      {data !== undefined && children(data)}
      {data === undefined && !error && (
        <SkeletonGroup label={`กำลังโหลด${what}`} className="space-y-3">
          {[1, 2, 3].map((row) => (
            <Skeleton key={row} className="h-20 w-full" />
          ))}
        </SkeletonGroup>
      )}
    </div>
  )
}

export function AskedPart({ what, asked }: { what: string; asked: Asked<unknown> }) {
  const { data, error, isFetching } = asked
  if (!error) return null
  return (
    <ErrorNotice
      title={data ? `โหลด${what}ใหม่ไม่สำเร็จ ที่เห็นเป็นของเดิม` : `โหลด${what}ไม่สำเร็จ`}
      reason={errorText(error)}
      requestId={errorRequestId(error)}
      onRetry={() => void asked.refetch()}
      retrying={isFetching}
    />
  )
}

type FactProps = { name: string; value: ReactNode; tone?: string | undefined; children?: ReactNode }

export function Fact({ name, value, tone, children }: FactProps) {
  return (
    <div className="min-w-0">
      <p className="text-xs text-ink-muted">{name}</p>
      <p className={`font-medium tabular-nums wrap-anywhere ${tone ?? ''}`}>{value}</p>
      {children && <p className="text-xs text-ink-muted wrap-anywhere">{children}</p>}
    </div>
  )
}

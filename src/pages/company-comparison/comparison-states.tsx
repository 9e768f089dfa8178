import { Lock } from 'lucide-react'
import { errorRequestId, errorText, ProblemError } from '#src/api/http/problem-error.ts'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'

type ComparisonFailureProps = {
  error: Error
  /** The comparison on the screen is that of before. */
  isOld: boolean
  onRetry: () => void
  retrying: boolean
}

/** The comparison was refused, or could not be asked for. */
export function ComparisonFailure({ error, isOld, onRetry, retrying }: ComparisonFailureProps) {
  if (error instanceof ProblemError && error.status === 403)
    return (
      <Card>
        <EmptyState icon={Lock} title="องค์กรของคุณยังไม่ได้เปิดใช้การเปรียบเทียบบริษัท">
          ติดต่อผู้ดูแลขององค์กรเพื่อเพิ่มในแพ็กเกจ
        </EmptyState>
      </Card>
    )
  return (
    <ErrorNotice
      title={isOld ? 'อัปเดตการเปรียบเทียบไม่สำเร็จ ที่เห็นคือข้อมูลก่อนหน้า' : 'เปรียบเทียบบริษัทไม่สำเร็จ'}
      reason={reasonOf(error)}
      requestId={errorRequestId(error)}
      onRetry={onRetry}
      retrying={retrying}
    />
  )
}

/** A refusal that names parameters says why by parameter. */
function reasonOf(error: Error): string {
  const byField = error instanceof ProblemError ? Object.values(error.fieldErrors).flat() : []
  return byField.length > 0 ? byField.join(' ') : errorText(error)
}

const ROWS = ['wins', 'value', 'rate', 'discount', 'median', 'last']

/** Summary, matrix and prices before they are there. */
export function ComparisonSkeleton() {
  return (
    <SkeletonGroup label="กำลังเปรียบเทียบบริษัท" className="flex flex-col gap-4">
      <div className="grid gap-4 xl:grid-cols-[7fr_5fr]">
        <Card className="flex flex-col gap-4 p-5">
          <Skeleton className="w-24" />
          {ROWS.map((row) => (
            <span key={row} className="flex justify-between gap-6">
              <Skeleton className="w-1/4" />
              <Skeleton className="w-1/3" />
            </span>
          ))}
        </Card>
        <Card className="grid grid-cols-3 gap-2 p-5">
          {[...ROWS, 'a', 'b', 'c'].map((cell) => (
            <Skeleton key={cell} className="h-14" />
          ))}
        </Card>
      </div>
      <Card className="p-5">
        <Skeleton className="mb-4 w-40" />
        <Skeleton className="h-56" />
      </Card>
    </SkeletonGroup>
  )
}

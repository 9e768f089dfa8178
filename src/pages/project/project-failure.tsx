import { Lock } from 'lucide-react'
import { errorRequestId, errorText } from '#src/api/problem-error.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'

type ProjectFailureProps = {
  error: Error
  /** The project is on the screen as it was known before. */
  isOld: boolean
  onRetry: () => void
  retrying: boolean
}

/** The project could not be asked for, or not again. */
export function ProjectFailure({ error, isOld, onRetry, retrying }: ProjectFailureProps) {
  return (
    <ErrorNotice
      title={isOld ? 'อัปเดตข้อมูลโครงการไม่สำเร็จ ที่เห็นคือข้อมูลเดิม' : 'เปิดโครงการไม่สำเร็จ'}
      reason={errorText(error)}
      requestId={errorRequestId(error)}
      onRetry={onRetry}
      retrying={retrying}
    />
  )
}

/** The account may not read projects: trying again would change nothing. */
export function ProjectForbidden() {
  return (
    <>
      <h1 className="sr-only">โครงการ</h1>
      <EmptyState icon={Lock} title="บัญชีของคุณไม่มีสิทธิ์ดูโครงการ">
        ติดต่อผู้ดูแลองค์กรของคุณเพื่อขอสิทธิ์
      </EmptyState>
    </>
  )
}

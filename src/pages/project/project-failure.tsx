import { errorRequestId, errorText } from '#src/api/problem-error.ts'
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

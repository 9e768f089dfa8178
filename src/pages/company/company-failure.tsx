import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { errorRequestId, errorText } from '#src/api/http/problem-error.ts'
import { buttonClasses } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'

type CompanyFailureProps = {
  error: Error
  /** The company is on the screen as it was known before. */
  isOld: boolean
  onRetry: () => void
  retrying: boolean
}

/** The company could not be asked for, or not again. */
export function CompanyFailure({ error, isOld, onRetry, retrying }: CompanyFailureProps) {
  return (
    <ErrorNotice
      title={isOld ? 'อัปเดตข้อมูลบริษัทไม่สำเร็จ ที่เห็นคือข้อมูลเดิม' : 'เปิดข้อมูลบริษัทไม่สำเร็จ'}
      reason={errorText(error)}
      requestId={errorRequestId(error)}
      onRetry={onRetry}
      retrying={retrying}
    />
  )
}

/** The organisation's package was changed while the page was open; on entering, the guard leads elsewhere. */
export function CompanyForbidden({ error }: { error: Error }) {
  return (
    <>
      <h1 className="sr-only">รายละเอียดบริษัท</h1>
      <EmptyState
        icon={Lock}
        title="องค์กรของคุณยังไม่ได้เปิดใช้ข้อมูลบริษัท"
        actions={
          <Link to="/report" className={buttonClasses('primary')}>
            ไปรายงานโครงการ
          </Link>
        }
      >
        {errorText(error)}
      </EmptyState>
    </>
  )
}

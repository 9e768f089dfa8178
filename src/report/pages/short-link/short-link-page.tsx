import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { Link2Off } from 'lucide-react'
import { ProblemError } from '#src/lib/problem-error.ts'
import { shortLinkSearchQuery } from '#src/report/api/short-links.ts'
import { buttonClasses } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Spinner } from '#src/ui/spinner.tsx'

const route = getRouteApi('/_app/s/$code')

export function ShortLinkPage() {
  const { code } = route.useParams()
  const { data, error, refetch, isFetching } = useQuery(shortLinkSearchQuery(code))
  if (data) return <Navigate to="/report" search={data.search} replace />
  if (error instanceof ProblemError && error.status === 404) {
    return (
      <>
        <h1 className="sr-only">ลิงก์รายการโครงการ</h1>
        <EmptyState
          icon={Link2Off}
          title="ลิงก์นี้ไม่มี หรือหมดอายุแล้ว"
          actions={
            <Link to="/report" className={buttonClasses('primary')}>
              ไปหน้ารายงานโครงการ
            </Link>
          }
        >
          ลิงก์สั้นใช้ได้สองปีนับจากที่คัดลอกครั้งล่าสุด ตรวจว่าคัดลอกมาครบ หรือขอลิงก์ใหม่จากคนที่ส่ง
        </EmptyState>
      </>
    )
  }
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-6 py-14">
      <h1 className="sr-only">ลิงก์รายการโครงการ</h1>
      {error ? (
        <ErrorNotice title="เปิดลิงก์ไม่สำเร็จ" error={error} onRetry={() => void refetch()} retrying={isFetching} />
      ) : (
        <p className="inline-flex items-center gap-2 text-ink-muted">
          <Spinner /> กำลังเปิดรายการ…
        </p>
      )}
    </div>
  )
}

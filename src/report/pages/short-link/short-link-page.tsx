import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate } from '@tanstack/react-router'
import { Link2Off } from 'lucide-react'
import { parseReportUrlSearch } from '#src/lib/report-url.ts'
import { shortLinkSearchQuery } from '#src/report/api/short-links.ts'
import { getButtonClasses } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Spinner } from '#src/ui/spinner.tsx'

const route = getRouteApi('/_app/s/$code')

export function ShortLinkPage() {
  const { code } = route.useParams()
  const link = useQuery(shortLinkSearchQuery(code))
  return (
    <QueryView
      query={link}
      task="เปิดลิงก์"
      errorClassName="mx-auto my-14 max-w-md"
      skeleton={
        <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-6 py-14">
          <p className="inline-flex items-center gap-2 text-ink-muted">
            <Spinner /> กำลังเปิดรายการ…
          </p>
        </div>
      }
      notFound={
        <EmptyState
          icon={Link2Off}
          title="ลิงก์นี้ไม่มี หรือหมดอายุแล้ว"
          actions={
            <Link to="/report" className={getButtonClasses('primary')}>
              ไปหน้ารายงานโครงการ
            </Link>
          }
        >
          ลิงก์สั้นใช้ได้สองปีนับจากที่คัดลอกครั้งล่าสุด ตรวจว่าคัดลอกมาครบ หรือขอลิงก์ใหม่จากคนที่ส่ง
        </EmptyState>
      }
      frame={(screen) => (
        <>
          <h1 className="sr-only">ลิงก์รายการโครงการ</h1>
          {screen}
        </>
      )}
    >
      {({ search }) => <Navigate to="/report" search={parseReportUrlSearch(search)} replace />}
    </QueryView>
  )
}

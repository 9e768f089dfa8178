import { Link } from '@tanstack/react-router'
import { FileQuestion } from 'lucide-react'
import { organisationQuery } from '#src/account/api/organisations.ts'
import { userQuery } from '#src/account/api/users.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { getButtonClasses } from '#src/ui/button.tsx'
import { AppLayout } from './layout/app-layout.tsx'

export function NotFoundScreen() {
  const isAccountLoaded =
    queryClient.getQueryData(userQuery.queryKey) && queryClient.getQueryData(organisationQuery.queryKey)
  const page = (
    <div className="mx-auto flex min-h-[70dvh] max-w-md flex-col items-center justify-center gap-2 px-6 text-center">
      <span className="mb-2 inline-flex size-14 items-center justify-center rounded-full bg-surface-muted text-ink-faint">
        <FileQuestion aria-hidden className="size-7" />
      </span>
      <h1 className="text-2xl font-semibold">ไม่พบหน้านี้</h1>
      <p className="text-ink-muted">ลิงก์อาจพิมพ์ผิด ถูกย้าย หรือหมดอายุแล้ว</p>
      <Link to={isAccountLoaded ? '/report' : '/login'} className={getButtonClasses('primary', 'md', 'mt-4')}>
        {isAccountLoaded ? 'ไปหน้ารายงานโครงการ' : 'ไปหน้าเข้าสู่ระบบ'}
      </Link>
    </div>
  )
  return isAccountLoaded ? <AppLayout>{page}</AppLayout> : page
}

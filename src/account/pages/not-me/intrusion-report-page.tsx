import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { ShieldAlert } from 'lucide-react'
import type { IntrusionReportResult } from '#contract/account/second-factor.ts'
import { getRoleLabel } from '#contract/account/user.ts'
import { intrusionReportLinkEmailQuery, submitIntrusionReport } from '#src/account/api/not-me.ts'
import { getPasswordResetProblem } from '#src/account/api/passwords.ts'
import { FormSubmitError } from '#src/account/form-refusal/form-submit-error.tsx'
import { LinkOutcome } from '#src/account/mailed-link/link-outcome.tsx'
import { getErrorText } from '#src/lib/problem-error.ts'
import { endSession } from '#src/lib/session-store.ts'
import { EmailLinkPageLayout } from '#src/shell/navigation/email-link-page-layout.tsx'
import { Button, getButtonClasses } from '#src/ui/button.tsx'

const route = getRouteApi('/not-me/$token')
const LINKS = [
  ['/reset-password', 'ตั้งรหัสผ่านใหม่'],
  ['/login', 'กลับไปเข้าสู่ระบบ'],
] as const

/** Opening the page has no side effects; only the button reports, because mail scanners open links. */
export function IntrusionReportPage() {
  const { token } = route.useParams()
  const report = useMutation({
    mutationFn: () => submitIntrusionReport(token),
    // The report ended all sessions of the account, possibly including this browser's.
    onSuccess: () => endSession('logout'),
  })
  // Do not check the link again after the report, which makes it invalid and loses the cached check.
  const link = useQuery({ ...intrusionReportLinkEmailQuery(token), enabled: !report.isSuccess })
  const refusedLink = [report.error, link.error].find((error) => getPasswordResetProblem(error) !== undefined)
  const refusal = refusedLink && (
    <LinkOutcome title="ลิงก์นี้ใช้ไม่ได้แล้ว" text={getErrorText(refusedLink)} links={LINKS} isRefusal />
  )
  return (
    <EmailLinkPageLayout title="ไม่ใช่ฉัน" link={link} outcome={report.data ? <ResultPanel {...report.data} /> : refusal}>
      {(email) => (
        <div className="space-y-4">
          <h1 className="text-2xl font-semibold">ไม่ใช่คุณใช่ไหม</h1>
          <p>
            มีบางอย่างเปลี่ยนในบัญชี <span className="font-medium wrap-anywhere">{email}</span> ถ้าไม่ใช่คุณ กดปุ่มด้านล่าง
          </p>
          <ul className="list-disc space-y-1 pl-5 text-ink-muted">
            <li>ทุกอุปกรณ์ออกจากระบบทันที และรหัสผ่านเดิมใช้ไม่ได้</li>
            <li>ทุกอย่างที่เพิ่มตั้งแต่การเข้าสู่ระบบครั้งนั้นถูกยกเลิก เช่น การยืนยันสองขั้น ลิงก์ลับ LINE คีย์ API เว็บฮุก และคำเชิญ</li>
            <li>บัญชีที่เข้าทีมด้วยคำเชิญช่วงนั้นถูกปิดไว้ก่อน ผู้ดูแลทีมได้รับรายชื่อทางอีเมล</li>
            <li>คุณตั้งรหัสผ่านใหม่ในขั้นถัดไป</li>
          </ul>
          <FormSubmitError refusal={report.error} />
          <Button
            variant="danger"
            size="lg"
            icon={ShieldAlert}
            pending={report.isPending}
            onClick={() => report.mutate()}
            className="w-full"
          >
            ไม่ใช่ฉัน ออกจากระบบทุกอุปกรณ์
          </Button>
          <Link to="/login" className={getButtonClasses('quiet', 'lg', 'w-full')}>
            เป็นฉันเอง ไม่ต้องทำอะไร
          </Link>
        </div>
      )}
    </EmailLinkPageLayout>
  )
}

function ResultPanel({ reset_token: token, ended, closed_accounts: accounts }: IntrusionReportResult) {
  return (
    <div className="space-y-4">
      <h1 className="text-2xl font-semibold">ออกจากระบบทุกอุปกรณ์แล้ว</h1>
      {ended.length > 0 && (
        <div role="status">
          <p className="font-medium">ยกเลิกแล้ว</p>
          <ul className="list-disc space-y-1 pl-5 text-ink-muted">
            {ended.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
      {accounts.length > 0 && (
        <div>
          <p className="font-medium">บัญชีที่เข้าทีมด้วยคำเชิญช่วงนั้น ปิดไว้ก่อน</p>
          <ul className="list-disc space-y-1 pl-5 text-ink-muted">
            {accounts.map(({ name, email, role }) => (
              <li key={email} className="wrap-anywhere">
                {name === null ? email : `${name} (${email})`} · {getRoleLabel(role)}
              </li>
            ))}
          </ul>
          <p className="text-sm text-ink-muted">ผู้ดูแลเปิดใช้งานอีกครั้งได้ที่ ตั้งค่า แท็บทีมงาน</p>
        </div>
      )}
      <Link
        to="/reset-password/$token"
        params={{ token }}
        replace
        className={getButtonClasses('primary', 'lg', 'w-full')}
      >
        ตั้งรหัสผ่านใหม่
      </Link>
    </div>
  )
}

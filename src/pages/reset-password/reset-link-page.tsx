import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ResetProblem } from '#contract/password.ts'
import { resetProblemOf, verifyResetLink } from '#src/api/passwords.ts'
import { errorRequestId, errorText } from '#src/api/problem-error.ts'
import { PlainLayout } from '#src/features/navigation/plain-layout.tsx'
import { endSession } from '#src/lib/session-store.ts'
import { buttonClasses } from '#src/ui/button.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import { ResetForm } from './reset-form.tsx'

const route = getRouteApi('/reset-password/$token')

type LinkState =
  | { readonly is: 'asked' }
  | { readonly is: 'good'; readonly email: string }
  | { readonly is: 'bad'; readonly why: ResetProblem['code'] }
  | { readonly is: 'unknown'; readonly error: unknown }

/** The link of the mail: asks whether it works, then takes the new password. Nobody is logged in by it (R21). */
export function ResetLinkPage() {
  const { token } = route.useParams()
  const navigate = route.useNavigate()
  const [link, setLink] = useState<LinkState>({ is: 'asked' })
  const [attempt, setAttempt] = useState(1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt asks again
  useEffect(() => {
    const controller = new AbortController()
    setLink({ is: 'asked' })
    verifyResetLink(token, controller.signal).then(
      (email) => setLink({ is: 'good', email }),
      (error: unknown) => {
        if (controller.signal.aborted) return
        const why = resetProblemOf(error)
        setLink(why === undefined ? { is: 'unknown', error } : { is: 'bad', why })
      },
    )
    return () => controller.abort()
  }, [token, attempt])

  const finish = () => {
    // Every session of the account is over; the one of this browser may be among them.
    endSession('logout')
    void navigate({ to: '/login', search: { notice: 'password-changed' }, replace: true })
  }
  return (
    <PlainLayout>
      {/* The address holds the key to the account: no other site is told it, whatever the server's headers say (R21). */}
      <meta name="referrer" content="no-referrer" />
      {link.is === 'asked' && (
        <div role="status" className="flex flex-col items-center gap-3 py-6 text-ink-muted">
          <Spinner className="text-accent-ink" />
          กำลังตรวจสอบลิงก์
        </div>
      )}
      {link.is === 'unknown' && (
        <div className="space-y-4">
          <h1 className="text-2xl font-semibold">ตั้งรหัสผ่านใหม่</h1>
          <ErrorNotice
            title="ตรวจสอบลิงก์ไม่สำเร็จ"
            reason={errorText(link.error)}
            requestId={errorRequestId(link.error)}
            onRetry={() => setAttempt(attempt + 1)}
          />
        </div>
      )}
      {link.is === 'bad' && <BadLink why={link.why} />}
      {link.is === 'good' && (
        <ResetForm token={token} email={link.email} onDone={finish} onBadLink={(why) => setLink({ is: 'bad', why })} />
      )}
    </PlainLayout>
  )
}

const BAD: Record<ResetProblem['code'], { readonly title: string; readonly text: string }> = {
  reset_link_expired: {
    title: 'ลิงก์นี้หมดอายุแล้ว',
    text: 'ลิงก์ตั้งรหัสผ่านใช้ได้ 60 นาทีหลังจากขอ ขอลิงก์ใหม่แล้วเปิดจากอีเมลฉบับล่าสุด',
  },
  reset_link_used: {
    title: 'ลิงก์นี้ใช้ไปแล้ว',
    text: 'รหัสผ่านถูกเปลี่ยนด้วยลิงก์นี้แล้ว ลองเข้าสู่ระบบด้วยรหัสผ่านใหม่ ถ้าไม่ใช่คุณที่เปลี่ยน ให้ขอลิงก์ใหม่ทันที',
  },
  reset_link_unknown: {
    title: 'ลิงก์นี้ใช้ไม่ได้',
    text: 'ลิงก์อาจคัดลอกมาไม่ครบ หรือมีการขอลิงก์ใหม่หลังจากนี้ เปิดจากอีเมลฉบับล่าสุด หรือขอลิงก์ใหม่',
  },
}

function BadLink({ why }: { why: ResetProblem['code'] }) {
  const { title, text } = BAD[why]
  return (
    <div className="space-y-4">
      <h1 className="text-2xl font-semibold">{title}</h1>
      <p role="alert" className="text-ink-muted">
        {text}
      </p>
      <Link to="/reset-password" className={buttonClasses('primary', 'lg', 'w-full')}>
        ขอลิงก์ใหม่
      </Link>
      <Link to="/login" className={buttonClasses('quiet', 'lg', 'w-full')}>
        กลับไปเข้าสู่ระบบ
      </Link>
    </div>
  )
}

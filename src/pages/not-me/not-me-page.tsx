import { getRouteApi, Link } from '@tanstack/react-router'
import { ShieldAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { notMeQuery, reportNotMe } from '#src/api/account/not-me.ts'
import { resetProblemOf } from '#src/api/account/passwords.ts'
import { errorText } from '#src/api/http/problem-error.ts'
import { takeAnswer } from '#src/api/http/query-client.ts'
import { FormRefusal } from '#src/features/form-refusal/form-refusal.tsx'
import { LinkLayout } from '#src/features/navigation/link-layout.tsx'
import { endSession } from '#src/lib/session-store.ts'
import { Button, buttonClasses } from '#src/ui/button.tsx'

const route = getRouteApi('/not-me/$token')

type LinkState =
  | { readonly is: 'asked' }
  | { readonly is: 'good'; readonly email: string }
  | { readonly is: 'bad' | 'unknown'; readonly error: unknown }

/** Where "this was not me" leads: nothing happens before the button is pressed, for mail scanners open links too. */
export function NotMePage() {
  const { token } = route.useParams()
  const navigate = route.useNavigate()
  const [link, setLink] = useState<LinkState>({ is: 'asked' })
  const [attempt, setAttempt] = useState(1)
  const [refusal, setRefusal] = useState<unknown>()
  const [isPending, setPending] = useState(false)
  const refuse = (error: unknown) => setLink({ is: resetProblemOf(error) === undefined ? 'unknown' : 'bad', error })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt asks again
  useEffect(() => {
    let isGone = false
    setLink({ is: 'asked' })
    takeAnswer(notMeQuery(token)).then(
      (email) => !isGone && setLink({ is: 'good', email }),
      (error: unknown) => !isGone && refuse(error),
    )
    return () => {
      isGone = true
    }
  }, [token, attempt])
  const say = async () => {
    setPending(true)
    setRefusal(undefined)
    try {
      const reset = await reportNotMe(token)
      // Every session of the account is over; the one of this browser may be among them.
      endSession('logout')
      void navigate({ to: '/reset-password/$token', params: { token: reset }, replace: true })
    } catch (error) {
      if (resetProblemOf(error) !== undefined) refuse(error)
      else setRefusal(error)
      setPending(false)
    }
  }
  return (
    <LinkLayout title="ไม่ใช่ฉัน" link={link} onRetry={() => setAttempt(attempt + 1)}>
      {link.is === 'bad' && (
        <div className="space-y-4">
          <h1 className="text-2xl font-semibold">ลิงก์นี้ใช้ไม่ได้แล้ว</h1>
          <p role="alert" className="text-ink-muted">
            {errorText(link.error)}
          </p>
          <Link to="/reset-password" className={buttonClasses('primary', 'lg', 'w-full')}>
            ตั้งรหัสผ่านใหม่
          </Link>
          <Link to="/login" className={buttonClasses('quiet', 'lg', 'w-full')}>
            กลับไปเข้าสู่ระบบ
          </Link>
        </div>
      )}
      {link.is === 'good' && (
        <div className="space-y-4">
          <h1 className="text-2xl font-semibold">ไม่ใช่คุณใช่ไหม</h1>
          <p>
            มีบางอย่างเปลี่ยนในบัญชี <span className="font-medium wrap-anywhere">{link.email}</span> ถ้าไม่ใช่คุณ กดปุ่มด้านล่าง
          </p>
          <ul className="list-disc space-y-1 pl-5 text-ink-muted">
            <li>ทุกอุปกรณ์ออกจากระบบทันที และรหัสผ่านเดิมใช้ไม่ได้</li>
            <li>การยืนยันสองขั้น คีย์ API และเว็บฮุกที่เพิ่มตั้งแต่ตอนนั้นถูกเอาออก</li>
            <li>คุณตั้งรหัสผ่านใหม่ในขั้นถัดไป</li>
          </ul>
          <FormRefusal refusal={refusal} />
          <Button
            look="danger"
            size="lg"
            icon={ShieldAlert}
            pending={isPending}
            onClick={() => void say()}
            className="w-full"
          >
            ไม่ใช่ฉัน ออกจากระบบทุกอุปกรณ์
          </Button>
          <Link to="/login" className={buttonClasses('quiet', 'lg', 'w-full')}>
            เป็นฉันเอง ไม่ต้องทำอะไร
          </Link>
        </div>
      )}
    </LinkLayout>
  )
}

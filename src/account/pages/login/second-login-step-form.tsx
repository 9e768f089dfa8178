import { useState } from 'react'
import {
  LOGIN_STEP_EXPIRED_ERROR_CODE,
  REMEMBERED_DEVICE_LIFETIME_DAYS,
  type SecondLoginStep as Step,
} from '#contract/account/second-factor.ts'
import { IdentityProofForm } from '#src/account/account-security/identity-proof-form.tsx'
import { finishLogin, requestLoginPasskeySignature } from '#src/account/api/log-in.ts'
import { ProblemError } from '#src/lib/problem-error.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'

type SecondStepProps = {
  step: Step
  onDone: () => void
  onBack: (refusal?: unknown) => void
  loginMethod?: 'password' | 'organisation'
}

export function SecondLoginStepForm({ step, onDone, onBack, loginMethod = 'password' }: SecondStepProps) {
  const { token, ways } = step
  const [remember, setRemember] = useState(false)
  return (
    <div className="space-y-4">
      <div>
        <h1 className="text-2xl font-semibold">ยืนยันอีกขั้น</h1>
        <p className="text-ink-muted">
          {loginMethod === 'password' ? 'รหัสผ่านถูกต้อง' : 'บัญชีองค์กรถูกต้อง'} ยืนยันด้วยวิธีที่ตั้งไว้เพื่อเข้าสู่ระบบ
        </p>
      </div>
      <IdentityProofForm
        methods={ways}
        submit="เข้าสู่ระบบ"
        sign={() => requestLoginPasskeySignature(token)}
        onAnswer={async ({ password: _, ...proof }) => {
          try {
            await finishLogin({ token, remember, ...proof })
          } catch (error) {
            if (error instanceof ProblemError && error.code === LOGIN_STEP_EXPIRED_ERROR_CODE) return onBack(error)
            throw error
          }
          onDone()
        }}
        onCancel={() => onBack()}
      >
        <Checkbox checked={remember} onChange={setRemember}>
          ไม่ถามในอุปกรณ์นี้ {REMEMBERED_DEVICE_LIFETIME_DAYS} วัน{' '}
          <span className="text-sm text-ink-muted">เลือกเฉพาะเครื่องของคุณเอง</span>
        </Checkbox>
      </IdentityProofForm>
    </div>
  )
}

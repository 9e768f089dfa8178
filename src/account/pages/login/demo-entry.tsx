import { useEffect, useRef, useState } from 'react'
import { enterDemo } from '#src/account/api/log-in.ts'
import { errorRequestId, errorText } from '#src/api/http/problem-error.ts'
import { currentSession } from '#src/lib/session-store.ts'
import { Button } from '#src/ui/button.tsx'
import { FormError } from '#src/ui/form/form-error.tsx'
import { Spinner } from '#src/ui/spinner.tsx'

type DemoEntryProps = { refkey: string; onDone: () => void; onCancel: () => void }
type EntryState =
  | { readonly at: 'asking' }
  | { readonly at: 'entering'; readonly attempt: number }
  | { readonly at: 'refused'; readonly error: unknown; readonly attempt: number }

function initialState(): EntryState {
  const session = currentSession()
  return session === undefined || session.isDemo ? { at: 'entering', attempt: 1 } : { at: 'asking' }
}

/**
 * Enters the demo with the key from the URL. The next navigation replaces the URL and thereby removes the key.
 * Replacing a real session needs confirmation (R22).
 */
export function DemoEntry({ refkey, onDone, onCancel }: DemoEntryProps) {
  const [state, setState] = useState(initialState)
  const attempt = state.at === 'entering' ? state.attempt : 0
  const sentAttempt = useRef(0)
  useEffect(() => {
    // Strict mode runs effects twice; send each attempt once.
    if (attempt === 0 || sentAttempt.current === attempt) return
    sentAttempt.current = attempt
    enterDemo(refkey).then(onDone, (error: unknown) => setState({ at: 'refused', error, attempt }))
  }, [attempt, refkey, onDone])

  if (state.at === 'asking') {
    return (
      <div className="space-y-3">
        <h1 className="text-xl font-semibold">ออกจากบัญชีเดิมแล้วเข้าดูตัวอย่าง?</h1>
        <p className="text-ink-muted">เครื่องนี้เข้าสู่ระบบอยู่แล้ว ถ้าเข้าดูตัวอย่าง จะต้องเข้าสู่ระบบใหม่เพื่อกลับมาใช้บัญชีของคุณ</p>
        <div className="flex flex-wrap justify-end gap-2 pt-2">
          <Button onClick={() => setState({ at: 'entering', attempt: 1 })}>เข้าดูตัวอย่าง</Button>
          <Button variant="primary" onClick={onDone}>
            ใช้บัญชีเดิมต่อ
          </Button>
        </div>
      </div>
    )
  }
  if (state.at === 'refused') {
    return (
      <div className="space-y-3">
        <h1 className="text-xl font-semibold">เข้าดูตัวอย่างไม่สำเร็จ</h1>
        <FormError text={errorText(state.error)} requestId={errorRequestId(state.error)} />
        <div className="flex flex-wrap justify-end gap-2 pt-2">
          <Button onClick={onCancel}>ไปหน้าเข้าสู่ระบบ</Button>
          <Button variant="primary" onClick={() => setState({ at: 'entering', attempt: state.attempt + 1 })}>
            ลองใหม่
          </Button>
        </div>
      </div>
    )
  }
  return (
    <div className="flex flex-col items-center gap-3 py-6 text-ink-muted">
      <Spinner className="text-accent-ink" />
      <h1 role="status" className="text-md">
        กำลังเข้าดูตัวอย่าง
      </h1>
    </div>
  )
}

import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { startDemoSession } from '#src/account/api/log-in.ts'
import { getCurrentSession } from '#src/lib/session-store.ts'
import { Button } from '#src/ui/button.tsx'
import { LoginProblem, LoginProgress } from './login-progress.tsx'

type DemoEntryProps = { refkey: string; onDone: () => void; onCancel: () => void }

/**
 * Enters the demo with the key from the URL. The next navigation replaces the URL and thereby removes the key.
 * Replacing a real session needs confirmation (R22).
 */
export function DemoEntryPrompt({ refkey, onDone, onCancel }: DemoEntryProps) {
  const { mutate, isIdle, error } = useMutation({ mutationFn: startDemoSession, onSuccess: onDone })
  const [needsConfirmation] = useState(() => getCurrentSession()?.isDemo === false)
  const isStarted = useRef(false)
  useEffect(() => {
    // Strict mode runs effects twice, but the key must be sent only once.
    if (isStarted.current || needsConfirmation) return
    isStarted.current = true
    mutate(refkey)
  }, [needsConfirmation, mutate, refkey])

  if (isIdle && needsConfirmation) {
    return (
      <div className="space-y-3">
        <h1 className="text-xl font-semibold">ออกจากบัญชีเดิมแล้วเข้าดูตัวอย่าง?</h1>
        <p className="text-ink-muted">เครื่องนี้เข้าสู่ระบบอยู่แล้ว ถ้าเข้าดูตัวอย่าง จะต้องเข้าสู่ระบบใหม่เพื่อกลับมาใช้บัญชีของคุณ</p>
        <div className="flex flex-wrap justify-end gap-2 pt-2">
          <Button onClick={() => mutate(refkey)}>เข้าดูตัวอย่าง</Button>
          <Button variant="primary" onClick={onDone}>
            ใช้บัญชีเดิมต่อ
          </Button>
        </div>
      </div>
    )
  }
  if (error !== null) {
    const actions = (
      <>
        <Button onClick={onCancel}>ไปหน้าเข้าสู่ระบบ</Button>
        <Button variant="primary" onClick={() => mutate(refkey)}>
          ลองใหม่
        </Button>
      </>
    )
    return <LoginProblem title="เข้าดูตัวอย่างไม่สำเร็จ" error={error} actions={actions} />
  }
  return <LoginProgress>กำลังเข้าดูตัวอย่าง</LoginProgress>
}

import { useMutation } from '@tanstack/react-query'
import { startDemoSession } from '#src/account/api/log-in.ts'
import { Button } from '#src/ui/button.tsx'
import { LoginProblem, LoginProgress } from './login-progress.tsx'

type DemoEntryProps = { refkey: string; refusal: unknown; onDone: () => void; onCancel: () => void }

/**
 * Asks before the demo replaces a real session (R22), and retries an entry that the route could not make (`refusal`).
 * The next navigation replaces the URL and thereby removes the key.
 */
export function DemoEntryPrompt({ refkey, refusal, onDone, onCancel }: DemoEntryProps) {
  const { mutate, isIdle, error } = useMutation({ mutationFn: startDemoSession, onSuccess: onDone })
  const shownError = isIdle ? refusal : error

  if (isIdle && refusal === undefined) {
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
  if (shownError != null) {
    const actions = (
      <>
        <Button onClick={onCancel}>ไปหน้าเข้าสู่ระบบ</Button>
        <Button variant="primary" onClick={() => mutate(refkey)}>
          ลองใหม่
        </Button>
      </>
    )
    return <LoginProblem title="เข้าดูตัวอย่างไม่สำเร็จ" error={shownError} actions={actions} />
  }
  return <LoginProgress>กำลังเข้าดูตัวอย่าง</LoginProgress>
}

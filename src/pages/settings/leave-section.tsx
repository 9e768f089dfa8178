import { useState } from 'react'
import { leaveOrganisation } from '#src/api/account/members.ts'
import { errorMessage } from '#src/api/http/problem-error.ts'
import { Button } from '#src/ui/button.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { SettingsSection } from './settings-section.tsx'

/** Leaving the organisation: asks once in its own place, for the account closes at once. */
export function LeaveSection({ organisation }: { organisation: string }) {
  const [isAsking, setAsking] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const leave = async () => {
    setLeaving(true)
    try {
      await leaveOrganisation()
    } catch (error) {
      showToast({ text: `ออกจากองค์กรไม่สำเร็จ ${errorMessage(error)}`, tone: 'error' })
      setLeaving(false)
      setAsking(false)
    }
  }
  return (
    <SettingsSection title="ออกจากองค์กร" description="บัญชีจะถูกปิดทันที เฉพาะ Super User ขององค์กรเปิดให้ใหม่ได้">
      {isAsking ? (
        <div role="group" aria-label="ยืนยันการออกจากองค์กร" className="flex flex-wrap items-center gap-2">
          <p className="min-w-48 flex-1">ออกจาก {organisation} และออกจากระบบทุกอุปกรณ์</p>
          <Button autoFocus size="sm" onClick={() => setAsking(false)}>
            ไม่ออก
          </Button>
          <Button look="danger" size="sm" pending={isLeaving} onClick={() => void leave()}>
            ออกจากองค์กร
          </Button>
        </div>
      ) : (
        <Button onClick={() => setAsking(true)}>ออกจากองค์กร…</Button>
      )}
    </SettingsSection>
  )
}

import { useBlocker } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect, useId, useRef } from 'react'
import { getCurrentSession } from '#src/lib/session-store.ts'
import { Button } from '#src/ui/button.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'

type ReportDirty = (section: string, isDirty: boolean) => void
const DirtyContext = createContext<ReportDirty>(() => undefined)

export function useUnsavedChanges(isDirty: boolean): void {
  const report = useContext(DirtyContext)
  const section = useId()
  useEffect(() => {
    report(section, isDirty)
    return () => report(section, false)
  }, [report, section, isDirty])
}

export function UnsavedChangesGuard({ children }: { children: ReactNode }) {
  const dirty = useRef(new Set<string>())
  const report: ReportDirty = (section, isDirty) => {
    if (isDirty) dirty.current.add(section)
    else dirty.current.delete(section)
  }
  const { status, proceed, reset } = useBlocker({
    // Do not ask for confirmation when the session has ended, because saving is impossible then.
    shouldBlockFn: () => dirty.current.size > 0 && getCurrentSession() !== undefined,
    enableBeforeUnload: () => dirty.current.size > 0,
    withResolver: true,
  })
  return (
    <DirtyContext value={report}>
      {children}
      <Modal
        open={status === 'blocked'}
        onClose={() => reset?.()}
        title="ยังไม่ได้บันทึกที่แก้ไว้"
        footer={
          <>
            <Button variant="quiet" className="text-urgent" onClick={() => proceed?.()}>
              ทิ้งที่แก้
            </Button>
            <Button variant="primary" data-autofocus onClick={() => reset?.()}>
              แก้ต่อ
            </Button>
          </>
        }
      >
        <p className="px-4 py-4">ถ้าออกจากหน้านี้ ที่แก้ไว้จะหายไป</p>
      </Modal>
    </DirtyContext>
  )
}

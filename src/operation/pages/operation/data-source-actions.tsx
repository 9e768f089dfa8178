import { useMutation } from '@tanstack/react-query'
import { Play, Power, Radar, Settings2 } from 'lucide-react'
import { useState } from 'react'
import type { DataSourceStatus } from '#contract/operation/sources.ts'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { probeDataSource, runDataSourceAction } from '#src/operation/api/sources.ts'
import { Button } from '#src/ui/button.tsx'
import { Modal, preloadModal } from '#src/ui/overlay/modal.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { DataSourceForm } from './data-source-form.tsx'

export function DataSourceActions({ source }: { source: DataSourceStatus }) {
  const { source: name, label, is_on: isOn } = source
  const [openDialog, setOpen] = useState<'settings' | 'off'>()
  const { mutate, isPending, variables } = useMutation(runDataSourceAction)
  const close = () => setOpen(undefined)
  const probe = useMutation({
    mutationFn: () => probeDataSource(name),
    onSuccess: ({ said: reply, ms }) =>
      showToast({
        text: `${label} ตอบใน ${(ms / 1000).toFixed(1)} วินาที: ${reply}`,
        tone: 'done',
        key: `probe ${name}`,
      }),
    onError: (error) =>
      showToast({ text: `ลองถาม ${label} ไม่ได้: ${formatErrorMessage(error)}`, tone: 'error', key: `probe ${name}` }),
  })
  const run = () =>
    mutate(
      { source: name, act: 'run' },
      { onSuccess: () => showToast({ text: `${label} จะดึงต่อภายใน 15 วินาที`, tone: 'done' }) },
    )
  return (
    <>
      {isOn && source.halted === null ? (
        <>
          <Button
            size="sm"
            icon={Play}
            pending={isPending && variables.act === 'run'}
            onClick={run}
            aria-label={`ดึงตอนนี้ ${label}`}
          >
            ดึงตอนนี้
          </Button>
          {source.coverage && (
            <Button
              size="sm"
              icon={Radar}
              pending={probe.isPending}
              onClick={() => probe.mutate()}
              aria-label={`ลองถาม 1 คำขอ ${label}`}
            >
              ลองถาม 1 คำขอ
            </Button>
          )}
          <Button
            size="sm"
            icon={Settings2}
            onPointerEnter={preloadModal}
            onClick={() => setOpen('settings')}
            aria-label={`ตั้งค่า ${label}`}
          >
            ตั้งค่า
          </Button>
          <Button
            size="sm"
            icon={Power}
            onPointerEnter={preloadModal}
            onClick={() => setOpen('off')}
            aria-label={`ปิด ${label}`}
          >
            ปิด
          </Button>
        </>
      ) : (
        <Button
          size="sm"
          icon={Power}
          onPointerEnter={preloadModal}
          onClick={() => setOpen('settings')}
          aria-label={`เปิด ${label}`}
        >
          {isOn ? 'เปิดใหม่' : 'เปิด'}
        </Button>
      )}
      <Modal
        open={openDialog === 'settings'}
        onClose={close}
        title={isOn && source.halted === null ? `ตั้งค่า ${label}` : `เปิด ${label}`}
        description={
          source.needs_contact ? 'ระบบถามทีละคำขอ บอกชื่อจริง และหยุดทันทีเมื่อต้นทางขอ ติดต่อต้นทางก่อนเปิดครั้งแรก' : undefined
        }
      >
        <DataSourceForm source={source} onDone={close} />
      </Modal>
      <Modal
        open={openDialog === 'off'}
        onClose={close}
        title={`ปิด ${label}`}
        footer={
          <>
            <Button onClick={close} data-autofocus>
              ไม่ปิด
            </Button>
            <Button
              variant="danger"
              onClick={() => {
                close()
                mutate({ source: name, act: 'off' })
              }}
            >
              ปิดแหล่งนี้
            </Button>
          </>
        }
      >
        <p className="p-4">ระบบจะหยุดดึงทันที ข้อมูลที่มาแล้วยังอยู่ครบ เปิดใหม่ได้ทุกเมื่อ</p>
      </Modal>
    </>
  )
}

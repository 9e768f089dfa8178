import { useMutation } from '@tanstack/react-query'
import { Play, Power, Radar, Settings2 } from 'lucide-react'
import { useState } from 'react'
import { type DataSourceStatus, enableDataSourceRequestSchema } from '#contract/operation/sources.ts'
import { SchemaForm, useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { enableDataSource, probeDataSource, runDataSourceAction } from '#src/operation/api/sources.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { ConfirmDialog } from '#src/ui/overlay/confirm-dialog.tsx'
import { Modal, preloadModal } from '#src/ui/overlay/modal.tsx'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'
import { showToast, type Toast } from '#src/ui/overlay/toast.ts'

export function DataSourceActions({ source }: { source: DataSourceStatus }) {
  const { source: name, label, is_on: isOn } = source
  const [openDialog, setOpen] = useState<'settings' | 'off'>()
  const { mutate, isPending, variables } = useMutation(runDataSourceAction)
  const close = () => setOpen(undefined)
  const showProbeToast = (tone: Toast['tone'], text: string) => showToast({ tone, text, key: `probe ${name}` })
  const probe = useMutation({
    mutationFn: () => probeDataSource(name),
    onSuccess: ({ said: reply, ms }) =>
      showProbeToast('done', `${label} ตอบใน ${(ms / 1000).toFixed(1)} วินาที: ${reply}`),
    onError: (error) => showProbeToast('error', `ลองถาม ${label} ไม่ได้: ${formatErrorMessage(error)}`),
  })
  const run = () =>
    mutate({ source: name, act: 'run' }, { onSuccess: () => showDoneToast(`${label} จะดึงต่อภายใน 15 วินาที`) })
  return (
    <>
      {isOn && source.halted === null ? (
        <>
          <Button size="sm" icon={Play} pending={isPending && variables.act === 'run'} onClick={run} of={label}>
            ดึงตอนนี้
          </Button>
          {source.coverage && (
            <Button size="sm" icon={Radar} pending={probe.isPending} onClick={() => probe.mutate()} of={label}>
              ลองถาม 1 คำขอ
            </Button>
          )}
          <Button
            size="sm"
            icon={Settings2}
            onPointerEnter={preloadModal}
            onClick={() => setOpen('settings')}
            of={label}
          >
            ตั้งค่า
          </Button>
          <Button size="sm" icon={Power} onPointerEnter={preloadModal} onClick={() => setOpen('off')} of={label}>
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
      <ConfirmDialog
        open={openDialog === 'off'}
        onClose={close}
        title={`ปิด ${label}`}
        no="ไม่ปิด"
        yes="ปิดแหล่งนี้"
        onYes={() => {
          close()
          mutate({ source: name, act: 'off' })
        }}
      >
        ระบบจะหยุดดึงทันที ข้อมูลที่มาแล้วยังอยู่ครบ เปิดใหม่ได้ทุกเมื่อ
      </ConfirmDialog>
    </>
  )
}

/** Form for a data source; submitting it also switches the source on. */
function DataSourceForm({ source, onDone }: { source: DataSourceStatus; onDone: () => void }) {
  const { needs_contact: needsContact } = source
  const { mutateAsync } = useMutation(enableDataSource)
  const form = useSchemaForm(
    {
      schema: enableDataSourceRequestSchema,
      fields: ['contact', 'opens_at', 'closes_at', 'pace_seconds'],
      mode: 'onTouched',
      defaultValues: {
        ...(needsContact ? { contact: source.contact ?? '' } : {}),
        opens_at: source.opens_at,
        closes_at: source.closes_at,
        pace_seconds: source.pace_seconds,
      },
    },
    async (settings) => {
      await mutateAsync({ source: source.source, settings })
      showDoneToast(`${source.label} เปิดแล้ว`)
      onDone()
    },
  )
  const { field } = form
  return (
    <SchemaForm form={form} className="space-y-4 p-4">
      {needsContact && (
        <TextField
          label="อีเมลติดต่อ"
          type="email"
          autoComplete="email"
          data-autofocus
          hint="ไปกับทุกคำขอ เพื่อให้ต้นทางบอกเราได้เมื่อมีปัญหา"
          {...field('contact')}
        />
      )}
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField label="เริ่มถาม" inputMode="numeric" {...field('opens_at')} />
        <TextField label="เลิกถาม" inputMode="numeric" {...field('closes_at')} />
        <TextField
          label="ห่างกัน (วินาที)"
          type="number"
          inputMode="decimal"
          {...field('pace_seconds', { valueAsNumber: true })}
        />
      </div>
      <p className="text-xs text-ink-muted wrap-anywhere">
        {source.address} · เปลี่ยนที่อยู่ได้ที่เครื่องแม่ข่ายเท่านั้น (npm run intake)
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>ยกเลิก</Button>
        <Button type="submit" variant="primary" pending={form.isSubmitting}>
          {source.is_on && source.halted === null ? 'บันทึก' : 'เปิดแหล่งนี้'}
        </Button>
      </div>
    </SchemaForm>
  )
}

import { useMutation, useQuery } from '@tanstack/react-query'
import { type DocumentAnswerSettings, MAX_PAGES_SENT_TO_MODEL } from '#contract/documents/document-answer.ts'
import { useUser } from '#src/account/api/users.ts'
import { documentAnswerSettingsQuery, saveDocumentAnswerConsent } from '#src/documents/api/answers.ts'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { Button } from '#src/ui/button.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'

export function DocumentAnswerConsentSwitch({ settings }: { settings: DocumentAnswerSettings }) {
  const { state, host, model, is_here: isHere } = settings
  const isOn = state === 'on'
  const change = useMutation({
    mutationFn: () => saveDocumentAnswerConsent({ is_on: !isOn, host: host!, model: model! }),
  })
  if (useUser().role !== 'super_user')
    return <p className="text-sm text-ink-muted">องค์กรของคุณยังไม่ได้เปิดใช้การถามเอกสาร ผู้ดูแลองค์กร (Super User) เปิดได้</p>
  return (
    <div className="flex flex-col items-start gap-3 text-sm">
      <div className="flex flex-col gap-2 wrap-anywhere">
        <p>
          เมื่อมีคนในองค์กรถาม ระบบส่งคำถามกับข้อความไม่เกิน {MAX_PAGES_SENT_TO_MODEL} หน้าจากเอกสารของโครงการนั้น รวมไฟล์ที่ทีมเพิ่มเอง
          ไปยัง <b>{host}</b> (โมเดล {model}){isHere && ' ซึ่งอยู่บนเครื่องแม่ข่ายนี้เอง ข้อความไม่ออกไปที่อื่น'}
        </p>
        <p className="text-ink-muted">
          ไม่ส่งชื่อไฟล์ ชื่อองค์กร หรือเอกสารของโครงการอื่น คำตอบคือประโยคในเอกสารที่ตรวจแล้วว่าตรงทุกตัวอักษร พร้อมเลขหน้า
          ประวัติการใช้งานบันทึกว่ามีการถาม แต่ไม่บันทึกคำถาม
        </p>
      </div>
      <Button pending={change.isPending} onClick={() => change.mutate()}>
        {isOn ? 'ปิดการถามเอกสาร' : 'เปิดให้ทั้งองค์กรใช้'}
      </Button>
      {change.error && (
        <p role="alert" className="text-urgent">
          {formatErrorMessage(change.error)}
        </p>
      )}
    </div>
  )
}

export function DocumentAnswerSettingsSection() {
  const settings = useQuery(documentAnswerSettingsQuery)
  return (
    <QueryView
      query={settings}
      task="เปิดการตั้งค่านี้"
      skeleton={<SkeletonGroup label="กำลังเปิดการตั้งค่า" className="flex flex-col gap-2" bars={['w-full', 'w-1/2']} />}
      isEmpty={({ state }) => state === 'unavailable'}
      empty={
        <p className="text-sm text-ink-muted">
          ระบบนี้ยังไม่ได้เปิดการถามเอกสาร ส่วนอื่นของเอกสารใช้ได้ครบ และไม่มีข้อความใดออกไปภายนอก
        </p>
      }
    >
      {(data) => <DocumentAnswerConsentSwitch settings={data} />}
    </QueryView>
  )
}

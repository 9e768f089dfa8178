import { useMutation, useQuery } from '@tanstack/react-query'
import { Download, Printer } from 'lucide-react'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { z } from 'zod/mini'
import {
  DRAFT_OBSERVATION_KINDS,
  type DraftObservation,
  type DraftObservations,
} from '#contract/documents/draft-observation.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { buildDraftLetter, MAX_LETTER_OBSERVATIONS } from '#contract/team/build-draft-letter.ts'
import { MAX_DRAFT_LETTER_LENGTH } from '#contract/team/draft-comment.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { SchemaForm, useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { DocumentLink } from '#src/documents/document-link.tsx'
import { getErrorText } from '#src/lib/problem-error.ts'
import { thaiDateSchema } from '#src/lib/thai-date-schema.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { downloadDraftLetter, draftObservationsQuery, saveDraftComment } from '#src/team/api/draft-comments.ts'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { TextArea } from '#src/ui/form/text-area.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'

const sentLetterSchema = z.object({ commented_on: z.pipe(thaiDateSchema, z.string('ใส่วันที่ส่ง')) })

type DraftLetterDialogProps = { row: ReportRow; onClose: () => void }

export function DraftLetterDialog({ row, onClose }: DraftLetterDialogProps) {
  const observations = useQuery(draftObservationsQuery(row.project_id))
  return (
    <Modal
      open
      onClose={onClose}
      title="จดหมายข้อสังเกตต่อร่าง TOR"
      description="แก้ข้อความได้ ตรวจข้อสังเกตกับร่างก่อนส่งถึงหน่วยงานทุกครั้ง"
      className="sm:max-w-3xl!"
    >
      <QueryView
        query={observations}
        task="อ่านเอกสารของโครงการ"
        errorClassName="m-4"
        skeleton={<SkeletonGroup label="กำลังอ่านเอกสาร" className="space-y-3 p-4" bars={['h-16', 'h-64']} />}
      >
        {(result) => <LetterEditor row={row} result={result} onClose={onClose} />}
      </QueryView>
    </Modal>
  )
}

function LetterEditor({ row, result, onClose }: DraftLetterDialogProps & { result: DraftObservations }) {
  const { name: organisation } = useOrganisation()
  const today = useBangkokToday()
  const { observations } = result
  const [chosen, setChosen] = useState(() => observations.slice(0, MAX_LETTER_OBSERVATIONS))
  const [edited, setEdited] = useState<string>()
  const prepared = buildDraftLetter({ ...row, organisation, today }, chosen)
  const text = edited ?? prepared
  const word = useMutation({ mutationFn: () => downloadDraftLetter(row.project_id, text) })
  const form = useSchemaForm(
    {
      schema: sentLetterSchema,
      fields: ['commented_on'],
      mode: 'onChange',
      defaultValues: { commented_on: formatThaiDate(today) },
    },
    async ({ commented_on }) => {
      await saveDraftComment(row.project_id, { commented_on, text })
      showDoneToast('บันทึกจดหมายและวันที่ส่งแล้ว')
      onClose()
    },
  )
  return (
    <div className="flex flex-col gap-4 p-4">
      <ObservationChoices
        result={result}
        projectId={row.project_id}
        chosen={chosen}
        onToggle={(toggled, isChosen) =>
          setChosen(observations.filter((other) => (other === toggled ? isChosen : chosen.includes(other))))
        }
      />
      <div>
        <div className="mb-1 flex flex-wrap items-center gap-2">
          <label htmlFor="draft-letter" className="font-medium">
            ข้อความในจดหมาย
          </label>
          {edited !== undefined && edited !== prepared && (
            <Button variant="link" size="sm" onClick={() => setEdited(undefined)}>
              ร่างใหม่จากข้อที่เลือก
            </Button>
          )}
        </div>
        <TextArea
          id="draft-letter"
          rows={18}
          maxLength={MAX_DRAFT_LETTER_LENGTH}
          value={text}
          onChange={({ currentTarget }) => setEdited(currentTarget.value)}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button icon={Download} pending={word.isPending} onClick={() => word.mutate()}>
          ดาวน์โหลด Word
        </Button>
        <Button icon={Printer} onClick={() => window.print()}>
          พิมพ์หรือบันทึกเป็น PDF
        </Button>
      </div>
      {word.error && (
        <p role="alert" className="text-sm text-urgent">
          {getErrorText(word.error)}
        </p>
      )}
      <SchemaForm form={form} className="border-t border-line pt-3">
        <p className="mb-2 text-sm text-ink-muted">
          เมื่อส่งถึงหน่วยงานแล้ว บันทึกวันที่และข้อความไว้เป็นหลักฐาน เพราะการวิจารณ์ร่างรักษาสิทธิอุทธรณ์เรื่องขอบเขตงาน
        </p>
        <div className="flex flex-wrap items-end gap-2">
          <TextField label="ส่งเมื่อวันที่" autoComplete="off" {...form.field('commented_on')} />
          <Button
            variant="primary"
            type="submit"
            disabled={!form.formState.isValid || text.trim() === ''}
            pending={form.isSubmitting}
          >
            บันทึกว่าส่งแล้ว
          </Button>
        </div>
      </SchemaForm>
      {/* In the typeface of the page, which every device has, for printing or saving as PDF. */}
      {createPortal(
        <div className="print-alone hidden bg-white text-[11pt] leading-snug whitespace-pre-wrap text-black [tab-size:25mm] print:block">
          {text}
        </div>,
        document.body,
      )}
    </div>
  )
}

type ObservationChoicesProps = {
  result: DraftObservations
  projectId: string
  chosen: readonly DraftObservation[]
  onToggle: (observation: DraftObservation, isChosen: boolean) => void
}

function ObservationChoices({ result, projectId, chosen, onToggle }: ObservationChoicesProps) {
  const { observations, read, unread } = result
  const unreadText = unread > 0 ? ` อีก ${unread} ไฟล์ระบบอ่านข้อความไม่ได้ ตรวจเอง` : ''
  if (observations.length === 0)
    return (
      <p className="text-ink-muted">
        {read === 0
          ? 'ยังไม่มีร่างที่ระบบอ่านได้ จดหมายจึงเริ่มโดยไม่มีข้อสังเกต เพิ่มไฟล์ร่างที่แท็บเอกสารแล้วเปิดใหม่ หรือเขียนเอง'
          : `อ่าน ${read} ไฟล์แล้วไม่พบข้อที่อาจจำกัดการแข่งขัน จดหมายจึงเริ่มโดยไม่มีข้อสังเกต เขียนข้อที่เห็นเองได้`}
        {unreadText}
      </p>
    )
  return (
    <fieldset>
      <legend className="mb-1 font-medium">ข้อสังเกตจากเอกสาร</legend>
      <p className="mb-2 text-sm text-ink-muted">
        ข้อที่อาจจำกัดการแข่งขันจาก {read} ไฟล์ เลือกข้อที่จะใส่ในจดหมาย
        {observations.length > MAX_LETTER_OBSERVATIONS && ` เกิน ${MAX_LETTER_OBSERVATIONS} ข้อ จดหมายอาจยาวกว่าหนึ่งหน้า`}
        {unreadText}
      </p>
      <ul className="max-h-56 space-y-2 overflow-y-auto">
        {observations.map((observation) => {
          const { kind, sentence, page, document } = observation
          return (
            <li key={`${document.id} ${page} ${kind} ${sentence}`}>
              <Checkbox checked={chosen.includes(observation)} onChange={(isChosen) => onToggle(observation, isChosen)}>
                <span className="font-medium">{DRAFT_OBSERVATION_KINDS[kind]}</span>{' '}
                <span className="text-ink-muted">“{sentence}”</span>
              </Checkbox>
              <DocumentLink
                projectId={projectId}
                documentId={document.id}
                search={{ page }}
                target="_blank"
                className="ml-7 text-sm text-accent-ink hover:underline"
              >
                {document.name} หน้า {page}
              </DocumentLink>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}

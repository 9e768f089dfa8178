import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import { findKeywordProblem, toKeywordKey } from '#contract/matching/keyword.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { getErrorText } from '#src/lib/problem-error.ts'
import { addKeywords, getKeywordErrors } from '#src/matching/api/keywords.ts'
import { KeywordPreviewPanel } from '#src/matching/keyword-impact/keyword-preview-panel.tsx'
import { getKeywordProblemText } from '#src/matching/keywords/keyword-problem-text.ts'
import { useWatchListsLocked } from '#src/matching/keywords/watch-lists-locked-banner.tsx'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'
import { TogglePill } from '#src/ui/toggle-pill.tsx'

/** Procurement terms that occur in most titles; excluding one would empty the report. */
const GENERIC_TERMS =
  /^(ประกวด|ราคา|ซื้อ|จ้าง|เช่า|เหมา|โครงการ|จำนวน|พร้อม|ติดตั้ง|ด้วย|โดย|วิธี|เฉพาะ|เจาะจง|คัดเลือก|อิเล็กทรอนิกส์|สำหรับ|ของ|ใน|และ|ที่|ตาม|ภายใน|ผ่าน|หรือ|แบบ|เดิม|ขนาด|ชนิด|ณ|ประจำ|ปี|งบประมาณ|พ\.ศ\.|หมู่|ตำบล|อำเภอ|จังหวัด|เทศบาล|องค์การ|บริหาร|ส่วน|งาน|ชุด|ตัว|เครื่อง|คัน|รายการ|ระบบ|การ)$/
const MAX_SUGGESTIONS = 8

export function suggestExclusionKeywords({
  name,
  matched_words: matched,
}: Pick<ReportRow, 'name' | 'matched_words'>): string[] {
  const matchedKeys = new Set(matched.map(toKeywordKey))
  const segmenter = new Intl.Segmenter('th', { granularity: 'word' })
  const words = [...segmenter.segment(name)].flatMap(({ segment, isWordLike }) => {
    const word = segment.trim()
    const isCandidate =
      isWordLike === true && word.length >= 3 && !/^[\d๐-๙.,]+$/.test(word) && !GENERIC_TERMS.test(word)
    return isCandidate && !matchedKeys.has(toKeywordKey(word)) ? [word] : []
  })
  return [...new Set(words)].slice(0, MAX_SUGGESTIONS)
}

export type AddExclusionDialogProps = {
  row: Pick<ReportRow, 'name' | 'matched_words'>
  start: string
  onClose: () => void
}

export function AddExclusionDialog({ row, start, onClose }: AddExclusionDialogProps) {
  const organisation = useOrganisation()
  const isLocked = useWatchListsLocked(organisation.customer_config)
  const { register, handleSubmit, control, setValue, setError, clearErrors, formState } = useForm({
    defaultValues: { word: start },
  })
  const word = useWatch({ control, name: 'word' })
  const key = toKeywordKey(word)
  const isListed = organisation.exclude.some((excluded) => toKeywordKey(excluded.word) === key)
  const add = useMutation({
    mutationFn: (newWord: string) => addKeywords([{ list: 'exclude', entry: { word: newWord } }]),
    onSuccess: (_, newWord) => {
      showDoneToast(`เพิ่มคำไม่รวม “${newWord}” แล้ว โครงการที่คำนี้กันไว้ดูได้ในหน้าคำติดตาม`)
      onClose()
    },
    onError: (error) =>
      setError('word', { message: getKeywordErrors(error)?.lines[0]?.message ?? getErrorText(error) }),
  })
  const submit = handleSubmit((form) => {
    if (!isLocked && !isListed) add.mutate(form.word.trim())
  })
  return (
    <Modal
      open
      onClose={onClose}
      title="เพิ่มคำไม่รวม"
      description="โครงการที่ชื่อมีคำนี้จะไม่อยู่ในรายงานขององค์กร ดูผลก่อนแล้วจึงบันทึก"
      footer={
        <>
          <Link
            to="/watch"
            search={{ list: 'exclude', word }}
            className="mr-auto self-center text-accent-ink hover:underline"
          >
            ไปหน้าคำติดตาม
          </Link>
          <Button onClick={onClose}>ยกเลิก</Button>
          <Button
            variant="primary"
            type="submit"
            form="exclude-word"
            pending={add.isPending}
            disabled={isLocked || isListed}
          >
            เพิ่มคำไม่รวม
          </Button>
        </>
      }
    >
      <form id="exclude-word" onSubmit={(event) => void submit(event)} className="flex flex-col gap-3 p-4">
        <p className="text-sm text-ink-muted">{row.name}</p>
        <TextField
          label="คำไม่รวม"
          data-autofocus
          error={formState.errors.word?.message}
          hint={
            isLocked
              ? 'ช่วงนี้ระบบกำลังเตรียมรายงาน จึงยังแก้คำไม่ได้ ดูผลของคำได้ตามปกติ'
              : isListed
                ? 'มีคำนี้ในรายการคำไม่รวมแล้ว'
                : undefined
          }
          {...register('word', {
            validate: (typed) => {
              const checked = findKeywordProblem('exclude', typed)
              return checked.ok || getKeywordProblemText(checked.code)
            },
          })}
        />
        <div className="flex flex-wrap gap-1.5">
          {suggestExclusionKeywords(row).map((offer) => (
            <TogglePill
              key={offer}
              isOn={toKeywordKey(offer) === key}
              onClick={() => {
                setValue('word', offer)
                clearErrors()
              }}
            >
              {offer}
            </TogglePill>
          ))}
        </div>
        <KeywordPreviewPanel draft={{ list: 'exclude', word }} excluded={[]} onExcluded={() => undefined} />
      </form>
    </Modal>
  )
}

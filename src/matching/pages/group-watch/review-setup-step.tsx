import { SearchX } from 'lucide-react'
import { formatCount } from '#contract/thai/thai-number.ts'
import { getErrorText } from '#src/lib/problem-error.ts'
import { useKeywordPreview } from '#src/matching/api/keyword-impact.ts'
import { KeywordImpactSamples } from '#src/matching/keyword-impact/keyword-impact-samples.tsx'
import { KeywordNoiseLevelIndicator } from '#src/matching/keyword-impact/keyword-noise-level-indicator.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { FormError } from '#src/ui/form/form-error.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import type { WatchListSetupStepProps } from './watch-list-setup-draft.ts'
import { toSetupPreviewRequest } from './watch-list-setup-keywords.ts'

type StepCheckProps = Pick<WatchListSetupStepProps, 'draft'> & {
  failure: unknown
  onGoToStep: (step: 2 | 3 | 4) => void
}

const MAX_SHOWN = 20
const EDITABLE_STEPS = [
  [2, 'แก้คำ'],
  [3, 'แก้คำที่ไม่รวม'],
  [4, 'แก้หน่วยงาน'],
] as const

export function ReviewSetupStep({ draft, failure, onGoToStep }: StepCheckProps) {
  const preview = useKeywordPreview(toSetupPreviewRequest(draft))
  return (
    <div className="space-y-4">
      {failure !== undefined && (
        <FormError error={failure} text={`ยังบันทึกไม่เสร็จ: ${getErrorText(failure)} สิ่งที่เลือกไว้ยังอยู่ครบ ลองอีกครั้งได้`} />
      )}
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-ink-muted">ยังไม่ใช่แบบที่ต้องการ</span>
        {EDITABLE_STEPS.map(([step, text]) => (
          <Button key={step} size="sm" onClick={() => onGoToStep(step)}>
            {text}
          </Button>
        ))}
      </div>
      <section aria-label="ตัวอย่างรายงาน" className="rounded-card border border-line bg-surface p-3 sm:p-4">
        <QueryView
          query={preview}
          task="คำนวณตัวอย่าง"
          notesStale
          errorReason={(error) => `${getErrorText(error)} ยังบันทึกและเปิดรายงานได้ตามปกติ`}
          skeleton={
            <SkeletonGroup
              label="กำลังคำนวณรายงาน"
              className="space-y-3"
              bars={['w-1/2', 'w-full', 'w-3/4', 'w-full', 'w-2/3']}
            />
          }
        >
          {({ after, days, per_working_day, level, after_samples: samples }) => (
            <div aria-busy={preview.isPlaceholderData} className={preview.isPlaceholderData ? 'opacity-60' : undefined}>
              <p role="status" className="mb-3">
                <span className="block text-xl font-semibold tabular-nums">{formatCount(after)} โครงการ</span>
                <span className="text-ink-muted">
                  ใน {days} วันที่ผ่านมา ·{' '}
                  <KeywordNoiseLevelIndicator perWorkingDay={per_working_day} level={level} advises />
                </span>
              </p>
              {after === 0 ? (
                <EmptyState icon={SearchX} title="ยังไม่มีโครงการที่ตรง">
                  ลองคำที่สั้นลง เพิ่มคำใกล้เคียง หรือเพิ่มหน่วยงาน
                </EmptyState>
              ) : (
                <KeywordImpactSamples
                  title={`ล่าสุด ${formatCount(Math.min(MAX_SHOWN, samples.length))} จาก ${formatCount(after)} โครงการ`}
                  projects={samples}
                  first={MAX_SHOWN}
                />
              )}
            </div>
          )}
        </QueryView>
      </section>
    </div>
  )
}

import type { Preview } from '#contract/keyword-impact.ts'
import { usePreview } from '#src/api/keyword-impact.ts'
import { errorRequestId, errorText } from '#src/api/problem-error.ts'
import { classNames } from '#src/lib/class-names.ts'
import { countText } from '#src/lib/money-text.ts'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import { ImpactFigures } from './impact-figures.tsx'
import { ImpactNotes } from './impact-notes.tsx'
import { ImpactSamples } from './impact-samples.tsx'
import { spokenImpact } from './impact-words.ts'
import { draftProblem, type PreviewDraft, previewRequest, useRestingDraft } from './preview-draft.ts'
import { TrapBox, trapsToOffer } from './trap-box.tsx'

type PreviewPanelProps = {
  /** Follows the typing; the panel itself waits until it rests. */
  draft: PreviewDraft
  /** Exclusions that will be saved with the word. */
  excluded: readonly string[]
  onExcluded: (words: string[]) => void
  /** The list's switch is off: the word will find nothing until it is on. */
  isListOff?: boolean | undefined
}

/** What a word would do to the report of the last 30 days, before it is saved. */
export function PreviewPanel({ draft, excluded, onExcluded, isListOff = false }: PreviewPanelProps) {
  const rested = useRestingDraft(draft)
  const problem = draftProblem(rested)
  const wanted = { enabled: problem === undefined }
  const now = usePreview(previewRequest(rested, excluded), wanted)
  // Traps of the word alone: the very first answer, so this asks nothing more.
  const alone = usePreview(previewRequest(rested, []), wanted)
  const preview = now.data
  const isOld = now.isPlaceholderData || rested !== draft
  const isSettled = preview !== undefined && !isOld && problem === undefined
  return (
    <section aria-label="ผลกับรายงานก่อนบันทึก" className="flex flex-col gap-3">
      <VisuallyHidden live>{isSettled ? spokenImpact(preview) : ''}</VisuallyHidden>
      {problem !== undefined ? (
        <p className="text-sm text-ink-muted">
          {draft.word.trim() === '' ? 'พิมพ์คำ แล้วดูก่อนบันทึกว่ารายงานจะเปลี่ยนอย่างไร' : problem}
        </p>
      ) : now.isError ? (
        <ErrorNotice
          title="ดูผลของคำนี้ไม่สำเร็จ"
          reason={errorText(now.error)}
          requestId={errorRequestId(now.error)}
          onRetry={() => void now.refetch()}
          retrying={now.isFetching}
        />
      ) : preview === undefined ? (
        <SkeletonGroup label="กำลังคำนวณผลกับรายงาน" className="grid grid-cols-2 gap-2">
          <Skeleton className="h-16" />
          <Skeleton className="h-16" />
        </SkeletonGroup>
      ) : (
        <div aria-busy={isOld} className={classNames('flex flex-col gap-3 transition-opacity', isOld && 'opacity-60')}>
          <ImpactFigures preview={preview} />
          {isListOff && <p className="text-sm text-updated">สวิตช์ของรายการนี้ปิดอยู่ คำนี้จะมีผลเมื่อเปิดสวิตช์</p>}
          <TrapBox
            traps={trapsToOffer(alone.isPlaceholderData ? [] : (alone.data?.traps ?? []), preview.traps)}
            excluded={excluded}
            onExcluded={onExcluded}
          />
          <ImpactNotes preview={preview} excluded={excluded} />
          {!isOld && preview.added === 0 && preview.removed === 0 && (
            <NothingChanges draft={rested} preview={preview} />
          )}
          <Samples draft={rested} preview={preview} excluded={excluded} />
        </div>
      )}
    </section>
  )
}

function Samples({ draft, preview, excluded }: { draft: PreviewDraft; preview: Preview; excluded: readonly string[] }) {
  const excludes = draft.list === 'exclude' || draft.list === 'ai_exclude'
  const against = draft.list === 'exclude' ? [draft.word, ...excluded] : excluded
  return (
    <>
      <ImpactSamples
        title={
          <>
            {excluded.length > 0 && !excludes ? 'ตัวอย่างเมื่อไม่รวมแล้ว เหลือ' : 'ตัวอย่างที่จะเพิ่ม'}{' '}
            <b className="font-semibold text-ink tabular-nums">{countText(preview.added)}</b> โครงการ
          </>
        }
        projects={preview.added_samples}
      />
      <ImpactSamples
        title={
          <>
            ตัวอย่างที่จะเอาออก <b className="font-semibold text-ink tabular-nums">{countText(preview.removed)}</b> โครงการ
          </>
        }
        projects={preview.removed_samples}
        areInReport
        first={excludes ? 5 : 3}
        against={against}
      />
    </>
  )
}

const NOTHING: Readonly<Record<PreviewDraft['list'], string>> = {
  include: 'ไม่มีชื่อโครงการใดมีคำนี้ ลองคำที่สั้นลง สะกดแบบอื่น หรือใช้คำใกล้เคียง (AI)',
  exclude: 'ไม่มีโครงการในรายงานมีคำนี้ เพิ่มไว้ก็ยังไม่ซ่อนอะไร',
  ai_include: 'ไม่มีชื่อโครงการใดมีคำเหล่านี้ ลองเลือกคำแนะนำเพิ่ม',
  ai_exclude: 'ไม่มีโครงการในรายงานมีคำเหล่านี้ เลือกเฉพาะคำที่ต้องการซ่อน',
  deptsub_include: 'หน่วยงานนี้ไม่มีโครงการใหม่ที่ยังไม่อยู่ในรายงาน',
}

/** Why a word changes nothing, and what to try. */
function NothingChanges({ draft, preview }: { draft: PreviewDraft; preview: Preview }) {
  const isCovered = preview.overlaps.length > 0 || preview.conflicts.length > 0
  return (
    <p className="text-sm text-ink-muted">
      {preview.looked_at === 0
        ? `ยังไม่มีโครงการในช่วง ${preview.days} วันให้ลองดูผล`
        : isCovered
          ? `${preview.days} วันที่ผ่านมาคำนี้ไม่เปลี่ยนรายงาน`
          : `${preview.days} วันที่ผ่านมา${NOTHING[draft.list]}`}
    </p>
  )
}

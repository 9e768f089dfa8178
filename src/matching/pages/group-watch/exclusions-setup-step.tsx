import { toKeywordKey } from '#contract/matching/keyword.ts'
import type { KeywordPreview } from '#contract/matching/keyword-impact.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useKeywordPreview } from '#src/matching/api/keyword-impact.ts'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { Spinner } from '#src/ui/spinner.tsx'
import { SetupKeywordBox } from './setup-keyword-box.tsx'
import type { WatchListSetupDraft, WatchListSetupStepProps } from './watch-list-setup-draft.ts'
import {
  addValidSetupKeywords,
  computeRemainingListLimits,
  listChosenSetupKeywords,
  toSetupPreviewRequest,
} from './watch-list-setup-keywords.ts'

const MAX_TRAPS = 15

type Offer = {
  readonly word: string
  readonly of: readonly string[]
  readonly count: number | undefined
  readonly sample: string | undefined
}

export function ExclusionsSetupStep({ draft, organisation, onChange }: WatchListSetupStepProps) {
  const suggested = falseFriends(draft)
  const hasWords = listChosenSetupKeywords(draft, 'include').length > 0
  const preview = useKeywordPreview(toSetupPreviewRequest(draft, []), { enabled: hasWords })
  // `conflicts` in the response contains the number of projects that each suggestion would remove.
  const impact = useKeywordPreview(toSetupPreviewRequest(draft, suggested), {
    enabled: hasWords && suggested.length > 0,
  })
  const offers = toOffers(suggested, preview.data, impact.data)
  const isChosen = (word: string) => draft.excludes.some((excluded) => toKeywordKey(excluded) === toKeywordKey(word))
  const remainingCount = computeRemainingListLimits(draft, organisation).exclude
  const customExclusions = draft.excludes.filter(
    (word) => !offers.some((offer) => toKeywordKey(offer.word) === toKeywordKey(word)),
  )

  const toggle = (word: string, on: boolean) =>
    onChange({
      ...draft,
      excludes: on
        ? [...draft.excludes, word]
        : draft.excludes.filter((excluded) => toKeywordKey(excluded) !== toKeywordKey(word)),
    })
  const add = (words: readonly string[]) => {
    const { next, ...outcome } = addValidSetupKeywords({ draft, organisation }, 'exclude', words, (before, word) => ({
      ...before,
      excludes: [...before.excludes, word.trim()],
    }))
    onChange(next)
    return outcome
  }
  return (
    <div className="space-y-4">
      <p className="text-ink-muted">
        คำที่ไม่รวมชนะเสมอ โครงการที่มีคำเหล่านี้จะไม่ขึ้นรายงาน แต่ตามดูย้อนหลังและดึงกลับได้ทุกเมื่อ ข้ามขั้นนี้ได้ถ้ายังไม่แน่ใจ
      </p>
      {preview.isError && (
        <ErrorNotice
          title="หาคำที่มักปนมาไม่สำเร็จ"
          error={preview.error}
          onRetry={() => void preview.refetch()}
          retrying={preview.isFetching}
        />
      )}
      <section aria-label="คำที่มักปนมา" className="rounded-card border border-line bg-surface p-3 sm:p-4">
        <h2 className="mb-1 flex items-center gap-2 font-semibold">
          คำที่มักปนมา {preview.isFetching && <Spinner label="กำลังหาในโครงการ 30 วันที่ผ่านมา" />}
        </h2>
        {offers.length === 0 && !preview.isFetching && (
          <p className="text-ink-muted">ไม่พบคำที่มักปนมากับคำที่เลือก ไปต่อได้เลย</p>
        )}
        <ul className="divide-y divide-line">
          {offers.map(({ word, of, count, sample }) => {
            const on = isChosen(word)
            return (
              <li key={word} className="py-1.5">
                <Checkbox
                  checked={on}
                  disabled={!on && remainingCount === 0}
                  onChange={(next) => toggle(word, next)}
                  trailing={countLabel(count)}
                >
                  <span className="font-medium">{word}</span>
                  {of.length > 0 && <span className="text-ink-muted"> ปนมากับ {of.join(', ')}</span>}
                  {sample && <span className="block truncate text-xs text-ink-faint">{sample}</span>}
                </Checkbox>
              </li>
            )
          })}
        </ul>
      </section>
      <section aria-label="คำที่ไม่รวมของคุณ" className="rounded-card border border-line bg-surface p-3 sm:p-4">
        <h2 className="mb-2 font-semibold">คำที่ไม่รวมของคุณ</h2>
        <SetupKeywordBox
          label="เพิ่มคำที่ไม่รวม"
          placeholder="เช่น เช่า ซ่อม แล้วกด Enter"
          words={customExclusions}
          toneOf={() => 'negative'}
          onRemove={(word) => toggle(word, false)}
          onAdd={add}
        />
        <p className="mt-1.5 text-xs text-ink-faint">เพิ่มได้อีก {formatCount(remainingCount)} คำ</p>
      </section>
    </div>
  )
}

function countLabel(count: number | undefined): string | undefined {
  if (count === undefined) return undefined
  return count === 0 ? 'ยังไม่พบใน 30 วันนี้' : `เอาออก ${formatCount(count)} โครงการ`
}

function falseFriends({ groups }: WatchListSetupDraft): string[] {
  const selectedGroups = groups.filter(({ include }) => include.some(({ on }) => on))
  return [
    ...new Map(selectedGroups.flatMap(({ exclude }) => exclude).map((word) => [toKeywordKey(word), word])).values(),
  ]
}

/** Suggested exclusions and misleading words of the preview, most frequent first; only the latter have samples. */
function toOffers(
  suggested: readonly string[],
  preview: KeywordPreview | undefined,
  impact: KeywordPreview | undefined,
): Offer[] {
  const offers = new Map<string, Offer>()
  for (const word of suggested) {
    const conflicts = impact?.conflicts.filter((conflict) => toKeywordKey(conflict.word) === toKeywordKey(word)) ?? []
    const count = impact && Math.max(0, ...conflicts.map((conflict) => conflict.count))
    offers.set(toKeywordKey(word), { word, of: conflicts.map(({ of }) => of), count, sample: undefined })
  }
  for (const { of, word, count, samples } of preview?.traps.slice(0, MAX_TRAPS) ?? []) {
    const key = toKeywordKey(word)
    const before = offers.get(key)
    offers.set(key, {
      word: before?.word ?? word,
      of: [...new Set([...(before?.of ?? []), of])],
      count: Math.max(before?.count ?? 0, count),
      sample: samples[0],
    })
  }
  return [...offers.values()].sort((a, b) => (b.count ?? 0) - (a.count ?? 0))
}

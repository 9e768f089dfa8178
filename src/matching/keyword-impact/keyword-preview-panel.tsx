import { Info, TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { toKeywordKey } from '#contract/matching/keyword.ts'
import type { KeywordPreview } from '#contract/matching/keyword-impact.ts'
import { findHighlightRanges } from '#contract/search/search-highlight.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { useKeywordPreview } from '#src/matching/api/keyword-impact.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import {
  buildKeywordImpactAnnouncement,
  formatProjectsPerDay,
  formatSignedCount,
  KEYWORD_NOISE_LEVELS,
  KEYWORD_NOISE_THRESHOLD_RANGE_TEXT,
} from './impact-text.ts'
import { KeywordImpactSamples } from './keyword-impact-samples.tsx'
import {
  buildKeywordPreviewRequest,
  findKeywordPreviewDraftProblem,
  type KeywordPreviewDraft,
  useDebouncedKeywordPreviewDraft,
} from './keyword-preview-draft.ts'

type ImpactNotesProps = {
  preview: KeywordPreview
  /** Exclusions about to be added. Their conflicts with other words are intended, so they are not shown. */
  excluded: readonly string[]
}

const OVERLAP_THRESHOLD = 0.5
const MAX_NOTES = 3

function ImpactNotes({ preview, excluded }: ImpactNotesProps) {
  const conflicts = preview.conflicts.filter(({ word }) => !excluded.includes(word)).slice(0, MAX_NOTES)
  const overlaps = preview.overlaps.filter(({ share }) => share >= OVERLAP_THRESHOLD).slice(0, MAX_NOTES)
  if (conflicts.length === 0 && overlaps.length === 0) return null
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {conflicts.map(({ of, word, count }) => (
        <Note key={`conflict ${word}`}>
          คุณไม่รวมคำ{toKeywordKey(of) === toKeywordKey(word) ? 'นี้' : <b className="font-medium"> {word} </b>}อยู่ จึงไม่เห็น{' '}
          {formatCount(count)} โครงการที่มี {of}
        </Note>
      ))}
      {overlaps.map(({ of, keyword_id, word, share }) => (
        <Note key={`overlap ${keyword_id} ${of}`}>
          คำ <b className="font-medium">{word}</b> ครอบคลุมแล้ว {Math.round(share * 100)} %
        </Note>
      ))}
    </ul>
  )
}

function Note({ children }: { children: ReactNode }) {
  return (
    <li className="flex items-start gap-2 text-ink-muted">
      <Info aria-hidden className="mt-1 size-3.5 shrink-0" />
      <span className="min-w-0">{children}</span>
    </li>
  )
}

function ImpactFigures({ days, before, after, added, removed, per_working_day, level }: KeywordPreview) {
  const look = KEYWORD_NOISE_LEVELS[level]
  const onlyRemoves = removed > 0 && added === 0
  return (
    <dl className="grid grid-cols-2 gap-2">
      <div className={classNames('rounded-control px-3 py-2', onlyRemoves ? 'bg-urgent-soft' : 'bg-new-soft')}>
        <dt className={classNames('text-xs', onlyRemoves ? 'text-urgent' : 'text-new')}>
          {days} วันที่ผ่านมา {fieldChangeText(added, removed)}
        </dt>
        <dd className="flex flex-wrap items-baseline gap-x-2 text-xl font-semibold tabular-nums">
          {(added > 0 || removed === 0) && <span className="text-new">{formatSignedCount(added)}</span>}
          {removed > 0 && <span className="text-urgent">{formatSignedCount(-removed)}</span>}
        </dd>
        <dd className="text-xs text-ink-muted tabular-nums">
          {before === after
            ? `คงที่ ${formatCount(after)} โครงการ`
            : `จาก ${formatCount(before)} เป็น ${formatCount(after)}`}
        </dd>
      </div>
      <div className={classNames('rounded-control px-3 py-2', look.background)}>
        <dt className={classNames('text-xs', look.text)}>
          ทั้งรายงานวันทำการละ <span className="font-semibold tabular-nums">{formatProjectsPerDay(per_working_day)}</span>
        </dt>
        <dd className={classNames('text-xl font-semibold', look.text)}>{look.name}</dd>
        <dd className="text-xs text-ink-muted">พอดีคือ {KEYWORD_NOISE_THRESHOLD_RANGE_TEXT}</dd>
      </div>
    </dl>
  )
}

function fieldChangeText(added: number, removed: number): string {
  if (added > 0 && removed > 0) return 'จะเพิ่มและเอาออก'
  if (removed > 0) return 'จะเอาออก'
  return added > 0 ? 'จะเพิ่ม' : 'ไม่เปลี่ยน'
}

type PreviewPanelProps = {
  draft: KeywordPreviewDraft
  excluded: readonly string[]
  onExcluded: (words: string[]) => void
  isListOff?: boolean | undefined
}

export function KeywordPreviewPanel({ draft, excluded, onExcluded, isListOff = false }: PreviewPanelProps) {
  const debounced = useDebouncedKeywordPreviewDraft(draft)
  const { list, word } = debounced
  const excludes = list === 'exclude' || list === 'ai_exclude'
  const problem = findKeywordPreviewDraftProblem(debounced)
  const options = { enabled: problem === undefined }
  const current = useKeywordPreview(buildKeywordPreviewRequest(debounced, excluded), options)
  // The traps without exclusions. The first preview used the same query key, so this sends no request.
  const withoutExclusions = useKeywordPreview(buildKeywordPreviewRequest(debounced, []), options)
  const preview = current.data
  const isOld = current.isPlaceholderData || debounced !== draft
  const isSettled = preview !== undefined && !isOld && problem === undefined
  return (
    <section aria-label="ผลกับรายงานก่อนบันทึก" className="flex flex-col gap-3">
      <VisuallyHidden live>{isSettled ? buildKeywordImpactAnnouncement(preview) : ''}</VisuallyHidden>
      {problem !== undefined ? (
        <p className="text-sm text-ink-muted">
          {draft.word.trim() === '' ? 'พิมพ์คำ แล้วดูก่อนบันทึกว่ารายงานจะเปลี่ยนอย่างไร' : problem}
        </p>
      ) : (
        <QueryView
          query={current}
          task="ดูผลของคำนี้"
          notesStale
          skeleton={
            <SkeletonGroup label="กำลังคำนวณผลกับรายงาน" className="grid grid-cols-2 gap-2" bars={['h-16', 'h-16']} />
          }
        >
          {(preview) => (
            <div
              aria-busy={isOld}
              className={classNames('flex flex-col gap-3 transition-opacity', isOld && 'opacity-60')}
            >
              <ImpactFigures {...preview} />
              {isListOff && <p className="text-sm text-updated">สวิตช์ของรายการนี้ปิดอยู่ คำนี้จะมีผลเมื่อเปิดสวิตช์</p>}
              <AccidentalKeywordMatchBox
                traps={mergeAccidentalKeywordMatches(
                  withoutExclusions.isPlaceholderData ? [] : (withoutExclusions.data?.traps ?? []),
                  preview.traps,
                )}
                excluded={excluded}
                onExcluded={onExcluded}
              />
              <ImpactNotes preview={preview} excluded={excluded} />
              {!isOld && preview.added === 0 && preview.removed === 0 && (
                <p className="text-sm text-ink-muted">{describeNoChange(list, preview)}</p>
              )}
              <KeywordImpactSamples
                title={
                  <>
                    {excluded.length > 0 && !excludes ? 'ตัวอย่างเมื่อไม่รวมแล้ว เหลือ' : 'ตัวอย่างที่จะเพิ่ม'}{' '}
                    <b className="font-semibold text-ink tabular-nums">{formatCount(preview.added)}</b> โครงการ
                  </>
                }
                projects={preview.added_samples}
              />
              <KeywordImpactSamples
                title={
                  <>
                    ตัวอย่างที่จะเอาออก{' '}
                    <b className="font-semibold text-ink tabular-nums">{formatCount(preview.removed)}</b> โครงการ
                  </>
                }
                projects={preview.removed_samples}
                areInReport
                first={excludes ? 5 : 3}
                against={list === 'exclude' ? [word, ...excluded] : excluded}
              />
            </div>
          )}
        </QueryView>
      )}
    </section>
  )
}

const NO_CHANGE_TEXTS: Readonly<Record<KeywordPreviewDraft['list'], string>> = {
  include: 'ไม่มีชื่อโครงการใดมีคำนี้ ลองคำที่สั้นลง สะกดแบบอื่น หรือใช้คำใกล้เคียง (AI)',
  exclude: 'ไม่มีโครงการในรายงานมีคำนี้ เพิ่มไว้ก็ยังไม่ซ่อนอะไร',
  ai_include: 'ไม่มีชื่อโครงการใดมีคำเหล่านี้ ลองเลือกคำแนะนำเพิ่ม',
  ai_exclude: 'ไม่มีโครงการในรายงานมีคำเหล่านี้ เลือกเฉพาะคำที่ต้องการซ่อน',
  deptsub_include: 'หน่วยงานนี้ไม่มีโครงการใหม่ที่ยังไม่อยู่ในรายงาน',
}

function describeNoChange(
  list: KeywordPreviewDraft['list'],
  { looked_at, days, overlaps, conflicts }: KeywordPreview,
): string {
  if (looked_at === 0) return `ยังไม่มีโครงการในช่วง ${days} วันให้ลองดูผล`
  const isCovered = overlaps.length > 0 || conflicts.length > 0
  return `${days} วันที่ผ่านมา${isCovered ? 'คำนี้ไม่เปลี่ยนรายงาน' : NO_CHANGE_TEXTS[list]}`
}

type AccidentalKeywordMatch = KeywordPreview['traps'][number]

type TrapBoxProps = Pick<PreviewPanelProps, 'excluded' | 'onExcluded'> & { traps: readonly AccidentalKeywordMatch[] }

const COLLAPSED_COUNT = 5

function AccidentalKeywordMatchBox({ traps, excluded, onExcluded }: TrapBoxProps) {
  const [showsAll, setShowsAll] = useState(false)
  if (traps.length === 0) return null
  const words = [...new Set(traps.map(({ of }) => of))]
  const visibleTraps = showsAll
    ? traps
    : traps.filter(({ word }, index) => index < COLLAPSED_COUNT || excluded.includes(word))
  return (
    <section
      aria-label="คำอื่นที่ติดมาด้วย"
      className="rounded-control border border-updated-line bg-updated-soft px-3 py-2.5"
    >
      <p className="flex items-center gap-2 font-medium text-updated">
        <TriangleAlert aria-hidden className="size-4 shrink-0" />
        {words.length === 1 ? 'คำนี้ติดคำอื่นมาด้วย' : `คำ ${words.join(', ')} ติดคำอื่นมาด้วย`}
      </p>
      <ul className="mt-1.5 flex flex-col gap-1">
        {visibleTraps.map(({ word, count, samples }) => (
          <li key={word}>
            <Checkbox
              checked={excluded.includes(word)}
              onChange={(on) => onExcluded(on ? [...excluded, word] : excluded.filter((item) => item !== word))}
              trailing={<span className="text-sm text-updated">−{formatCount(count)}</span>}
            >
              ไม่รวม <span className="font-medium">{word}</span>
              {samples[0] && (
                <span className="block truncate text-xs text-ink-muted" title={samples.join('\n')}>
                  <HighlightedText text={excerptOf(samples[0], word)} words={[]} against={[word]} />
                </span>
              )}
            </Checkbox>
          </li>
        ))}
      </ul>
      {visibleTraps.length < traps.length && (
        <button
          type="button"
          onClick={() => setShowsAll(true)}
          className="mt-1 min-h-6 rounded-control text-sm font-medium text-updated hover:underline touch:min-h-11"
        >
          ดูอีก {traps.length - visibleTraps.length} คำ
        </button>
      )}
    </section>
  )
}

const CHARS_BEFORE = 14

/** Shows the title on one line and cuts its start if the word would otherwise be truncated. */
function excerptOf(title: string, word: string): string {
  const at = findHighlightRanges([word], title)[0]?.start ?? 0
  if (at <= CHARS_BEFORE) return title
  // Remove leading vowel and tone marks, because the text must not be cut between a consonant and its marks.
  const excerpt = title.slice(at - CHARS_BEFORE).replace(/^[\u0e31\u0e33-\u0e3a\u0e47-\u0e4e]+/, '')
  return `…${excerpt}`
}

/**
 * Combines two lists of traps so that ticked suggestions remain visible: first the traps found without exclusions,
 * because the server no longer returns a trap that an exclusion removes, then those found only in the current figures.
 */
function mergeAccidentalKeywordMatches(
  withoutExclusions: readonly AccidentalKeywordMatch[],
  current: readonly AccidentalKeywordMatch[],
): AccidentalKeywordMatch[] {
  const words = new Set(withoutExclusions.map(({ word }) => word))
  return [...withoutExclusions, ...current.filter(({ word }) => !words.has(word))]
}

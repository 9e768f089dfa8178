import type { KeywordTraining } from '#contract/matching/keyword-training.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'

const MAX_SHOWN = 8

export function KeywordTrainingFigures({ lesson }: { lesson: KeywordTraining }) {
  const { answers, now, taught, turned, share } = lesson
  const isSame = turned.length === 0
  return (
    <section aria-label="ผลจากคำตอบ" className="rounded-card border border-line p-3">
      <dl className="grid grid-cols-2 gap-3">
        <Figure name="ตอนนี้" {...now} />
        <Figure name="ตามคำตอบ" {...taught} isStrong={!isSame} />
      </dl>
      <p className="mt-2 text-sm">
        {isSame ? (
          <span className="text-ink-muted">
            {answers.length === 0 ? 'ตอบแล้วจะเห็นว่าคำไหนเปลี่ยน' : 'คำที่ใช้อยู่ตรงกับคำตอบแล้ว'}
          </span>
        ) : (
          turned.slice(0, MAX_SHOWN).map(({ term, facet, acts, titles }) => (
            <span
              key={`${facet} ${term}`}
              className={classNames(
                'mr-1.5 mb-1 inline-flex items-center gap-1 rounded-control border px-2 py-0.5',
                acts
                  ? 'border-transparent bg-accent-soft text-accent-ink'
                  : 'border-dashed border-line-strong text-ink-muted',
              )}
            >
              <span>
                {acts ? 'ใช้' : 'เลิกใช้'} {term}
              </span>
              <span className="text-xs tabular-nums">
                {acts ? '+' : '−'}
                {formatCountWithSeparators(titles)}
              </span>
            </span>
          ))
        )}
        {turned.length > MAX_SHOWN && <span className="text-ink-muted">และอีก {turned.length - MAX_SHOWN} คำ</span>}
      </p>
      {share < 1 && (
        <p className="mt-1 text-xs text-ink-muted">ตัวเลขประมาณจาก {Math.max(1, Math.round(share * 100))}% ของชื่อทั้งปี</p>
      )}
    </section>
  )
}

type FigureProps = KeywordTraining['now'] & { name: string; isStrong?: boolean }

function Figure({ name, finds, right, isStrong = false }: FigureProps) {
  return (
    <div>
      <dt className="text-sm text-ink-muted">{name}</dt>
      <dd>
        <span className={classNames('text-lg tabular-nums', isStrong && 'font-semibold')}>
          {formatCountWithSeparators(finds)}
        </span>
        <span className="text-ink-muted"> ชื่อ/ปี</span>
        {finds > 0 && <span className="block text-sm tabular-nums">คาดว่าเกี่ยว {Math.round(right * 100)}%</span>}
      </dd>
    </div>
  )
}

import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import {
  formatUnusualAwardPatternFact,
  formatUnusualAwardPatternPeriod,
} from '#contract/market/format-unusual-award-pattern.ts'
import {
  type UnusualAwardPatterns as Answer,
  UNUSUAL_AWARD_PATTERN_TEXTS,
  type UnusualAwardPattern,
  type UnusualAwardPatternCode,
} from '#contract/market/unusual-award-patterns.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { createExternalStore } from '#src/lib/store.ts'
import { CompanyLink } from '#src/market/company-link.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { Collapsible } from '#src/ui/collapsible.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'

export const unusualAwardPatternsExpandedStore = createExternalStore(false)

type UnusualAwardPatternsCardProps<Key extends readonly unknown[]> = {
  query: UseQueryOptions<Answer, Error, Answer, Key>
  /** True if company links open with figures of all projects; false if with figures of our report only. */
  isMarket: boolean
  openRows: (rows: string) => void
}

export function UnusualAwardPatternsCard<Key extends readonly unknown[]>({
  query,
  isMarket,
  openRows,
}: UnusualAwardPatternsCardProps<Key>) {
  const patterns = useQuery(query)
  const isOpen = unusualAwardPatternsExpandedStore.useValue()
  return (
    <QueryView
      query={patterns}
      task="ดูข้อสังเกต"
      skeleton={
        <Card className="px-4 py-3">
          <SkeletonGroup label="กำลังดูข้อสังเกต" bars={['h-6 w-48']} />
        </Card>
      }
    >
      {(data) => (
        <Card className="px-4 transition-opacity aria-busy:opacity-50" aria-busy={patterns.isPlaceholderData}>
          <Collapsible
            heading="h2"
            title={data.total === 0 ? `ไม่พบข้อสังเกตใน ${formatCount(data.decided)} งาน` : 'ข้อสังเกต'}
            badge={
              data.total > 0 && (
                <>
                  {' '}
                  <Badge>{formatCount(data.total)} ข้อ</Badge>
                </>
              )
            }
            open={isOpen}
            onOpenChange={unusualAwardPatternsExpandedStore.set}
          >
            <div className="space-y-5 pb-1">
              {data.total > 0 && (
                <p className="text-ink-muted">
                  ข้อเท็จจริงที่น่าดูต่อจาก {formatCount(data.decided)} งานที่รู้ผลในตัวกรองนี้ ไม่ได้บอกว่ามีอะไรผิด แต่ละข้อมีคำอธิบายอื่นได้
                  บุคคลธรรมดาไม่ถูกนับเป็นราย
                </p>
              )}
              {data.kinds
                .filter(({ total }) => total > 0)
                .map((kind) => (
                  <PatternKindSection key={kind.sign} kind={kind} isMarket={isMarket} openRows={openRows} />
                ))}
              <CheckSummary kinds={data.kinds.filter(({ total }) => total === 0)} />
            </div>
          </Collapsible>
        </Card>
      )}
    </QueryView>
  )
}

type PatternProps = Omit<UnusualAwardPatternsCardProps<readonly unknown[]>, 'query'>

type PatternKind = Answer['kinds'][number]

function PatternKindSection({ kind, isMarket, openRows }: PatternProps & { kind: PatternKind }) {
  const { title, threshold, explanations, indicator } = UNUSUAL_AWARD_PATTERN_TEXTS[kind.sign]
  return (
    <section aria-label={title} className="space-y-2">
      <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
        {title}
        <Badge>{formatCount(kind.total)} ข้อ</Badge>
        {indicator !== null && (
          <span className="text-xs font-normal text-ink-muted">ตัวชี้วัด Open Contracting {indicator}</span>
        )}
      </h3>
      <ul className="divide-y divide-line rounded-card border border-line">
        {kind.results.map((fact) => (
          <li key={fact.rows} className="px-3 py-2">
            <PatternFact sign={kind.sign} fact={fact} isMarket={isMarket} openRows={openRows} />
          </li>
        ))}
      </ul>
      {kind.results.length < kind.total && (
        <p className="text-xs text-ink-muted">
          แสดง {formatCount(kind.results.length)} ข้อที่เด่นที่สุดจาก {formatCount(kind.total)} ข้อ ใช้ตัวกรองให้แคบลงเพื่อดูข้ออื่น
        </p>
      )}
      <p className="text-xs text-ink-muted">เกณฑ์: {threshold}</p>
      <div className="text-xs text-ink-muted">
        <p>คำอธิบายอื่นที่เป็นไปได้</p>
        <ul className="list-disc pl-5">
          {explanations.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </div>
    </section>
  )
}

export const formatUnusualAwardPatternLocation = (fact: UnusualAwardPattern): string =>
  joinParts(fact.agency ?? 'ทั้งตัวกรอง', fact.unit, fact.province, formatUnusualAwardPatternPeriod(fact))

type PatternFactProps = PatternProps & { sign: UnusualAwardPatternCode; fact: UnusualAwardPattern }

function PatternFact({ sign, fact, isMarket, openRows }: PatternFactProps) {
  const figures = [
    { text: `ดู ${formatCount(fact.count)} งาน`, rows: fact.rows },
    { text: `ทั้งหมด ${formatCount(fact.n)} งาน`, rows: fact.n_rows },
    ...(fact.beside_rows !== null && fact.beside !== null && fact.beside > 0
      ? [{ text: `ช่วงถัดลงไป ${formatCount(fact.beside)} งาน`, rows: fact.beside_rows }]
      : []),
    ...(fact.one_rows !== null && fact.of_one !== null
      ? [{ text: `ของรายนี้ ${formatCount(fact.of_one)} งาน`, rows: fact.one_rows }]
      : []),
  ]
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-1">
      <div className="min-w-0 flex-1 basis-72">
        {fact.companies.length > 0 && (
          <p className="font-medium">
            {fact.companies.map((company, at) => (
              <span key={company.id}>
                {at > 0 && <span className="font-normal text-ink-muted"> และ </span>}
                <CompanyLink company={company} search={isMarket ? {} : { scope: 'watch' }}>
                  {company.name}
                </CompanyLink>
              </span>
            ))}
          </p>
        )}
        <p className={fact.companies.length > 0 ? 'text-ink-muted' : 'font-medium'}>
          {formatUnusualAwardPatternLocation(fact)}
        </p>
        <p className="tabular-nums">{formatUnusualAwardPatternFact(sign, fact)}</p>
      </div>
      <p className="flex flex-wrap gap-x-3">
        {figures.map(({ text, rows }) => (
          <button
            key={rows}
            type="button"
            onClick={() => openRows(rows)}
            aria-label={`${text} ${[...fact.companies.map(({ name }) => name), formatUnusualAwardPatternLocation(fact)].join(' ')}`}
            className="rounded-control text-accent-ink tabular-nums underline decoration-line-strong underline-offset-4 hover:decoration-current touch:min-h-11"
          >
            {text}
          </button>
        ))}
      </p>
    </div>
  )
}

function CheckSummary({ kinds }: Pick<Answer, 'kinds'>) {
  if (kinds.length === 0) return null
  return (
    <section aria-label="สิ่งที่ดูแล้ว" className="text-xs text-ink-muted">
      <p>ดูแล้วไม่พบ</p>
      <ul className="list-disc pl-5 tabular-nums">
        {kinds.map(({ sign, projects, groups }) => (
          <li key={sign}>
            {UNUSUAL_AWARD_PATTERN_TEXTS[sign].title}:{' '}
            {groups === 0
              ? `ข้อมูลน้อยเกินกว่าจะบอก (${formatCount(projects)} งาน)`
              : `${UNUSUAL_AWARD_PATTERN_TEXTS[sign].examined} ${formatCount(projects)} งาน ใน ${formatCount(groups)} กลุ่มที่มากพอ`}
          </li>
        ))}
      </ul>
    </section>
  )
}

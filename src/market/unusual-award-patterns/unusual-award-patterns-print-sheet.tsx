import { useQuery } from '@tanstack/react-query'
import { formatUnusualAwardPatternFact } from '#contract/market/format-unusual-award-pattern.ts'
import { UNUSUAL_AWARD_PATTERN_TEXTS } from '#contract/market/unusual-award-patterns.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { unusualAwardPatternsQuery } from '#src/market/api/who-wins.ts'
import { formatUnusualAwardPatternLocation, unusualAwardPatternsExpandedStore } from './unusual-award-patterns-card.tsx'

export function UnusualAwardPatternsPrintSheet({ search }: { search: ReportSearch }) {
  const isOpen = unusualAwardPatternsExpandedStore.useValue()
  const { data } = useQuery({ ...unusualAwardPatternsQuery(search), enabled: isOpen })
  if (!isOpen || !data) return null
  const kinds = data.kinds.filter(({ total }) => total > 0)
  return (
    <section className="break-before-page">
      <h2 className="text-[12pt] font-semibold">
        {data.total === 0 ? `ไม่พบข้อสังเกตใน ${formatCount(data.decided)} งาน` : `ข้อสังเกต ${formatCount(data.total)} ข้อ`}
      </h2>
      <p>ข้อเท็จจริงที่น่าดูต่อ ไม่ได้บอกว่ามีอะไรผิด แต่ละข้อมีคำอธิบายอื่นได้</p>
      {kinds.map(({ sign, total, results }) => {
        const { title, threshold, explanations, indicator } = UNUSUAL_AWARD_PATTERN_TEXTS[sign]
        return (
          <div key={sign} className="mt-2">
            <h3 className="text-[10pt] font-semibold">
              {title} {formatCount(total)} ข้อ{indicator !== null && ` (Open Contracting ${indicator})`}
            </h3>
            <ul>
              {results.map((fact) => (
                <li key={fact.rows} className="break-inside-avoid border-t border-slate-300 py-0.5">
                  {[...fact.companies.map(({ name }) => name), formatUnusualAwardPatternLocation(fact)].join(' · ')}:{' '}
                  {formatUnusualAwardPatternFact(sign, fact)}
                </li>
              ))}
            </ul>
            <p className="text-slate-600">
              เกณฑ์: {threshold} · คำอธิบายอื่นที่เป็นไปได้: {explanations.join(' / ')}
            </p>
          </div>
        )
      })}
    </section>
  )
}

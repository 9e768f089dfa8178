import { useQuery } from '@tanstack/react-query'
import { Scale } from 'lucide-react'
import type { ReactNode } from 'react'
import { MAX_COMPARED_COMPANIES } from '#contract/market/company-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { toCompanyParam } from '#src/lib/company-url.ts'
import { comparisonPairsQuery } from '#src/market/api/company-comparisons.ts'
import { companyDetailQuery } from '#src/market/api/company-details.ts'
import { Card } from '#src/ui/card.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { recentComparisonList } from './recent-comparisons.ts'
import { COMPARISON_PAIRS_SEARCH_PATCH, type ComparisonUrlState } from './scope/use-comparison-url-state.ts'

type ComparisonStartProps = { names: readonly string[]; compare: ComparisonUrlState['compare'] }

export function ComparisonEmptyState({ names, compare }: ComparisonStartProps) {
  const recent = recentComparisonList.read()
  return (
    <div className="flex flex-col gap-4">
      <Card className="flex flex-wrap items-start gap-4 p-5">
        <span className="inline-flex size-12 shrink-0 items-center justify-center rounded-full bg-surface-muted text-ink-faint">
          <Scale aria-hidden className="size-6" />
        </span>
        <div className="min-w-0 flex-1 basis-60">
          <p className="text-md font-semibold">
            {names.length === 1 ? 'เลือกอีกอย่างน้อย 1 บริษัท' : `เลือก 2 ถึง ${MAX_COMPARED_COMPANIES} บริษัทเพื่อเปรียบเทียบ`}
          </p>
          <p className="text-ink-muted">
            ใครชนะใคร ห่างกันเท่าไร เสนอราคาต่ำกว่าราคากลางแค่ไหน และชนะที่หน่วยงานใด จำกัดขอบเขตเป็นหน่วยงานหรือประเภทงานได้
            ก่อนตั้งราคายื่นครั้งต่อไป
          </p>
        </div>
      </Card>
      <div className="grid gap-4 lg:grid-cols-2">
        {names.length === 1 ? (
          <SuggestedRivals name={names[0]!} compare={compare} />
        ) : (
          <SuggestedPairs compare={compare} />
        )}
        {/* Below the other list it would move while that one loads. */}
        <SuggestionList title="เทียบล่าสุด" note="เก็บไว้ในเบราว์เซอร์นี้เท่านั้น" className="max-lg:order-first">
          {recent.length === 0 && (
            <li className="py-4 text-center text-ink-muted">ชุดบริษัทที่เทียบจะอยู่ที่นี่ เริ่มจากคู่ที่พบกันบ่อย หรือค้นชื่อบริษัทด้านบน</li>
          )}
          {recent.map((compared) => (
            <SuggestionButton key={compared.join('||')} onPick={() => compare(compared)}>
              {compared.join(' · ')}
            </SuggestionButton>
          ))}
        </SuggestionList>
      </div>
    </div>
  )
}

const MAX_RIVALS = 8
const SUGGESTION_BARS = ['w-4/5', 'w-3/4', 'w-2/3']

/** With one company chosen, the pairs of others would replace it; its own rivals are one press away. */
function SuggestedRivals({ name, compare }: Pick<ComparisonStartProps, 'compare'> & { name: string }) {
  const company = useQuery(companyDetailQuery(name, {}))
  return (
    <SuggestionList title="คู่แข่งที่พบบ่อย" note="จากโครงการที่รู้รายชื่อผู้ยื่น">
      <QueryView
        query={company}
        task="โหลดคู่แข่ง"
        bars={SUGGESTION_BARS}
        barsClassName="flex flex-col gap-3"
        isEmpty={({ competitors }) => competitors.length === 0}
        empty={<li className="py-4 text-center text-ink-muted">ยังไม่รู้ว่าบริษัทนี้พบใคร ค้นชื่อบริษัทที่จะเทียบด้านบน</li>}
        frame={(screen) => <li className="py-2">{screen}</li>}
      >
        {({ competitors }) =>
          competitors.slice(0, MAX_RIVALS).map(({ company: rival, met }) => (
            <SuggestionButton key={rival.id} met={met} onPick={() => compare([name, toCompanyParam(rival)])}>
              {rival.name}
            </SuggestionButton>
          ))
        }
      </QueryView>
    </SuggestionList>
  )
}

function SuggestedPairs({ compare }: Pick<ComparisonStartProps, 'compare'>) {
  const pairs = useQuery(comparisonPairsQuery)
  return (
    <SuggestionList title="คู่ที่พบกันบ่อย" note="จากโครงการในรายงานขององค์กรที่รู้รายชื่อผู้ยื่น">
      <QueryView
        query={pairs}
        task="โหลดคู่ที่พบกัน"
        bars={SUGGESTION_BARS}
        barsClassName="flex flex-col gap-3"
        isEmpty={({ results }) => results.length === 0}
        empty={
          <li className="py-4 text-center text-ink-muted">ยังไม่มีคู่ที่พบกัน: ข้อมูลที่มีบอกเฉพาะผู้ชนะ เลือกบริษัทเองเพื่อเทียบงานที่ชนะ</li>
        }
        frame={(screen) => <li className="py-2">{screen}</li>}
      >
        {({ results }) =>
          results.map(({ a, b, met }) => (
            <SuggestionButton
              key={`${a.id} ${b.id}`}
              met={met}
              onPick={() => compare([toCompanyParam(a), toCompanyParam(b)], COMPARISON_PAIRS_SEARCH_PATCH)}
            >
              {a.name} <span className="text-ink-muted">กับ</span> {b.name}
            </SuggestionButton>
          ))
        }
      </QueryView>
    </SuggestionList>
  )
}

type SuggestionListProps = { title: string; note: string; className?: string; children: ReactNode }

function SuggestionList({ title, note, className, children }: SuggestionListProps) {
  return (
    <Card as="section" aria-label={title} className={classNames('p-5', className)}>
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mb-2 text-xs text-ink-muted">{note}</p>
      <ul className="divide-y divide-line">{children}</ul>
    </Card>
  )
}

function SuggestionButton({ onPick, met, children }: { onPick: () => void; met?: number; children: ReactNode }) {
  return (
    <li>
      <button
        type="button"
        onClick={onPick}
        className="block w-full rounded-control px-2 py-2 text-left hover:bg-surface-muted touch:min-h-11"
      >
        {children}
        {met !== undefined && (
          <span className="block text-xs text-ink-muted tabular-nums">พบกัน {formatCount(met)} โครงการ</span>
        )}
      </button>
    </li>
  )
}

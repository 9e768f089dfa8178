import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { SimilarProject } from '#contract/catalogue/similar-prices.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht, formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { shortMoneyText } from '#src/lib/figure-text.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { Button } from '#src/ui/button.tsx'
import { formatDiscountInWords } from './similar-prices-discount-bins.ts'

const MAX_WORDS = 4
const MAX_COLLAPSED_PROJECTS = 5

export function SimilarProjectList({ projects }: { projects: readonly SimilarProject[] }) {
  const [isExpanded, setExpanded] = useState(false)
  if (projects.length === 0) return null
  return (
    <section aria-label="งานที่นำมาเทียบ" className="mt-4">
      <h3 className="text-sm font-semibold">งานที่นำมาเทียบ เรียงจากใกล้ที่สุด</h3>
      <ol className="mt-1 divide-y divide-line">
        {projects.slice(0, isExpanded ? undefined : MAX_COLLAPSED_PROJECTS).map((project, at) => (
          <li key={project.project_id} className={classNames('py-2', at >= MAX_COLLAPSED_PROJECTS && 'print:hidden')}>
            <Item project={project} />
          </li>
        ))}
      </ol>
      {projects.length > MAX_COLLAPSED_PROJECTS && (
        <Button
          variant="link"
          size="sm"
          className="print:hidden"
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? 'ย่อรายการ' : `ดูทั้ง ${formatCount(projects.length)} งาน`}
        </Button>
      )}
    </section>
  )
}

function Item({ project }: { project: SimilarProject }) {
  const { project_id, name, dept_name, dept_sub_name, decided_date, estimate_budget, winner_budget, bids } = project
  const title = 'line-clamp-2 font-medium print:line-clamp-none'
  return (
    <>
      {project.in_report ? (
        <Link
          to="/report/$id"
          params={{ id: project_id }}
          className={classNames(title, 'rounded-control text-accent-ink hover:underline')}
        >
          {name}
        </Link>
      ) : (
        <p className={title} title={name}>
          {name}
        </p>
      )}
      <p className="text-sm text-ink-muted">
        {dept_sub_name || dept_name}
        {decided_date && ` · ${formatThaiDateShortOrOriginal(decided_date)}`}
      </p>
      <p className="text-sm tabular-nums">
        {formatBaht(winner_budget)} จาก {formatBaht(estimate_budget)} บาท · {formatDiscountInWords(project.discount)}
      </p>
      <p className="text-sm text-ink-muted">
        {project.winner_name !== null && `ผู้ชนะ ${project.winner_name} · `}
        {bids.length === 0 ? 'รู้แค่ราคาผู้ชนะ' : `รู้ราคาทุกราย ${formatCount(bids.length)} ราคา`}
      </p>
      <p className="text-xs text-ink-muted">คล้ายเพราะ {describeSimilarity(project)}</p>
    </>
  )
}

const BUYER_TEXTS = { unit: 'หน่วยจัดซื้อเดียวกัน', agency: 'หน่วยงานเดียวกัน', ministry: 'สังกัดเดียวกัน' } as const

function describeSimilarity({ why, estimate_budget }: Pick<SimilarProject, 'why' | 'estimate_budget'>): string {
  const { words, buyer, is_same_province, is_same_method, times } = why
  return joinParts(
    `ชื่อมีคำว่า ${words
      .slice(0, MAX_WORDS)
      .map((word) => `“${word}”`)
      .join(' ')} (ตรงกัน ${Math.round(why.likeness * 100)}%)`,
    buyer !== null && BUYER_TEXTS[buyer],
    is_same_province && 'จังหวัดเดียวกัน',
    is_same_method && 'วิธีเดียวกัน',
    times !== null && sizeText(times, estimate_budget),
  )
}

function sizeText(times: number, estimate: number): string {
  const baht = `(${shortMoneyText(Math.round(estimate))})`
  if (times >= 0.8 && times <= 1.25) return `วงเงินใกล้กัน ${baht}`
  return times > 1 ? `ใหญ่กว่า ${times.toFixed(1)} เท่า ${baht}` : `เล็กกว่า ${(1 / times).toFixed(1)} เท่า ${baht}`
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ReportRow } from '#contract/report/report.ts'
import { organisationQuery } from '#src/api/keyword/organisations.ts'
import { companyNamePart } from '#src/lib/company-address.ts'
import { Highlighted } from '#src/ui/project/highlighted.tsx'
import { useRowMarks } from './row-marks.ts'

type WinnerNamesProps = {
  row: Pick<ReportRow, 'winner_name' | 'winner_count' | 'other_winners' | 'is_winner_company'>
  /** Two lines of the first name, as the table has room for. */
  isClamped?: boolean
}

/** All winners of a project: companies lead to their pages; how many others there are includes people, who are not named. */
export function WinnerNames({ row, isClamped = false }: WinnerNamesProps) {
  const { winner_name: first, winner_count: count, other_winners: others = [] } = row
  if (first === null) return null
  return (
    <>
      <span className={isClamped ? 'line-clamp-2' : undefined} title={isClamped ? first : undefined}>
        <Winner name={first} isCompany={row.is_winner_company === true} />
      </span>
      {count > 1 && (
        <span className="block text-xs text-ink-faint">
          และอีก {count - 1} ราย
          {others.map((name, at) => (
            <span key={name} className="block">
              <Winner name={name} isCompany />
              {at < others.length - 1 && <span className="sr-only">, </span>}
            </span>
          ))}
        </span>
      )}
    </>
  )
}

function Winner({ name, isCompany }: { name: string; isCompany: boolean }): ReactNode {
  const { winnerWords } = useRowMarks()
  const { data: organisation } = useQuery(organisationQuery)
  const text = <Highlighted text={name} words={winnerWords} />
  if (!isCompany || !organisation?.is_company_compare) return text
  return (
    <Link
      to="/companies/$name"
      params={{ name: companyNamePart(name) }}
      search={{}}
      title={`ดูงานที่ ${name} ชนะ`}
      className="rounded-control decoration-line-strong underline-offset-4 hover:underline"
    >
      {text}
    </Link>
  )
}

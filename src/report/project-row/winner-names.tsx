import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { companyNamePart } from '#contract/catalogue/company-address.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { organisationQuery } from '#src/account/api/organisations.ts'
import { shownName } from '#src/lib/shown-name.ts'
import { Highlighted } from '#src/ui/project/highlighted.tsx'
import { useFolded } from '#src/ui/use-folded.tsx'
import { useRowMarks } from './row-marks.ts'

type WinnerNamesProps = {
  row: Pick<ReportRow, 'winner_name' | 'winner_count' | 'other_winners' | 'is_winner_company'>
  isClamped?: boolean
}

/** Number of other winners named in a table cell; the count covers all. */
const OTHERS_IN_A_CELL = 3

/** Lists the winners by contract value. The count of others includes natural persons, whose names are not shown. */
export function WinnerNames({ row, isClamped = false }: WinnerNamesProps) {
  const { winner_name: first, winner_count: count, other_winners: others = [] } = row
  const { shown, more } = useFolded(others, 'ราย', isClamped ? OTHERS_IN_A_CELL : undefined)
  if (first === null) return null
  return (
    <>
      <span className={isClamped ? 'line-clamp-2' : undefined} title={isClamped ? shownName(first) : undefined}>
        <Winner name={first} isCompany={row.is_winner_company === true} />
      </span>
      {count > 1 && (
        <span className="block text-xs text-ink-faint">
          และอีก {count - 1} ราย
          {shown.map((name, at) => (
            <span key={name} className="block">
              <Winner name={name} isCompany />
              {at < shown.length - 1 && <span className="sr-only">, </span>}
            </span>
          ))}
          {isClamped ? null : more}
        </span>
      )}
    </>
  )
}

function Winner({ name, isCompany }: { name: string; isCompany: boolean }): ReactNode {
  const { winnerWords } = useRowMarks()
  const { data: organisation } = useQuery(organisationQuery)
  const text = <Highlighted text={shownName(name)} words={winnerWords} />
  if (!isCompany || !organisation?.is_company_compare) return text
  return (
    <Link
      to="/companies/$name"
      params={{ name: companyNamePart(name) }}
      search={{}}
      title={`ดูงานที่ ${shownName(name)} ชนะ`}
      className="rounded-control decoration-line-strong underline-offset-4 hover:underline"
    >
      {text}
    </Link>
  )
}
